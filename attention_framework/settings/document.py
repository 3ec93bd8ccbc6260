"""The settings file: which one, and what it says."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .locate import key_lines
from .mistakes import Mistake, SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "attention.toml"
FOLDER = "attention-framework"
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


@dataclass(frozen=True)
class Document:
    """A settings file that has been read."""

    path: Path
    text: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    found: bool = True

    @cached_property
    def lines(self) -> Mapping[tuple[str | int, ...], int]:
        return key_lines(self.text)

    def where(self, path: tuple[str | int, ...]) -> str:
        """`FILE:LINE` of a key, or of the nearest table that holds it."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.path}:{self.lines[path]}" if path else str(self.path)


def find(option: str | None, environment: Mapping[str, str]) -> tuple[Path, str]:
    """The settings file to use, and who named it (`--config`, `ATTENTION_CONFIG`, or nobody: a file that may be
    absent). What setup writes names the user's file by `--config`, whatever the environment there says, and has to
    go on working when the person takes the file away: a file of that name in a folder of that name may be absent.
    """
    for named, by in ((option, "--config"), (environment.get("ATTENTION_CONFIG"), "ATTENTION_CONFIG")):
        if named:
            path = Path(named).absolute()
            return path, "" if path.parts[-2:] == (FOLDER, NAME) else by
    from platformdirs import user_config_path

    return user_config_path(FOLDER, appauthor=False, roaming=False) / NAME, ""


def read(path: Path, named_by: str) -> Document:
    """Read and parse a file. Raises SettingsError with file, line and column."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        if not named_by:
            return Document(path, found=False)
        raise SettingsError(
            [Mistake(str(path), "", f"there is no such file, but {named_by} names it")]
        ) from None
    except OSError as error:
        raise SettingsError([Mistake(str(path), "", f"cannot be read: {error.strerror or error}")]) from error
    text = _decode(path, content)
    try:
        return Document(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError([_syntax(path, text, str(error))]) from error


def _decode(path: Path, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SettingsError([Mistake(f"{path}:1", "", "is UTF-16; save it as UTF-8")])
    try:
        # Editors on Windows may put a mark in front, which TOML does not know.
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError([Mistake(f"{path}:{line}", "", "is not UTF-8; save it as UTF-8")]) from error


def _syntax(path: Path, text: str, message: str) -> Mistake:
    place = _PLACE.search(message)
    line = (place and place[1]) or text.rstrip().count("\n") + 1
    column = f", column {place[2]}" if place and place[2] else ""
    what = _PLACE.sub("", message)
    return Mistake(f"{path}:{line}", "", f"is not TOML: {what[:1].lower()}{what[1:]} (line {line}{column})")
