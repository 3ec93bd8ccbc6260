"""Writes a `main.log` as electron-log does: it opens the file for each line, and renames it when it is full."""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import TYPE_CHECKING, Final

from ..cursor import CROP_AREA
from ..lines import CROPPED
from ..tail import old_name
from .writer import LogWriter

if TYPE_CHECKING:
    from pathlib import Path

FULL: Final = 1 << 20
"""A log with more bytes than this is full."""
LEFT: Final = 262_144
"""How many bytes of a full log are kept if it cannot be renamed, because on Windows another program has it open."""
assert LEFT < CROP_AREA


class LogAppender:
    """Writes lines into a log, with the present time and in the words of this version of Stretchly. `full` is the size in
    bytes above which the log is renamed.
    """

    def __init__(self, path: Path, version: tuple[int, int], newline: str = "\n", full: int = FULL) -> None:
        self.writer = LogWriter(version, newline)
        self.path = path
        self._newline = newline
        self._full = full

    def say(self, text: str, level: str = "info") -> None:
        """Write a line with this text. Leave out the "Stretchly: " with which the lines of the program begin."""
        self.writer.now = datetime.now()
        self.writer.say(
            f"Stretchly: {text}" if not text.startswith("Stretchly 2:") else text, level, after_ms=0
        )
        line = self.writer.lines.pop()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._make_room()
        with self.path.open("ab") as file:
            file.write((line + self._newline).encode())

    def _make_room(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            if self.path.stat().st_size <= self._full:
                return
            try:
                self.path.replace(old_name(self.path))
            except OSError:
                self._crop()

    def _crop(self) -> None:
        kept = self.path.read_bytes()[-LEFT:]
        newline = self._newline.encode()
        with self.path.open("r+b") as file:
            file.truncate()
            file.write(CROPPED + newline + kept + newline)
