"""One focus, one place that notices its changes, and who is told of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from attention_herdr.simulator import SimulatedHerdr

if TYPE_CHECKING:
    from collections.abc import Callable

FOCUS = ["workspace.focused", "tab.focused", "pane.focused"]


def new_events(herdr: SimulatedHerdr, after: int) -> list[str]:
    return [event.name for event in herdr.events()[after:]]


def focused_panes(herdr: SimulatedHerdr) -> list[str]:
    return [event.data["pane_id"] for event in herdr.events() if event.name == "pane.focused"]


def test_every_change_tells_workspace_tab_and_pane_in_this_order(herdr: SimulatedHerdr) -> None:
    second = herdr.split("w1:p1")
    before = len(herdr.events())
    herdr.focus(second)
    assert new_events(herdr, before) == FOCUS


def test_focusing_the_focused_pane_tells_nothing(herdr: SimulatedHerdr) -> None:
    before = len(herdr.events())
    herdr.focus("w1:p1")
    assert new_events(herdr, before) == []


def test_two_changes_in_one_pass_are_told_as_the_last(herdr: SimulatedHerdr) -> None:
    second, third = herdr.split("w1:p1"), herdr.split("w1:p1")
    herdr.focus_in_one_pass(second, third)
    assert focused_panes(herdr) == ["w1:p1", third]


def test_there_and_back_in_one_pass_is_no_change(herdr: SimulatedHerdr) -> None:
    second = herdr.split("w1:p1")
    herdr.focus_in_one_pass(second, "w1:p1")
    assert focused_panes(herdr) == ["w1:p1"]


def test_nothing_is_told_when_nothing_has_the_focus_any_more(
    herdr: SimulatedHerdr, ask: Callable[..., Any]
) -> None:
    before = len(herdr.events())
    herdr.close_pane("w1:p1")
    assert new_events(herdr, before) == ["pane.closed"]
    snapshot = ask("session.snapshot")["snapshot"]
    assert list(snapshot) == ["version", "protocol", "workspaces", "tabs", "panes", "layouts", "agents"]


def test_a_workspace_that_moves_up_tells_the_same_pane_again(herdr: SimulatedHerdr) -> None:
    other = herdr.add_workspace(focus=True)
    herdr.close_pane("w1:p1")
    assert focused_panes(herdr) == ["w1:p1", other, other]


def test_at_most_one_pane_is_focused_and_tabs_keep_their_own(
    herdr: SimulatedHerdr, ask: Callable[..., Any]
) -> None:
    herdr.split("w1:p1")
    herdr.add_workspace()
    herdr.add_tab(focus=True)
    snapshot = ask("session.snapshot")["snapshot"]
    focused = [pane["pane_id"] for pane in snapshot["panes"] if pane["focused"]]
    assert focused == [snapshot["focused_pane_id"]]
    assert all(sum(pane["focused"] for pane in layout["panes"]) == 1 for layout in snapshot["layouts"])


def test_the_first_pane_of_a_fresh_server_is_told_and_a_restart_tells_nothing() -> None:
    with SimulatedHerdr() as herdr:
        assert focused_panes(herdr) == ["w1:p1"]
        herdr.restart()
        assert herdr.events() == []
        assert herdr.focused == "w1:p1"


def test_programs_that_asked_get_focus_reports_in_band(
    herdr: SimulatedHerdr, echo: Callable[..., str], got: Callable[[str], bytes], until: Callable[..., Any]
) -> None:
    first, second = echo("w1:p1"), echo(herdr.split("w1:p1"))
    assert (got(first), got(second)) == (b"", b"")
    herdr.focus(second)
    until(lambda: (got(first), got(second)) == (b"\x1b[O", b"\x1b[I"))


def test_the_outer_window_is_known_by_reports_alone(
    herdr: SimulatedHerdr, echo: Callable[..., str], got: Callable[[str], bytes], until: Callable[..., Any]
) -> None:
    pane = echo()
    before = len(herdr.events())
    herdr.outer_focus(False)
    herdr.outer_focus(True)
    until(lambda: got(pane) == b"\x1b[O\x1b[I")
    assert [name for name in new_events(herdr, before) if name in FOCUS] == []
    assert herdr.pane(pane)["focused"]


def test_a_storm_is_the_same_for_the_same_seed(herdr: SimulatedHerdr) -> None:
    for _ in range(3):
        herdr.split("w1:p1")
    visited = herdr.storm(30, seed=3)
    assert len(visited) == 30
    assert all(one != other for one, other in pairwise(visited))
    assert focused_panes(herdr)[1:] == visited
    herdr.focus("w1:p1")
    assert herdr.storm(30, seed=3) == visited


def test_closing_the_focused_pane_gives_the_focus_to_a_neighbour(herdr: SimulatedHerdr) -> None:
    second = herdr.split("w1:p1", focus=True)
    herdr.close_pane(second)
    assert herdr.focused == "w1:p1"
    assert focused_panes(herdr) == ["w1:p1", second, "w1:p1"]


def test_focus_by_direction(herdr: SimulatedHerdr, ask: Callable[..., Any]) -> None:
    right = herdr.split("w1:p1", "right")
    below = herdr.split(right, "down")
    moved = ask("pane.focus_direction", direction="right")["focus"]
    assert (moved["changed"], moved["source_pane_id"], moved["focused_pane_id"]) == (True, "w1:p1", right)
    assert ask("pane.focus_direction", direction="down")["focus"]["focused_pane_id"] == below
    stuck = ask("pane.focus_direction", direction="down")["focus"]
    assert list(stuck) == ["changed", "reason", "source_pane_id", "focused_pane_id", "layout"]
    assert (stuck["changed"], stuck["reason"]) == (False, "no_neighbor")
