"""Host-neutral key names in tmux's words."""

from __future__ import annotations

from typing import Final

_NAMED: Final = {
    "enter": "Enter",
    "escape": "Escape",
    "tab": "Tab",
    "space": "Space",
    "backspace": "BSpace",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "pageup": "PPage",
    "pagedown": "NPage",
    "insert": "IC",
    "delete": "DC",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}
_MODIFIERS: Final = {"ctrl": "C-", "alt": "M-", "shift": "S-"}


def tmux_key(name: str) -> str:
    """`ctrl+alt+p` becomes `C-M-p`.

    Raises ValueError: tmux would type a name that it does not know as text.
    """
    if len(name) == 1 and name.isprintable():
        return "Space" if name == " " else name
    *modifiers, key = name.lower().split("+")
    if not set(modifiers) <= _MODIFIERS.keys() or len(set(modifiers)) < len(modifiers):
        raise ValueError(f"no key is called {name!r}")
    if len(key) == 1 and key.isprintable():
        return _with_letter(key, modifiers)
    if key not in _NAMED:
        raise ValueError(f"no key is called {name!r}")
    if key == "tab" and modifiers == ["shift"]:
        return "BTab"
    return _prefix(modifiers) + _NAMED[key]


def _with_letter(key: str, modifiers: list[str]) -> str:
    """A terminal sends no shift of its own with a letter, but the upper-case letter."""
    if "shift" in modifiers:
        modifiers, key = [other for other in modifiers if other != "shift"], key.upper()
    return _prefix(modifiers) + key


def _prefix(modifiers: list[str]) -> str:
    return "".join(short for name, short in _MODIFIERS.items() if name in modifiers)
