"""From the bytes of a terminal to keys, text, pastes and focus reports."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

_NAMES = {
    "\r": "enter", "\n": "newline", "\x1b\r": "newline", "\x1b": "esc", "\x7f": "backspace", "\x08": "backspace",
    "\x1b[24~": "f12", "\x1b\x10": "ctrl+alt+p", "\x15": "ctrl+u", "\x03": "ctrl+c", "\x07": "ctrl+g",
}  # fmt: skip
_PASTE = re.compile(r"\x1b\[200~(.*?)\x1b\[201~", re.DOTALL)
_SEQUENCE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1bO.|\x1b[^\[O\x1b]", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:\[200~.*|\[[0-?]*[ -/]*|O)?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Input:
    """`key` with its name (empty for one that means nothing here),
    `text`, `paste`, or `focus` with `in` and `out`.
    """

    kind: Literal["key", "text", "paste", "focus"]
    value: str


class Decoder:
    """Keeps what is not complete. A lone escape is complete only
    when nothing follows it: `flush` after a short quiet time.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")

    @property
    def waiting(self) -> bool:
        return bool(self._rest)

    def feed(self, data: bytes) -> list[Input]:
        text = self._rest + self._utf8.decode(data)
        found: list[Input] = []
        position = 0
        while position < len(text):
            if (paste := _PASTE.match(text, position)) is not None:
                found.append(Input("paste", paste[1].replace("\r\n", "\n").replace("\r", "\n")))
                position = paste.end()
            elif _BEGUN.match(text, position):
                break
            elif (sequence := _SEQUENCE.match(text, position)) is not None:
                found.append(_sequence(sequence[0]))
                position = sequence.end()
            else:
                found.append(_character(text[position]))
                position += 1
        self._rest = text[position:]
        return _joined(found)

    def flush(self) -> list[Input]:
        rest, self._rest = self._rest, ""
        return [Input("key", "esc")] if rest == "\x1b" else []


def _sequence(text: str) -> Input:
    if text in ("\x1b[I", "\x1b[O"):
        return Input("focus", "in" if text == "\x1b[I" else "out")
    return Input("key", _NAMES.get(text, ""))


def _character(character: str) -> Input:
    if character in _NAMES:
        return Input("key", _NAMES[character])
    return (
        Input("text", character)
        if character.isprintable() or ord(character) >= ord(" ")
        else Input("key", "")
    )


def _joined(inputs: list[Input]) -> list[Input]:
    joined: list[Input] = []
    for one in inputs:
        if joined and one.kind == joined[-1].kind == "text":
            joined[-1] = Input("text", joined[-1].value + one.value)
        else:
            joined.append(one)
    return joined
