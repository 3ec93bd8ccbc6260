"""The prompt editor: a draft that only the person should change."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .inputs import Input


class Editor:
    def __init__(self, draft: str = "") -> None:
        self.draft = draft

    def take(self, given: Input) -> str | None:
        """What is submitted, if this was Enter."""
        if given.kind == "text":
            self.draft += given.value
        elif given.kind == "paste":
            self.draft += self._gap(given.value) + given.value
        elif given.value == "newline":
            self.draft += "\n"
        elif given.value == "backspace":
            self.draft = self.draft[:-1]
        elif given.value == "ctrl+u":
            self.draft = ""
        elif given.value == "enter" and self.draft.strip():
            submitted, self.draft = self.draft, ""
            return submitted
        return None

    def _gap(self, pasted: str) -> str:
        """A pasted path gets a blank before it when it follows a word;
        `/pause` looks like one (OMP 18.2: `<draft> /pause`).
        """
        return " " if pasted[:1] in ("/", "~", ".") and self.draft[-1:].isalnum() else ""


def edited(draft: str) -> str:
    """The draft after `$EDITOR` has had it. Without one it stays as it is."""
    program = os.environ.get("EDITOR")
    if not program:
        return draft
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "draft.md"
        path.write_bytes(draft.encode())
        subprocess.run([program, str(path)], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return path.read_bytes().decode()
