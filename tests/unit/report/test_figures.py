from __future__ import annotations

from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.report import Report, Spread, figures
from attention_framework.report.charts import latencies, pauses_over_time, time_paused
from attention_framework.report.page import page
from attention_framework.report.text import lines
from attention_framework.testing import START_MS

MIN_MS, DAY_MS = 60_000, 86_400_000
UNTIL_MS = START_MS + DAY_MS
anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def cycle(at_ms: float, *, session: str = "h-1", error: str | None = None, **steps: float) -> dict[str, Any]:
    return {"type": "cycle", "at_ms": START_MS + at_ms, "session": session, "error": error, "steps": steps}


def decision(at_ms: float, outcome: str, observed: str = "running", **more: Any) -> dict[str, Any]:
    base = {"session": "h-1", "pane": "w1:p1", "label": "api", "agent": "omp", "policy": "focused"}
    what = {"runs": ["focus"], "observed": observed, "outcome": outcome, "steps": {}}
    return {"type": "decision", "at_ms": START_MS + at_ms, **base, **what, **more}


def hold(at_ms: float, change: str, run: str = "b-1", kind: str = "break") -> dict[str, Any]:
    return {"type": "hold", "at_ms": START_MS + at_ms, "run": run, "kind": kind, "change": change}


def of(*entries: dict[str, Any], from_ms: float = START_MS, until_ms: float = UNTIL_MS) -> Report:
    return figures(entries, from_ms, until_ms)


def test_a_pause_that_is_asked_for_in_every_cycle_is_one() -> None:
    report = of(
        *(decision(number, "pause-sent") for number in range(3)),
        *(decision(number, "not-confirmed") for number in range(3, 6)),
        decision(6, "paused", "paused"),
        decision(7, "already-paused", "paused"),
        decision(8, "left-running"),
        decision(9, "pause-sent"),
    )
    assert (report.asked, report.unconfirmed, report.confirmed) == (2, 1, 1)


def test_what_each_pause_was_for_and_which_policy_wanted_it() -> None:
    report = of(
        hold(0, "taken", "b-1"),
        hold(0, "taken", "m-1", "manual"),
        decision(1, "paused", runs=["focus"]),
        decision(2, "paused", runs=["focus", "b-1"], policy="holds"),
        decision(3, "paused", runs=["m-1", "focus"], policy="holds"),
        decision(4, "paused", runs=["curfew"], policy=None),
    )
    assert report.by_kind == {"break": 1, "manual": 1, "focus": 1, "other": 1}
    assert report.by_policy == {"holds": 2, "focused": 1, "none": 1}


def test_how_long_each_step_took() -> None:
    report = of(
        *(cycle(number, snapshot=float(number)) for number in range(1, 101)),
        decision(100, "paused", steps={"snapshot": 7.0, "confirm": 30.0}),
    )
    assert report.steps["snapshot"] == Spread(100, 50.0, 99.0, 100.0)
    assert report.steps["confirm"] == Spread(1, 30.0, 30.0, 30.0)


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_a_percentile_is_one_of_the_values(values: list[float]) -> None:
    spread = Spread.of(values)
    assert min(values) <= spread.p50 <= spread.p99 <= spread.longest == max(values)
    assert {spread.p50, spread.p99} <= set(values)


def test_a_pane_is_paused_from_the_cycle_that_saw_it_so_to_the_next_one() -> None:
    report = of(
        cycle(0),
        decision(0, "already-paused", "paused"),
        cycle(5 * MIN_MS),
        decision(5 * MIN_MS, "already-paused", "pausing"),
        cycle(6 * MIN_MS, error="the host is gone"),
        cycle(7 * MIN_MS),
        decision(7 * MIN_MS, "left-running"),
        cycle(9 * MIN_MS),
    )
    (pane,) = report.panes
    assert (pane.pane, pane.label, pane.paused_ms) == ("w1:p1", "api", 7 * MIN_MS)


def test_a_pane_that_is_gone_is_not_paused_any_more() -> None:
    report = of(cycle(0), decision(0, "paused", "paused"), cycle(MIN_MS), cycle(60 * MIN_MS))
    assert report.panes[0].paused_ms == MIN_MS


def test_only_what_lies_in_the_time_counts() -> None:
    entries = [
        hold(-60 * MIN_MS, "taken"),
        cycle(-2 * MIN_MS),
        decision(-2 * MIN_MS, "paused", "paused", runs=["b-1"]),
        cycle(3 * MIN_MS),
        decision(3 * MIN_MS, "paused", runs=["b-1"]),
        hold(4 * MIN_MS, "released"),
    ]
    report = of(*entries)
    assert (report.cycles, report.confirmed, report.by_kind) == (1, 1, {"break": 1})
    assert report.panes[0].paused_ms == 3 * MIN_MS
    assert (report.breaks.count, report.breaks.total_ms) == (1, 4 * MIN_MS)


