from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_policies.allowed import Allowed
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import Allowance
from attention_framework.testing import START_MS, FakeContext, focus_history, hello, pane, snapshot, view

if TYPE_CHECKING:
    from attention_framework import FocusMemory, Snapshot

POLICY = Allowed(None, FakeContext())
ONE, TWO, THREE = pane("w1:p1"), pane("w1:p2"), pane("w1:p3")


def looking_at(*focused: str) -> Snapshot:
    return snapshot(ONE, TWO, THREE, focused=focused)


def history(*focused: str) -> FocusMemory:
    return focus_history(*(looking_at(name) for name in focused))


def is_allowed(allowance: Allowance, *focused: str, now_ms: int = START_MS) -> bool:
    seen = view(looking_at(focused[-1]), memory=history(*focused), allowances=(allowance,), now_ms=now_ms)
    return POLICY.judge(ONE, seen) is not None


def test_an_allowed_pane_runs_in_the_background() -> None:
    assert is_allowed(Allowance("w1:p1", None, 0), "w1:p2")


def test_another_pane_does_not() -> None:
    assert not is_allowed(Allowance("w1:p2", None, 0), "w1:p3")


def test_it_ends_at_its_time_and_not_before() -> None:
    assert is_allowed(Allowance("w1:p1", START_MS + 1, 0), "w1:p2")
    assert not is_allowed(Allowance("w1:p1", START_MS, 0), "w1:p2")


def test_it_lasts_while_the_person_looks_elsewhere() -> None:
    assert is_allowed(Allowance("w1:p1", None, 0), "w1:p2", "w1:p3", "w1:p2", "w1:p3")


def test_it_lasts_while_the_person_looks_at_it_again_and_ends_when_it_is_left() -> None:
    allowance = Allowance("w1:p1", None, 0)
    assert is_allowed(allowance, "w1:p2", "w1:p1")
    assert not is_allowed(allowance, "w1:p2", "w1:p1", "w1:p2")


def test_a_pane_that_was_focused_when_it_was_granted_is_left_once_first() -> None:
    allowance = Allowance("w1:p1", None, 0)
    assert is_allowed(allowance, "w1:p1", "w1:p2")
    assert not is_allowed(allowance, "w1:p1", "w1:p2", "w1:p1", "w1:p2")


def test_a_new_grant_makes_an_ended_one_good() -> None:
    assert is_allowed(Allowance("w1:p1", None, 2), "w1:p2", "w1:p1", "w1:p2")


@pytest.mark.parametrize("name", ["w1:old", "w1:inherited"])
def test_a_moved_pane_is_still_allowed(name: str) -> None:
    moved = pane("w1:p1", aliases=("w1:old",), hello=hello("w1:inherited"))
    assert POLICY.judge(moved, view(looking_at("w1:p2"), allowances=(Allowance(name, None, 0),)))


@given(st.lists(st.sampled_from(["w1:p1", "w1:p2", "w1:p3"]), min_size=1, max_size=20), st.integers(0, 19))
def test_it_ends_when_and_only_when_it_has_been_focused_and_left_after_the_grant(
    switches: list[str], at: int
) -> None:
    changes = [name for i, name in enumerate(switches) if i == 0 or name != switches[i - 1]]
    granted_at = min(at, len(changes) - 1)
    since = changes[granted_at + 1 :]
    left_again = "w1:p1" in since and changes[-1] != "w1:p1"
    assert is_allowed(Allowance("w1:p1", None, granted_at), *switches) is not left_again
