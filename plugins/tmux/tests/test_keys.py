from __future__ import annotations

import pytest
from attention_tmux.keys import tmux_key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("f1", "F1"),
        ("f12", "F12"),
        ("F12", "F12"),
        ("ctrl+alt+p", "C-M-p"),
        ("alt+ctrl+p", "C-M-p"),
        ("ctrl+c", "C-c"),
        ("shift+f5", "S-F5"),
        ("shift+a", "A"),
        ("shift+tab", "BTab"),
        ("enter", "Enter"),
        ("escape", "Escape"),
        ("backspace", "BSpace"),
        ("space", "Space"),
        (" ", "Space"),
        ("pageup", "PPage"),
        ("a", "a"),
        ("A", "A"),
        (";", ";"),
        ("+", "+"),
        ("é", "é"),
    ],
)
def test_a_key_has_a_name_in_tmux(name: str, key: str) -> None:
    assert tmux_key(name) == key


@pytest.mark.parametrize(
    "name", ["", "f13", "f0", "hyper+a", "ctrl+", "ctrl+ctrl+a", "nosuchkey", "\n", "ctrl+\x01"]
)
def test_a_name_that_no_key_has_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no key is called"):
        tmux_key(name)
