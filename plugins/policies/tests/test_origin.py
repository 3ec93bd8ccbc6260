from __future__ import annotations

from attention_policies.origin import Origin
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.testing import START_MS, FakeContext, focus_history, hello, pane, snapshot, view

POLICY = Origin(None, FakeContext())
ONE, TWO, NEW = (
    pane("w1:p1", hello=hello("w1:p1", 100)),
    pane("w1:p2"),
    pane("w1:p3", hello=hello("w1:p3", 300)),
)
BEFORE = snapshot(ONE, TWO, focused=["w1:p1"])
AFTER = snapshot(ONE, TWO, NEW, focused=["w1:p1"])


def test_an_agent_that_started_after_the_last_change_is_spared_until_the_next_one() -> None:
    memory = focus_history(BEFORE, AFTER)
    assert POLICY.judge(NEW, view(AFTER, memory=memory))
    assert POLICY.judge(NEW, view(snapshot(ONE, TWO, NEW, focused=["w1:p2"]), memory=memory)) is None


def test_agents_that_were_there_are_judged_by_others() -> None:
    seen = view(AFTER, memory=focus_history(BEFORE))
    assert POLICY.judge(ONE, seen) is None
    assert POLICY.judge(TWO, seen) is None


def test_agents_of_the_first_look_are_not_new() -> None:
    assert POLICY.judge(ONE, view(BEFORE)) is None


def test_another_process_in_the_same_pane_is_a_new_agent() -> None:
    restarted = pane("w1:p1", hello=hello("w1:p1", 101))
    assert POLICY.judge(
        restarted, view(snapshot(restarted, TWO, focused=["w1:p1"]), memory=focus_history(BEFORE))
    )


def test_an_agent_that_says_hello_late_is_not_new() -> None:
    """It was left behind while it was still starting; its hello must not set it free."""
    greeted = pane("w1:p2", hello=hello("w1:p2", 200))
    assert (
        POLICY.judge(greeted, view(snapshot(ONE, greeted, focused=["w1:p1"]), memory=focus_history(BEFORE)))
        is None
    )


def test_a_pane_that_was_moved_brings_no_new_agent() -> None:
    moved = pane("w7:p2", aliases=("w1:p2",))
    assert (
        POLICY.judge(moved, view(snapshot(ONE, moved, focused=["w1:p1"]), memory=focus_history(BEFORE)))
        is None
    )


def test_a_pane_without_an_agent_is_nothing_to_spare() -> None:
    assert POLICY.judge(pane("w1:p9", agent=None), view(BEFORE)) is None


@given(st.integers(0, 2 * START_MS), st.integers(0, 2 * START_MS))
def test_no_clock_has_a_say(then_ms: int, now_ms: int) -> None:
    memory = focus_history(BEFORE, now_ms=then_ms)
    assert POLICY.judge(NEW, view(AFTER, memory=memory, now_ms=now_ms))
    assert POLICY.judge(ONE, view(AFTER, memory=memory, now_ms=now_ms)) is None
