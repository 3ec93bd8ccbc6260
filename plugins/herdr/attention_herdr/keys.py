"""Host-neutral key names in Herdr's words, which are nearly
the same (facts read in 0.8.2: `config/keybinds.rs`).
"""

from __future__ import annotations

from typing import Final

_MODIFIERS: Final = ("ctrl", "alt", "shift")
_NAMED: Final = frozenset({"enter", "escape", "tab", "space", "backspace", "up", "down", "left", "right"})
_SHORT: Final = {"esc": "escape", "return": "enter"}
_SPELLED: Final = {
    " ": "space", "-": "minus", ",": "comma", ".": "period", "/": "slash", "\\": "backslash", "'": "quote",
    '"': "double_quote", ";": "semicolon", ":": "colon", "%": "percent", "&": "ampersand", "`": "backtick",
    "+": "plus",
}  # fmt: skip
_FUNCTION: Final = frozenset(f"f{number}" for number in range(1, 13))
"""Herdr takes `f13` to `f255` as well, says ok and presses nothing."""


def herdr_key(name: str) -> str:
    """`ctrl+alt+p` stays as it is, `alt+.` becomes `alt+period`.
    Raises ValueError for a key that Herdr cannot press.
    """
    if len(name) == 1 and name.isprintable():
        return _SPELLED.get(name, name)
    *modifiers, key = _split(name.lower())
    if not set(modifiers) <= set(_MODIFIERS) or len(set(modifiers)) < len(modifiers):
        raise ValueError(f"no key is called {name!r}")
    key = _SPELLED.get(_SHORT.get(key, key), _SHORT.get(key, key))
    if not (
        key in _NAMED or key in _FUNCTION or key in _SPELLED.values() or (len(key) == 1 and key.isprintable())
    ):
        raise ValueError(f"Herdr can press no key called {name!r}")
    return "+".join([*(modifier for modifier in _MODIFIERS if modifier in modifiers), key])


def _split(name: str) -> list[str]:
    """At each plus, but for one that is the key itself (`ctrl++`)."""
    if name.endswith("++"):
        return [*name[:-2].split("+"), "+"]
    return name.split("+")
