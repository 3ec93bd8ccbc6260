from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_stretchly.testing import LogWriter

if TYPE_CHECKING:
    from pathlib import Path


class LogFile:
    """A `main.log` that is written as electron-log does."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "main.log"
        self.old = folder / "main.old.log"
        self.writer = LogWriter((1, 22))
        self._written = 0

    def say(self, *texts: str) -> None:
        for text in texts:
            self.writer.say(f"Stretchly: {text}")
        self.write()

    def start(self, name: str = "Mini break") -> None:
        self.say(f"starting {name}")

    def finish(self, name: str = "Mini break") -> None:
        self.say(f"finishing {name} (shouldPlanNext: true)")

    def write(self) -> None:
        """Append what the writer has rendered since the last time."""
        lines, self._written = self.writer.lines[self._written :], len(self.writer.lines)
        self.add("".join(f"{line}\n" for line in lines).encode())

    def add(self, content: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(content)

    def rotate(self) -> None:
        self.path.replace(self.old)

    def crop(self, kept: int = 262_144) -> None:
        content = self.path.read_bytes()
        cut = content[-kept:].decode("utf-8", "replace").encode()
        with self.path.open("r+b") as file:  # The same file, emptied.
            file.truncate()
            file.write(b"[log cropped]\n" + cut + b"\n")


@pytest.fixture
def log(tmp_path: Path) -> LogFile:
    return LogFile(tmp_path)
