"""Which session folders go, and what keeps one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from attention_framework.state.ended import DAY_MS, Fate, Traces, fate

NOW = 10 * DAY_MS
GONE = Traces(listed=True, running=False, ended=None, live_agents=False, wake_ups=False, noted_ms=None)
LONG_AGO = replace(GONE, noted_ms=NOW - DAY_MS)


def test_one_that_is_seen_not_to_run_is_noted_first() -> None:
    assert fate(GONE, NOW) is Fate.NOTE


def test_after_a_day_it_goes_and_not_before() -> None:
    assert fate(LONG_AGO, NOW) is Fate.REMOVE
    assert fate(LONG_AGO, NOW - 1) is Fate.KEEP


def test_one_that_runs_is_kept_and_what_was_noted_is_forgotten() -> None:
    assert fate(replace(GONE, running=True), NOW) is Fate.KEEP
    assert fate(replace(LONG_AGO, running=True), NOW) is Fate.FORGET


@pytest.mark.parametrize(
    "what",
    [
        {"listed": False},
        {"live_agents": True},
        {"wake_ups": True},
        {"ended": False},
    ],
    ids=str,
)
def test_what_keeps_it(what: dict[str, bool]) -> None:
    assert fate(replace(LONG_AGO, **what), NOW) is Fate.KEEP  # type: ignore[arg-type]


def test_one_that_ran_and_ended_again_in_between_begins_anew() -> None:
    assert fate(replace(LONG_AGO, changed_ms=NOW - 1), NOW) is Fate.NOTE


def test_a_clock_that_was_set_back_removes_nothing() -> None:
    assert fate(replace(GONE, noted_ms=NOW + 1), NOW) is Fate.NOTE


def test_what_the_host_knows_to_be_over_goes_at_once_but_not_from_under_an_agent() -> None:
    over = replace(GONE, ended=True, wake_ups=True)
    assert fate(over, NOW) is Fate.REMOVE
    assert fate(replace(over, live_agents=True), NOW) is Fate.KEEP
    assert fate(replace(over, listed=False), NOW) is Fate.KEEP
