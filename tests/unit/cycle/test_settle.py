from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import FocusMemory, Run, Verdict
from attention_framework.cycle.settle import settling_ms, waits
from attention_framework.testing import START_MS, focus_history, pane, snapshot

NAMES = frozenset(("a",))
FOCUS, BREAK = Run("focus", "no focus", attended=3), Run("b-1", "break")


def left(ago_ms: int) -> FocusMemory:
    return FocusMemory(frozenset("b"), left=(("a", START_MS - ago_ms),))


@pytest.mark.parametrize(
    ("ago_ms", "expected"), [(0, 1_000), (400, 600), (999, 1), (1_000, 0), (5_000, 0), (-1, 0)]
)
def test_an_absence_counts_once_it_is_long_enough(ago_ms: int, expected: int) -> None:
    assert settling_ms(NAMES, left(ago_ms), 1_000, START_MS) == expected


def test_a_pane_that_has_the_focus_or_never_had_it_waits_for_nothing() -> None:
    assert settling_ms(frozenset("b"), left(0), 1_000, START_MS) == 0
    assert settling_ms(frozenset("c"), left(0), 1_000, START_MS) == 0


@given(st.integers(), st.integers(0, 60_000), st.integers())
def test_nobody_waits_longer_than_it_was_set(left_ms: int, settle_ms: int, now_ms: int) -> None:
    memory = FocusMemory(left=(("a", left_ms),))
    assert 0 <= settling_ms(NAMES, memory, settle_ms, now_ms) <= settle_ms


def test_a_pane_that_was_moved_is_known_by_its_earlier_name() -> None:
    before, moved = pane("a"), pane("z", aliases=("a",))
    memory = focus_history(
        snapshot(before, pane("b"), focused="a"),
        snapshot(before, pane("b"), focused="b"),
        snapshot(moved, pane("b"), pane("c"), focused="c"),
    )
    assert settling_ms(moved.names, memory, 1_000, START_MS) == 1_000


def test_only_a_pause_for_the_lost_focus_alone_waits() -> None:
    assert waits(Verdict.pause("", FOCUS), 1)
    assert not waits(Verdict.pause("", FOCUS), 0)
    assert not waits(Verdict.pause("", FOCUS, BREAK), 1)
    assert not waits(Verdict.pause("", BREAK), 1)
    assert not waits(Verdict.run(""), 1)
