from __future__ import annotations

import pytest
from attention_tmux.reading import PaneRow, parse, parse_focus

PANE = "P 77 %0 1234 0 /dev/pts/3 main\x1fπ - a | b\x1f/home/me/my work"
PERSON = "C 0 attached,focused,UTF-8 %0"


def test_a_pane_is_read_whatever_its_texts_hold() -> None:
    reading = parse(f"{PANE}\n{PERSON}\n")
    assert reading.server == "77"
    assert reading.panes == (
        PaneRow("%0", 1234, False, "/dev/pts/3", "main", "π - a | b", "/home/me/my work"),
    )
    assert reading.focused == frozenset({"%0"})


@pytest.mark.parametrize("path", ["a\u2028b", "a\x85b", "a\x0bb\x0cc", "a\x1cb", "a\rb", "a\r"])
def test_a_path_may_hold_what_ends_a_line_elsewhere(path: str) -> None:
    reading = parse(f"{PANE}{path}\n{PERSON}\n")
    assert reading.panes[0].cwd == f"/home/me/my work{path}"
    assert reading.focused == frozenset({"%0"})


def test_a_separator_that_tmux_printed_as_an_escape_is_understood() -> None:
    assert parse(PANE.replace("\x1f", "\\037")).panes == parse(PANE).panes


def test_a_window_in_two_sessions_is_one_set_of_panes() -> None:
    assert len(parse(f"{PANE}\n{PANE}\n").panes) == 1


@pytest.mark.parametrize(
    "clients",
    [
        "",
        "C 1 attached,focused,control-mode,ignore-size,no-output,read-only,UTF-8 %0\n",
        "C 0 attached,suspended,UTF-8 %0\n",
    ],
)
def test_the_focus_is_unknown_where_no_person_looks(clients: str) -> None:
    assert parse(f"{PANE}\n{clients}").focused is None


def test_two_people_focus_two_panes() -> None:
    assert parse(f"{PANE}\n{PERSON}\nC 0 attached,UTF-8 %4\n").focused == frozenset({"%0", "%4"})


@pytest.mark.parametrize(
    "answer",
    ["nonsense", "P 77 %0", "P 77 %0 pid 0 /dev/pts/3 a\x1fb\x1fc", "P 77 %0 1 0 tty no-texts", "C 0"],
)
def test_an_answer_that_is_none_is_refused(answer: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse(answer)


def test_the_focus_alone_is_that_of_the_whole_answer() -> None:
    clients = ["C 0 attached,focused,UTF-8 %2", "C 1 attached,control-mode %1", "C 0 attached,suspended %3"]
    whole = parse("\n".join(["P 77 %2 5 0 /dev/pts/1 a\x1fb\x1fc", *clients]) + "\n")
    server, focused = parse_focus("\n".join(["77", *clients]) + "\n")
    assert (server, focused) == (whole.server, whole.focused) == ("77", frozenset({"%2"}))
    assert parse_focus("77\n") == ("77", None)
    with pytest.raises(ValueError, match="unknown line"):
        parse_focus("77\nno client\n")
