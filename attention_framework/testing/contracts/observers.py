"""The contract of observers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ...model import AgentState, CycleReport, Decision, Observation, Outcome
from ...observing import METHODS
from ..builders import SESSION, hold, scope
from ..memory import START_MS
from .common import check_name, check_settings, within_bound

if TYPE_CHECKING:
    from ...kinds import Observer

SEEN = Observation(AgentState.RUNNING, "it says so")
DECISIONS = tuple(
    Decision("fake-1", "w1:p1", "omp", outcome, "w1:p2 has the focus", observed=SEEN) for outcome in Outcome
)
REPORT = CycleReport("c1", "focus", SESSION, "fake-1", START_MS, DECISIONS)


class ObserverContract:
    """Needs the fixture `observer`. Its methods are called with every kind of decision, cycle and hold; what they do with
    them is not looked at.
    """

    def test_it_can_be_set_by_a_settings_file(self, observer: Observer) -> None:
        check_name(observer)
        check_settings(observer)

    def test_it_is_told_of_something(self, observer: Observer) -> None:
        assert [method for method in METHODS if callable(getattr(observer, method, None))]

    def test_it_takes_decisions_of_every_outcome(self, observer: Observer) -> None:
        decided = getattr(observer, "decided", None)
        if decided is None:
            pytest.skip("it is told of no decisions")
        for decision in (*DECISIONS, replace(DECISIONS[0], label="docs", policy="focused", runs=("focus",))):
            within_bound(lambda told=decision: decided(told, REPORT))  # type: ignore[misc]

    def test_it_takes_cycles_with_decisions_without_and_failed_ones(self, observer: Observer) -> None:
        finished = getattr(observer, "cycle_finished", None)
        if finished is None:
            pytest.skip("it is told of no cycles")
        for report in (REPORT, replace(REPORT, decisions=()), replace(REPORT, error="no answer")):
            within_bound(lambda told=report: finished(told))  # type: ignore[misc]

    def test_it_takes_every_change_of_a_hold(self, observer: Observer) -> None:
        changed = getattr(observer, "hold_changed", None)
        if changed is None:
            pytest.skip("it is told of no holds")
        for one in (hold(), hold(scope=scope("w1:p1"))):
            for change in ("taken", "released", "expired"):
                within_bound(lambda told=one, change=change: changed(told, change))  # type: ignore[misc]
