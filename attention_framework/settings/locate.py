"""Where each key stands in a TOML text.

The standard library's parser gives no positions. This reads a text that
it has accepted, so it need not judge, only follow the structure: headers,
dotted keys, inline tables, arrays, and strings that may hold anything.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Path = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY_PART = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*""")
_STRING = re.compile(
    r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*\'''', re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\r\n]+")


def key_lines(text: str) -> Mapping[Path, int]:
    """Line of every key and array element, counted from 1, by its path."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line, self._counted = 1, 0
        self._lines: dict[Path, int] = {}
        self._arrays: dict[Path, int] = {}

    def read(self) -> Mapping[Path, int]:
        table: Path = ()
        self._skip()
        while self._at < len(self._text):
            table = self._header(table) if self._peek("[") else self._pair(table)
            self._skip()
        return self._lines

    def _header(self, table: Path) -> Path:
        of_array = self._peek("[[")
        self._at += 2 if of_array else 1
        start = self._at
        *parents, last = self._key()
        path = self._resolve(parents)
        if of_array:
            self._arrays[(*path, last)] = self._arrays.get((*path, last), -1) + 1
        self._note((*path, last), start)
        path = self._resolve([*parents, last])
        self._note(path, start, again=of_array)
        self._at += 2 if of_array else 1
        return path

    def _resolve(self, keys: list[str]) -> Path:
        """A header that goes through an array of tables means its last element."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            if path in self._arrays:
                path = (*path, self._arrays[path])
        return path

    def _pair(self, table: Path) -> Path:
        start = self._at
        path = table
        for part in self._key():
            path = (*path, part)
            self._note(path, start)
        self._at += 1  # the equals sign
        self._value(path)
        return table

    def _key(self) -> list[str]:
        parts = []
        while match := _KEY_PART.match(self._text, self._at):
            self._at = match.end()
            parts.append(_plain(match[1]))
            if not self._peek("."):
                break
            self._at += 1
        return parts

    def _value(self, path: Path) -> None:
        self._skip()
        if self._peek("["):
            self._array(path)
        elif self._peek("{"):
            self._inline_table(path)
        elif match := _STRING.match(self._text, self._at) or _SCALAR.match(self._text, self._at):
            self._at = match.end()
        self._skip_blanks()

    def _array(self, path: Path) -> None:
        self._at += 1
        index = 0
        while not self._closed("]"):
            self._note((*path, index), self._at)
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        while not self._closed("}"):
            self._pair(path)

    def _closed(self, mark: str) -> bool:
        self._skip()
        if self._peek(","):
            self._at += 1
            self._skip()
        if self._peek(mark) or self._at >= len(self._text):
            self._at += 1
            return True
        return False

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _skip_blanks(self) -> None:
        while self._text[self._at : self._at + 1] in (" ", "\t"):
            self._at += 1

    def _peek(self, mark: str) -> bool:
        return self._text.startswith(mark, self._at)

    def _note(self, path: Path, position: int, again: bool = False) -> None:
        self._line += self._text.count("\n", self._counted, position)
        self._counted = position
        if again:
            self._lines[path] = self._line
        else:
            self._lines.setdefault(path, self._line)


def _plain(key: str) -> str:
    return str(tomllib.loads(f"key = {key}")["key"]) if key[0] in "\"'" else key
