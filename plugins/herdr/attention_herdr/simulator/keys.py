"""Key names and the bytes that Herdr 0.8.2 writes for them to a terminal in legacy keyboard mode."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .errors import ApiError

_MODIFIERS = {
    "ctrl": "ctrl", "control": "ctrl", "c": "ctrl", "shift": "shift", "alt": "alt", "option": "alt", "meta": "alt",
    "cmd": "super", "command": "super", "super": "super", "hyper": "hyper",
}  # fmt: skip
_CHARACTERS = {
    "space": " ", "minus": "-", "comma": ",", "period": ".", "slash": "/", "backslash": "\\", "quote": "'",
    "double_quote": '"', "semicolon": ";", "colon": ":", "percent": "%", "ampersand": "&", "backtick": "`", "plus": "+",
}  # fmt: skip
_NAMED = {
    "enter": "enter", "return": "enter", "esc": "esc", "escape": "esc", "tab": "tab", "backspace": "backspace",
    "bs": "backspace", "left": "left", "right": "right", "up": "up", "down": "down",
}  # fmt: skip
_PLAIN = {"enter": b"\r", "esc": b"\x1b", "tab": b"\t", "backspace": b"\x7f"}
_ARROWS = {"up": "A", "down": "B", "right": "C", "left": "D"}
_FUNCTION = {
    1: "P", 2: "Q", 3: "R", 4: "S", 5: "15", 6: "17", 7: "18", 8: "19", 9: "20", 10: "21", 11: "23", 12: "24",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Key:
    """A key (a single character, a name, or `f<N>`) with its modifiers."""

    name: str
    modifiers: frozenset[str] = frozenset()


def parse(text: str) -> Key:
    """Raises ApiError `invalid_key`, as recorded."""
    *names, last = text.split("+") if len(text) > 1 else [text]
    if len(text) == 3 and text[1] == "-" and text[0] in "Cc":
        names, last = ["ctrl"], text[2]
    modifiers = {_MODIFIERS.get(name.lower(), "") for name in names}
    name = _key_name(last)
    if "" in modifiers or not name:
        raise ApiError("invalid_key", f"unsupported key {text}")
    if len(name) == 1 and name.isupper():
        modifiers.add("shift")
    return Key(name, frozenset(modifiers))


def _key_name(text: str) -> str:
    if len(text) == 1:
        return text
    lowered = text.lower()
    if found := re.fullmatch(r"f(\d{1,3})", lowered):
        return lowered if int(found[1]) <= 255 else ""
    return _CHARACTERS.get(lowered) or _NAMED.get(lowered, "")


def encode(key: Key) -> bytes:
    """The bytes of a key press. F13 and above are valid names that encode to nothing."""
    if found := re.fullmatch(r"f(\d+)", key.name):
        return _function(int(found[1]), key.modifiers)
    if key.name in _ARROWS:
        modifier = _modifier_number(key.modifiers)
        return (
            f"\x1b[{_ARROWS[key.name]}".encode()
            if modifier == 1
            else f"\x1b[1;{modifier}{_ARROWS[key.name]}".encode()
        )
    if key.name == "tab" and "shift" in key.modifiers:
        return b"\x1b[Z"
    body = _PLAIN.get(key.name) or _character(key)
    return b"\x1b" + body if "alt" in key.modifiers else body


def encode_all(names: list[str]) -> list[bytes]:
    """All names are read before any is encoded, so that a wrong one sends nothing."""
    return [encode(key) for key in [parse(name) for name in names]]


def _character(key: Key) -> bytes:
    if "ctrl" in key.modifiers and (key.name.isalpha() or key.name in " [\\]"):
        return bytes([ord(key.name.upper()) & 0x1F])
    return (key.name.upper() if "shift" in key.modifiers else key.name).encode()


def _function(number: int, modifiers: frozenset[str]) -> bytes:
    code, modifier = _FUNCTION.get(number), _modifier_number(modifiers)
    if code is None:
        return b""
    if code.isdigit():
        return f"\x1b[{code}~".encode() if modifier == 1 else f"\x1b[{code};{modifier}~".encode()
    return f"\x1bO{code}".encode() if modifier == 1 else f"\x1b[1;{modifier}{code}".encode()


def _modifier_number(modifiers: frozenset[str]) -> int:
    bits = {"shift": 1, "alt": 2, "ctrl": 4, "super": 8, "hyper": 16}
    return 1 + sum(bits[name] for name in modifiers)
