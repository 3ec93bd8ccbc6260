from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from attention_policies.focused import Focused, FocusedSettings
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from attention_framework import FOCUS_RUN, Action
from attention_framework.testing import FakeContext, focus_history, hello, pane, snapshot, view

if TYPE_CHECKING:
    from attention_framework import Pane, Snapshot, View

PANES = {f"w1:p{number}": pane(f"w1:p{number}") for number in range(1, 5)}


def policy(**settings: Any) -> Focused:
    return Focused(FocusedSettings(**settings), FakeContext())


def looking_at(*focused: str, panes: tuple[Pane, ...] = tuple(PANES.values())) -> Snapshot:
    return snapshot(*panes, focused=focused)


def after(*focused: str, panes: tuple[Pane, ...] = tuple(PANES.values())) -> View:
    """The view after these switches."""
    return view(
        looking_at(focused[-1], panes=panes), memory=focus_history(*(looking_at(name) for name in focused))
    )


def running(judge: Focused, seen: View) -> set[str]:
    verdicts = {pane.id: judge.judge(pane, seen) for pane in seen.snapshot.panes}
    return {id for id, verdict in verdicts.items() if verdict and verdict.action is Action.RUN}


def test_the_focused_pane_runs_and_the_others_pause() -> None:
    assert running(policy(), view(looking_at("w1:p2"))) == {"w1:p2"}


def test_two_clients_that_look_at_two_panes_keep_both_running() -> None:
    assert running(policy(), view(looking_at("w1:p1", "w1:p3"))) == {"w1:p1", "w1:p3"}


def test_nobody_who_looks_is_an_answer_and_an_unknown_focus_is_none() -> None:
    assert running(policy(), view(looking_at())) == set()
    unknown = view(snapshot(*PANES.values(), focused=None))
    assert [policy().judge(pane, unknown) for pane in PANES.values()] == [None] * 4


def test_the_pause_names_who_has_the_focus_and_the_count_that_voids_it() -> None:
    left, labelled = pane("w1:p1", hello=hello(attended=7)), pane("w1:p2", label="notes")
    verdict = policy().judge(left, view(snapshot(left, labelled, focused=["w1:p2"])))
    assert verdict
    [run] = verdict.runs
    assert (run.id, run.reason, run.attended, run.deadline_ms) == (FOCUS_RUN, "notes has the focus", 7, None)


@pytest.mark.parametrize(
    ("focused", "reason"),
    [
        ((), "no pane has the focus"),
        (("w1:p2",), "w1:p2 has the focus"),
        (("w1:p3", "w1:p2"), "w1:p2 and w1:p3 have the focus"),
        (("w9:p9",), "w9:p9 has the focus"),
    ],
)
def test_the_reason_is_a_sentence(focused: tuple[str, ...], reason: str) -> None:
    seen = view(replace(looking_at(), focused=frozenset(focused)))
    verdict = policy().judge(PANES["w1:p1"], seen)
    assert verdict
    assert verdict.reason == reason


def test_the_focus_gives_back_only_what_it_took_and_only_if_told_to() -> None:
    seen = view(looking_at("w1:p1"))
    manual, own = policy().judge(PANES["w1:p1"], seen), policy(resume="own").judge(PANES["w1:p1"], seen)
    assert manual
    assert own
    assert manual.give_back == frozenset()
    assert own.give_back == {FOCUS_RUN}


@pytest.mark.parametrize(
    ("also_keep", "kept"),
    [
        (0, {"w1:p1"}),
        (1, {"w1:p1", "w1:p3"}),
        (2, {"w1:p1", "w1:p3", "w1:p2"}),
        (9, {"w1:p1", "w1:p3", "w1:p2"}),
    ],
)
def test_as_many_as_the_settings_say_run_on_the_last_focused_first(also_keep: int, kept: set[str]) -> None:
    assert running(policy(also_keep=also_keep), after("w1:p2", "w1:p3", "w1:p1", "w1:p3", "w1:p1")) == kept


def test_panes_without_an_agent_and_panes_that_are_gone_take_no_place() -> None:
    shell = replace(PANES["w1:p3"], agent=None)
    here = (PANES["w1:p1"], PANES["w1:p2"], shell)
    seen = after("w1:p2", "w1:p4", "w1:p3", "w1:p1", panes=here)
    assert running(policy(also_keep=1), seen) == {"w1:p1", "w1:p2"}


def test_a_pane_that_was_moved_keeps_its_place() -> None:
    moved = replace(PANES["w1:p2"], id="w7:p1", aliases=("w1:p2",))
    seen = after("w1:p3", "w1:p2", "w1:p1", panes=(PANES["w1:p1"], moved, PANES["w1:p3"]))
    assert running(policy(also_keep=1), seen) == {"w1:p1", "w7:p1"}


@pytest.mark.parametrize("settings", [{"also_keep": -1}, {"resume": "always"}, {"keep": 1}], ids=str)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        FocusedSettings(**settings)


@given(st.lists(st.sampled_from(sorted(PANES)), min_size=1), st.integers(0, 5))
def test_the_focused_one_and_no_more_than_the_settings_say_run(switches: list[str], also_keep: int) -> None:
    seen = after(*switches)
    kept = running(policy(also_keep=also_keep), seen)
    assert switches[-1] in kept
    assert len(kept) == 1 + min(also_keep, len(set(switches)) - 1)


@given(st.lists(st.sampled_from(sorted(PANES)), min_size=1), st.integers(0, 4))
def test_keeping_more_never_pauses_one_that_ran(switches: list[str], also_keep: int) -> None:
    seen = after(*switches)
    assert running(policy(also_keep=also_keep), seen) <= running(policy(also_keep=also_keep + 1), seen)


def test_a_window_that_is_not_in_front_is_the_reason() -> None:
    seen = view(looking_at(), away=frozenset({"w1:p1"}))
    for name in ("w1:p1", "w1:p2"):
        verdict = policy().judge(PANES[name], seen)
        assert verdict is not None
        assert (verdict.action, verdict.reason) == (Action.PAUSE, "the window is not in front")


def test_of_two_clients_the_one_whose_window_is_in_front_counts() -> None:
    seen = view(looking_at("w1:p2"), away=frozenset({"w1:p1"}))
    verdicts = {name: policy().judge(PANES[name], seen) for name in ("w1:p1", "w1:p2", "w1:p3")}
    reasons = [verdict and verdict.reason for verdict in verdicts.values()]
    assert reasons == ["the window is not in front", "it has the focus", "w1:p2 has the focus"]
