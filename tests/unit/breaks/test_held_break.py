"""The break that a command of a plugin holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from attention_framework import BreakHold

    from .conftest import Desk

own = pytest.mark.parametrize("desk", ["own"], indirect=True)


def held(desk: Desk, run: str = "r", lasts_ms: int = 35_000) -> BreakHold:
    hold = desk.app.hold_break(run, "a test", lasts_ms)
    desk.settle()
    assert hold is not None
    return hold


def test_every_agent_pauses_until_it_is_let_go(desk: Desk) -> None:
    hold = held(desk)
    assert hold.in_force
    assert desk.paused == {"a", "b", "c"}

    assert hold.let_go("own") == ["a"]
    desk.settle()

    assert not hold.in_force
    assert desk.holds == set()
    assert desk.paused == {"b", "c"}


@pytest.mark.parametrize(("resume", "expected"), [("none", []), ("last-active", ["a"]), (None, ["a"])])
@own
def test_what_is_resumed_says_the_caller_else_the_settings(
    desk: Desk, resume: str | None, expected: list[str]
) -> None:
    assert held(desk).let_go(resume) == expected


def test_no_other_break_is_touched(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "other")
    hold = held(desk)

    assert hold.let_go("own") == []
    assert hold.let_go("own") == []

    assert desk.holds == {"other"}
    assert desk.paused == {"a", "b", "c"}


def test_a_break_that_goes_on_already_is_not_held_twice(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "r")

    assert desk.app.hold_break("r", "a test", 1_000) is None
    assert desk.holds == {"r"}


def test_when_somebody_else_has_ended_it_nothing_more_is_given_back(desk: Desk) -> None:
    hold = held(desk)
    desk.run("break-end", "--run-id", "r")

    assert not hold.in_force
    assert hold.let_go("own") == []


def test_one_that_a_cycle_has_found_past_its_deadline_is_given_back_as_the_caller_says(desk: Desk) -> None:
    hold = held(desk, lasts_ms=1_000)
    desk.memory.clock.advance(1_000)
    assert not hold.in_force
    desk.run("reconcile")
    assert desk.holds == set()

    assert hold.let_go("own") == ["a"]


def test_a_hold_that_cannot_be_written_holds_nobody(desk: Desk) -> None:
    desk.memory.disk.faults.full_disk()

    with pytest.raises(OSError, match="No space left"):
        desk.app.hold_break("r", "a test", 1_000)

    assert desk.holds == set()


def test_a_disk_that_fills_in_the_break_keeps_nobody_held(desk: Desk) -> None:
    """Removing the hold needs no room; only the wake-up has to wait for the next event."""
    hold = held(desk)
    desk.memory.disk.faults.full_disk()

    hold.let_go("own")

    assert desk.holds == set()
    desk.memory.disk.faults.clear()
    desk.run("reconcile")
    assert desk.paused == {"a", "b", "c"}
