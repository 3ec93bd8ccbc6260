"""A report for people, as plain lines; the page shows the same rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words.columns import aligned
from ..words.durations import in_words
from ..words.local_time import local_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .model import Report, Stretches

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""The head and the rows."""
MINUTES = "%Y-%m-%d %H:%M"


def lines(report: Report) -> Iterator[str]:
    yield period(report)
    if not report.entries:
        yield "the journal has no entries from that time"
        return
    yield from aligned(facts(report))
    for head, rows in (steps(report), panes(report)):
        if rows:
            yield ""
            yield from aligned([head, *rows])


def period(report: Report) -> str:
    return f"from {local_time(report.from_ms, MINUTES)} to {local_time(report.until_ms, MINUTES)}"


def facts(report: Report) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [
        ("cycles", f"{report.cycles}, of them {report.failed_cycles} failed"),
        ("wake-ups", f"{report.coalesced} were covered by another wake-up's cycle"),
        (
            "pauses",
            f"{report.asked} asked for, {report.confirmed} confirmed, {report.unconfirmed} reported as not confirmed, "
            f"{report.refused} refused, {report.spared} not asked for because the focus was back",
        ),
        ("for", _counts(report.by_kind)),
        ("by policy", _counts(report.by_policy)),
        ("breaks", _stretches(report.breaks)),
        ("manual pauses", _stretches(report.manual)),
    ]
    if report.not_understood:
        found.append(("skipped", f"{report.not_understood} entries that this version cannot read"))
    return found


def steps(report: Report) -> Table:
    """Milliseconds."""
    rows: list[tuple[str, ...]] = [
        (step, str(spread.count), f"{spread.p50:.1f}", f"{spread.p99:.1f}", f"{spread.longest:.1f}")
        for step, spread in report.steps.items()
    ]
    return ("step (ms)", "count", "p50", "p99", "longest"), rows


def panes(report: Report) -> Table:
    rows: list[tuple[str, ...]] = [
        (
            pane.pane + (f" {pane.label}" if pane.label else ""),
            pane.agent or "",
            pane.session,
            str(pane.pauses),
            in_words(pane.paused_ms),
        )
        for pane in report.panes
    ]
    return ("pane", "agent", "session", "pauses", "paused"), rows


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items()) or "none"


def _stretches(found: Stretches) -> str:
    if not found.count:
        return "none"
    going_on = f", {found.going_on} going on" if found.going_on else ""
    return f"{found.count}{going_on}, {in_words(found.total_ms)} in all, the longest {in_words(found.longest_ms)}"
