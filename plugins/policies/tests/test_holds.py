from __future__ import annotations

import pytest
from attention_policies.holds import Holds
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import Action, Scope, session_key
from attention_framework.testing import SESSION, FakeContext, hello, hold, pane, scope, snapshot, view

POLICY = Holds(None, FakeContext())
EMPTY = snapshot()
IDS = ["w1:p1", "w1:p2", "w2:p1"]
KEY = session_key(SESSION)


def test_a_break_pauses_every_pane_with_its_deadline_and_source() -> None:
    break_ = hold("b-1", source="stretchly", deadline_ms=42)
    verdict = POLICY.judge(pane(), view(EMPTY, holds=(break_,)))
    assert verdict
    assert verdict.action is Action.PAUSE
    assert [(run.id, run.reason, run.deadline_ms) for run in verdict.runs] == [
        ("b-1", "break from stretchly", 42)
    ]


def test_overlapping_holds_are_all_asked_for() -> None:
    manual = hold("m-1", kind="manual", source="cli", deadline_ms=None)
    verdict = POLICY.judge(pane(), view(EMPTY, holds=(hold("b-1"), manual)))
    assert verdict
    assert verdict.reason == "break from cli; manual from cli"
    assert [run.id for run in verdict.runs] == ["b-1", "m-1"]


@pytest.mark.parametrize(
    ("where", "covered"),
    [
        (Scope(), True),
        (scope("w1:p1"), True),
        (scope("w1:p2"), False),
        (scope("w1:p1", key="fake-another"), False),
        (scope(excluded=["w1:p1"]), False),
    ],
    ids=["all", "its pane", "another pane", "same id in another session", "excluded"],
)
def test_only_panes_in_scope_are_paused(where: Scope, covered: bool) -> None:
    assert bool(POLICY.judge(pane("w1:p1"), view(EMPTY, holds=(hold(scope=where),)))) is covered


@pytest.mark.parametrize("name", ["w1:p1", "w1:old", "w1:inherited"])
def test_a_moved_pane_is_meant_by_any_of_its_names(name: str) -> None:
    moved = pane("w1:p1", aliases=("w1:old",), hello=hello("w1:inherited"))
    assert POLICY.judge(moved, view(EMPTY, holds=(hold(scope=scope(name)),)))


def test_a_person_who_has_resumed_is_left_alone_by_those_holds_only() -> None:
    resumed = pane(hello=hello(waived=frozenset({"b-1"})))
    assert POLICY.judge(resumed, view(EMPTY, holds=(hold("b-1"),))) is None
    verdict = POLICY.judge(resumed, view(EMPTY, holds=(hold("b-1"), hold("b-2"))))
    assert verdict
    assert [run.id for run in verdict.runs] == ["b-2"]


HOLDS = st.lists(
    st.builds(
        lambda run, panes, excluded: hold(run, scope=scope(*panes, excluded=excluded)),
        st.sampled_from(["b-1", "b-2", "m-1", "m-2"]),
        st.sets(st.sampled_from(IDS)),
        st.sets(st.sampled_from(IDS)),
    ),
    unique_by=lambda made: made.run,
)


@given(HOLDS, st.sampled_from(IDS), st.frozensets(st.sampled_from(["b-1", "b-2", "m-1"])))
def test_asked_for_is_exactly_what_covers_and_is_not_waived(
    holds: list[object], id: str, waived: frozenset[str]
) -> None:
    seen = view(EMPTY, holds=tuple(holds))
    verdict = POLICY.judge(pane(id, hello=hello(id, waived=waived)), seen)
    asked = {run.id for run in verdict.runs} if verdict else set()
    assert asked == {hold.run for hold in seen.holds if hold.scope.covers(KEY, frozenset({id}))} - waived