def test_breaks_and_manual_pauses_with_their_lengths() -> None:
    report = of(
        hold(0, "taken", "b-1"),
        hold(MIN_MS, "released", "b-1"),
        hold(2 * MIN_MS, "taken", "b-2"),
        hold(7 * MIN_MS, "expired", "b-2"),
        hold(DAY_MS - MIN_MS, "taken", "m-1", "manual"),
        hold(3 * MIN_MS, "released", "never-began"),
    )
    assert asdict(report.breaks) == {
        "count": 2,
        "going_on": 0,
        "total_ms": 6 * MIN_MS,
        "longest_ms": 5 * MIN_MS,
    }
    assert (report.manual.count, report.manual.going_on, report.manual.total_ms) == (1, 1, MIN_MS)


def test_wake_ups_failures_refusals_and_what_was_spared() -> None:
    report = of(
        {"type": "wake-up", "at_ms": START_MS, "outcome": "coalesced"},
        cycle(1, error="no"),
        decision(2, "refused"),
        decision(3, "now-focused"),
    )
    assert (report.coalesced, report.failed_cycles, report.refused, report.spared) == (1, 1, 1, 1)


def test_pauses_fall_into_hours_and_over_a_longer_time_into_days() -> None:
    entries = [decision(0, "paused"), decision(DAY_MS, "paused")]
    by_hour, by_day = of(*entries), of(*entries, until_ms=START_MS + 7 * DAY_MS)
    assert (len(by_hour.buckets), len(by_day.buckets)) == (24, 7)
    assert [index for index, bucket in enumerate(by_hour.buckets) if bucket.pauses] == [0, 23]
    assert [index for index, bucket in enumerate(by_day.buckets) if bucket.pauses] == [0, 1]


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["type", "at_ms", "session", "pane", "outcome", "observed", "runs", "steps"])
            | st.sampled_from(["error", "run", "kind", "change", "label", "agent", "policy"]),
            anything
            | st.sampled_from(["cycle", "decision", "hold", "wake-up", "paused", "taken", "released"])
            | st.integers(START_MS, UNTIL_MS),
        ),
        max_size=12,
    )
)
def test_no_line_is_so_odd_that_there_is_no_report(entries: list[dict[str, Any]]) -> None:
    report = of(*entries)
    assert list(lines(report))
    assert page(report)


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"type": "later", "at_ms": START_MS},
        {"type": "cycle"},
        cycle(0) | {"at_ms": "noon"},
        cycle(0) | {"at_ms": float("nan")},
        cycle(0) | {"steps": {"snapshot": "soon"}},
        decision(0, "paused") | {"runs": None},
    ],
)
def test_an_entry_that_makes_no_sense_is_counted_and_passed_over(entry: dict[str, Any]) -> None:
    report = of(entry, cycle(1))
    assert (report.not_understood, report.cycles, report.steps) == (1, 1, {})


FULL = of(
    hold(0, "taken"),
    cycle(0, snapshot=2.0),
    decision(0, "paused", "paused", label='<b>&"api"', steps={"confirm": 20.0}),
    cycle(MIN_MS, snapshot=3.0),
)


@pytest.mark.parametrize("chart", [pauses_over_time, time_paused, latencies])
@pytest.mark.parametrize("report", [FULL, of()], ids=["full", "empty"])
def test_a_chart_is_well_formed(chart: Any, report: Report) -> None:
    root = ElementTree.fromstring(chart(report))
    assert root.tag.endswith("svg")
    numbers = [node.get(name) for node in root.iter() for name in ("width", "height") if node.get(name)]
    assert all(float(str(number)) >= 0 for number in numbers)


def test_the_bars_are_as_long_as_what_they_show() -> None:
    rects = [node for node in ElementTree.fromstring(latencies(FULL)).iter() if node.tag.endswith("rect")]
    wide = {rect[0].text: float(rect.get("width", "0")) for rect in rects}
    assert wide["snapshot p99: 3.0 ms"] / wide["confirm p99: 20.0 ms"] == pytest.approx(3 / 20, abs=0.01)


def test_the_page_needs_nothing_else_and_takes_no_label_for_markup() -> None:
    html = page(FULL)
    assert "<b>" not in html
    assert "&lt;b&gt;&amp;&quot;api&quot;" in html
    assert html.count("<svg") == 3
    assert not any(word in html for word in ("<script", "<link", "src=", "url(", "@import"))


def test_people_read_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    told = "\n".join(lines(FULL))
    assert "1 confirmed" in told
    assert "break" in told
    assert told.isascii()
    assert list(lines(of()))[-1] == "the journal has no entries from that time"
