"""Ids, keys and screens: the parts that are functions of values."""

from __future__ import annotations

import pytest
from attention_herdr.simulator import ApiError, ids, layout
from attention_herdr.simulator.keys import encode, encode_all, parse
from attention_herdr.simulator.screen import Screen

CLEAR = b"\x1b[2J\x1b[H"


@pytest.mark.parametrize(
    ("number", "numeral"),
    [(1, "1"), (9, "9"), (10, "A"), (31, "Z"), (32, "0"), (33, "11"), (64, "10"), (1056, "00")],
)
def test_numbers_are_bijective_base_32(number: int, numeral: str) -> None:
    assert ids.numeral(number) == numeral
    assert ids.value(numeral) == number


def test_every_number_has_its_own_numeral() -> None:
    assert len({ids.numeral(number) for number in range(1, 5000)}) == 4999
    with pytest.raises(ValueError, match="no numeral"):
        ids.numeral(0)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("f12", b"\x1b[24~"),
        ("F12", b"\x1b[24~"),
        ("f1", b"\x1bOP"),
        ("f13", b""),
        ("f255", b""),
        ("ctrl+alt+p", b"\x1b\x10"),
        ("alt+control+p", b"\x1b\x10"),
        ("C-c", b"\x03"),
        ("enter", b"\r"),
        ("return", b"\r"),
        ("esc", b"\x1b"),
        ("tab", b"\t"),
        ("shift+tab", b"\x1b[Z"),
        ("backspace", b"\x7f"),
        ("space", b" "),
        ("up", b"\x1b[A"),
        ("ctrl+left", b"\x1b[1;5D"),
        ("a", b"a"),
        ("A", b"A"),
        ("shift+a", b"A"),
        ("+", b"+"),
        ("plus", b"+"),
        ("ä", "ä".encode()),
        ("alt+x", b"\x1bx"),
    ],
)
def test_keys_become_the_bytes_of_a_legacy_terminal(name: str, data: bytes) -> None:
    assert encode(parse(name)) == data


@pytest.mark.parametrize(
    "name", ["f99x", "f256", "home", "pageup", "insert", "hyperspace+a", "ctrl+", "", "ab"]
)
def test_other_names_are_no_keys(name: str) -> None:
    with pytest.raises(ApiError) as caught:
        parse(name)
    assert (caught.value.code, caught.value.message) == ("invalid_key", f"unsupported key {name}")


def test_a_wrong_name_among_good_ones_encodes_nothing() -> None:
    with pytest.raises(ApiError):
        encode_all(["f12", "no"])


def test_a_screen_shows_what_came_after_the_last_clear() -> None:
    screen = Screen()
    screen.feed(b"old\n" + CLEAR + b"\n  new  \r\nmore\n\n\n")
    assert screen.text() == "\n  new\nmore\n"


def test_an_empty_screen_is_an_empty_string() -> None:
    screen = Screen()
    screen.feed(b"text" + CLEAR + b"\n \n")
    assert screen.text() == ""


def test_a_screen_shows_its_bottom_rows_and_of_them_the_last_that_are_asked_for() -> None:
    screen = Screen(rows=3)
    screen.feed(b"1\n2\n3\n4")
    assert screen.text() == "2\n3\n4\n"
    assert screen.text(lines=1) == "4\n"


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_screen_reads_what_comes_in_any_pieces(cut: int) -> None:
    data = CLEAR + b"\x1b[?1004h\x1b[?2004h\x1b]0;\xcf\x80 > x\x07\x1b[31mred\x1b[0m \xe2\x96\x88"
    screen = Screen()
    screen.feed(data[:cut])
    screen.feed(data[cut:])
    assert (screen.text(), screen.title, screen.focus_reports, screen.bracketed_paste) == (
        "red █\n",
        "π > x",
        True,
        True,
    )
    screen.feed(b"\x1b[?1004l\x1b[?2004l")
    assert (screen.focus_reports, screen.bracketed_paste) == (False, False)


def test_two_panes_share_the_recorded_area() -> None:
    left, right = object(), object()
    tree = layout.split(layout.Leaf(left), left, right, "right", 0.5)  # type: ignore[arg-type]
    assert [rect.shape() for rect in layout.rects(tree).values()] == [
        {"x": 26, "y": 1, "width": 67, "height": 43},
        {"x": 93, "y": 1, "width": 67, "height": 43},
    ]
    assert [split["id"] for split in layout.splits(tree)] == ["split_0_root"]
