from __future__ import annotations

import pytest
from attention_herdr.keys import herdr_key
from attention_herdr.simulator.keys import encode, parse


@pytest.mark.parametrize(
    ("name", "herdr"),
    [
        ("f12", "f12"),
        ("ctrl+alt+p", "ctrl+alt+p"),
        ("Alt+Ctrl+P", "ctrl+alt+p"),
        ("enter", "enter"),
        ("esc", "escape"),
        ("shift+tab", "shift+tab"),
        ("p", "p"),
        ("P", "P"),
        (" ", "space"),
        ("+", "plus"),
        ("ctrl++", "ctrl+plus"),
        ("alt+.", "alt+period"),
    ],
)
def test_names_become_herdrs(name: str, herdr: str) -> None:
    assert herdr_key(name) == herdr


@pytest.mark.parametrize("name", ["f12", "ctrl+alt+p", "enter", "escape", "space", "alt+.", "ctrl++", "left"])
def test_herdr_presses_every_name_that_is_let_through(name: str) -> None:
    assert encode(parse(herdr_key(name)))


@pytest.mark.parametrize(
    "name",
    [
        "",
        "f13",
        "f0",
        "f99x",
        "hyper+a",
        "ctrl+",
        "ctrl+ctrl+a",
        "home",
        "pageup",
        "delete",
        "ctrl-p",
        "\x07",
    ],
)
def test_what_herdr_cannot_press_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="called"):
        herdr_key(name)
