from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.breaks import end, give_back
from attention_framework.state.break_markers import markers

if TYPE_CHECKING:
    from .conftest import Desk

own = pytest.mark.parametrize("desk", ["own"], indirect=True)
last_active = pytest.mark.parametrize("desk", ["last-active"], indirect=True)


def test_in_a_break_every_agent_pauses_the_focused_one_too(desk: Desk) -> None:
    assert desk.run("break-start", "--run-id", "mini-1") == 0
    assert desk.paused == {"a", "b", "c"}


def test_a_focus_change_in_a_break_exempts_nobody(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "mini-1")
    desk.focus("b")
    assert desk.paused == {"a", "b", "c"}


def test_the_end_of_a_break_resumes_nobody_by_default(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "mini-1")
    assert desk.run("break-end", "--run-id", "mini-1") == 0
    assert desk.holds == set()
    assert desk.paused == {"a", "b", "c"}


def test_an_overlapping_break_ends_for_itself_alone(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "long at :50")
    desk.run("break-start", "--run-id", "mini at :00")
    desk.run("break-end", "--run-id", "long at :50", "--resume-last-active")
    assert desk.holds == {"mini at :00"}
    assert desk.paused == {"a", "b", "c"}


def test_the_option_resumes_what_was_focused_when_the_first_break_began(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1")
    desk.run("break-start", "--run-id", "2")
    desk.run("break-end", "--run-id", "1", "--resume-last-active")
    desk.run("break-end", "--run-id", "2", "--resume-last-active")
    assert desk.paused == {"b", "c"}


@last_active
def test_the_last_active_agent_stays_paused_when_the_person_has_left_it(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1")
    desk.focus("b")
    desk.run("break-end", "--run-id", "1")
    assert desk.paused == {"a", "b", "c"}


@own
def test_own_gives_back_only_what_the_policies_let_run(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1")
    desk.run("break-end", "--run-id", "1")
    assert desk.paused == {"b", "c"}


@own
def test_own_gives_back_what_an_earlier_overlapping_break_had_paused(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1")
    desk.run("break-start", "--run-id", "2")
    desk.run("break-end", "--run-id", "1")
    assert desk.paused == {"a", "b", "c"}
    desk.run("break-end", "--run-id", "2")
    assert "a" not in desk.paused


@own
def test_own_leaves_alone_what_had_lost_the_focus_before_the_break(desk: Desk) -> None:
    desk.run("reconcile")
    assert desk.paused == {"b", "c"}
    desk.run("break-start", "--run-id", "1")
    desk.focus("b")
    desk.run("break-end", "--run-id", "1")
    assert "b" in desk.paused


@own
def test_own_leaves_a_pause_of_the_person_alone(desk: Desk) -> None:
    desk.agents["a"].pause_by_hand()
    desk.run("break-start", "--run-id", "1")
    desk.run("break-end", "--run-id", "1")
    assert "a" in desk.paused


@own
def test_a_manual_pause_in_force_keeps_the_breaks_from_giving_back(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1")
    desk.run("pause", "--all")
    desk.run("break-end", "--run-id", "1")
    assert desk.paused == {"a", "b", "c"}


def test_who_resumes_by_hand_has_waived_the_break_for_that_agent(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1")
    desk.agents["a"].resume_by_hand()
    desk.run("reconcile")
    assert desk.paused == {"b", "c"}


def test_a_break_past_its_deadline_is_over_whoever_died(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1", "--for", "35s")
    desk.memory.clock.advance(36_000)
    desk.run("reconcile")
    assert desk.holds == set()


@own
def test_a_break_that_expires_gives_back_as_one_that_is_ended(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1", "--for", "35s")
    desk.memory.clock.advance(36_000)
    desk.run("reconcile")
    assert "a" not in desk.paused


def test_who_dies_between_the_end_and_what_it_gives_back_leaves_that_to_the_next_cycle(desk: Desk) -> None:
    """Also what it was told to resume, and for which of several breaks."""
    desk.run("break-start", "--run-id", "1")
    desk.run("break-start", "--run-id", "2")
    assert end(desk.app, "1", "none") is not None
    desk.memory.clock.advance(1_000)
    desk.run("reconcile")
    assert desk.paused == {"a", "b", "c"}
    assert end(desk.app, "2", "last-active") is not None
    desk.run("reconcile")
    assert desk.paused == {"b", "c"}
    assert list(markers(desk.app)) == []


@own
def test_a_cycle_that_dies_before_it_gives_back_leaves_that_to_the_next_one(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1", "--for", "35s")
    desk.memory.clock.advance(36_000)
    [expired] = desk.app.holds.remove_expired(desk.memory.clock.wall_ms())
    assert expired.run == "1"
    desk.run("reconcile")
    assert "a" not in desk.paused


@own
def test_a_cycle_leaves_it_to_a_process_that_lives(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1")
    desk.memory.processes.alive_now[desk.memory.processes.own().pid] = desk.memory.processes.own()
    ended = end(desk.app, "1", "none")
    assert ended is not None
    desk.run("reconcile")
    assert [marker.run for marker in markers(desk.app)] == ["1"]
    give_back(desk.app, ended, "none")
    assert list(markers(desk.app)) == []
    assert desk.paused == {"a", "b", "c"}


def test_a_busy_agent_is_not_paused_by_a_break_that_has_ended(desk: Desk) -> None:
    desk.agents["a"].can_paint = False
    desk.run("break-start", "--run-id", "1")
    desk.run("break-end", "--run-id", "1")
    desk.agents["a"].can_paint = True
    desk.settle()
    assert "a" not in desk.paused


def test_saying_it_twice_does_no_harm(desk: Desk) -> None:
    desk.run("break-start", "--run-id", "1", "--for", "35s")
    [before] = desk.app.holds.all()
    desk.memory.clock.advance(1_000)
    assert desk.run("break-start", "--run-id", "1", "--for", "2h") == 0
    assert desk.app.holds.all() == [before]
    assert [desk.run("break-end", "--run-id", "1") for _ in range(2)] == [0, 0]


def test_the_end_before_the_start_and_of_a_run_that_never_began_is_harmless(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.run("break-start", "--run-id", "other")
    assert desk.run("break-end", "--run-id", "1") == 0
    assert "no break '1' is going on" in capsys.readouterr().out
    assert desk.holds == {"other"}


@pytest.mark.parametrize("run_id", ["../../x", "a:b", "CON", "ü ☕\n", "x" * 500, "-", "focus "])
def test_an_id_with_any_characters_is_safe(desk: Desk, run_id: str) -> None:
    assert desk.run("break-start", f"--run-id={run_id}") == 0
    assert desk.holds == {run_id}
    assert desk.run("break-end", f"--run-id={run_id}") == 0
    assert desk.holds == set()


@pytest.mark.parametrize("run_id", ["focus", ""])
def test_an_id_that_means_something_else_is_refused(
    desk: Desk, run_id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert desk.run("break-start", f"--run-id={run_id}") == 1
    assert "choose another" in capsys.readouterr().err
    assert desk.holds == set()


def test_a_break_cannot_take_the_id_of_a_manual_pause(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.run("pause", "--all")
    [hold] = desk.app.holds.all()
    assert desk.run("break-start", "--run-id", hold.run) == 1
    assert "the id of a manual pause" in capsys.readouterr().err


def test_a_manual_pause_is_not_ended_as_a_break(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.run("pause", "--all")
    [hold] = desk.app.holds.all()
    desk.run("break-end", "--run-id", hold.run)
    assert desk.holds == {hold.run}


@pytest.mark.parametrize(("words", "source"), [((), ""), (("--kind", "mini"), " (mini)")])
def test_the_log_says_who_asked_for_a_break(desk: Desk, words: tuple[str, ...], source: str) -> None:
    desk.run("break-start", "--run-id", "b1", *words)
    assert [hold.source for hold in desk.app.holds.all()] == [f"attention break-start{source}"]


def test_the_start_of_a_break_asks_no_agent_what_it_does(desk: Desk) -> None:
    asked = []
    desk.app.strategies.agents["omp"].detectors[0].observe = lambda pane: asked.append(pane.id)  # type: ignore[method-assign]
    asked_by_the_cycle = len(desk.agents)

    desk.run("break-start", "--run-id", "r")

    assert desk.app.holds.all()[0].last_active == (desk.app.state.session(desk.host.session).key, "a")
    assert len(asked) == asked_by_the_cycle


def test_a_break_that_could_not_be_begun_in_full_holds_nobody(desk: Desk) -> None:
    desk.memory.disk.faults.fail("write", path="*/breaks/*")

    assert desk.run("break-start", "--run-id", "r") == 1

    assert desk.holds == set()
