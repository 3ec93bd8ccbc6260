"""`setup.json`: with which command `attention setup` has last connected programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import __version__
from .state.documents import load_own, save

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from .app import App
    from .effects import Files


@dataclass(frozen=True, slots=True)
class SetUp:
    """What stands in everything that setup has written."""

    command: tuple[str, ...]
    version: str


class SetupRecord:
    """The file in the state folder."""

    def __init__(self, path: Path, files: Files, report: Callable[[str], None]) -> None:
        self._path = path
        self._files = files
        self._report = report

    @classmethod
    def of(cls, app: App) -> SetupRecord:
        return cls(app.state.setup, app.effects.files, app.warn)

    def read(self) -> SetUp | None:
        return load_own(self._files, self._path, _parse, self._report)

    def write(self, command: Sequence[str]) -> None:
        if self.read() != SetUp(tuple(command), __version__):
            save(self._files, self._path, {"command": list(command), "version": __version__})

    def remove(self) -> None:
        self._files.remove(self._path)


def _parse(document: dict[str, Any]) -> SetUp:
    command = document["command"]
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise ValueError("the command is no list of words")
    return SetUp(tuple(command), str(document["version"]))
