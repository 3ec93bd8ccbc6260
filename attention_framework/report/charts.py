"""Charts of a report as SVG. Colours are classes, so that the page decides about light and dark."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ..words.durations import in_words
from ..words.local_time import local_time
from .model import KINDS
from .text import MINUTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .model import Report

WIDTH, NAMES, VALUES = 720, 180, 90
ROW, BAR, MOST_ROWS = 22, 14, 20
HIGH, ABOVE, BELOW, WIDEST = 160, 40, 24, 60
DAY_MS = 86_400_000
LABELS_AT_MOST = 12


def pauses_over_time(report: Report) -> str:
    """Confirmed pauses in each part of the time, stacked by kind."""
    most = max((sum(bucket.pauses.values()) for bucket in report.buckets), default=0) or 1
    return _svg("Pauses over time", ABOVE + HIGH + BELOW, [*_legend(), *_columns(report, most)])


def _legend() -> Iterator[str]:
    for index, kind in enumerate(KINDS):
        x = index * 90
        yield f'<rect class="{kind}" x="{x}" y="4" width="12" height="12"/>'
        yield _text(x + 18, 14, kind)


def _columns(report: Report, most: int) -> Iterator[str]:
    wide = WIDTH / len(report.buckets)
    every = -(-len(report.buckets) // LABELS_AT_MOST)
    form = "%d %b" if report.bucket_ms >= DAY_MS else "%H:%M"
    for index, bucket in enumerate(report.buckets):
        x, y = index * wide, float(ABOVE + HIGH)
        for kind in KINDS:
            count = bucket.pauses.get(kind, 0)
            tall = HIGH * count / most
            y -= tall
            if count:
                what = f"{local_time(bucket.from_ms, MINUTES)}: {count} {kind}"
                thick = min(WIDEST, wide * 0.8)
                yield _bar(kind, x + (wide - thick) / 2, y, thick, tall, what)
        if total := sum(bucket.pauses.values()):
            yield _text(x + wide / 2, y - 4, str(total), "middle")
        if index % every == 0:
            yield _text(x + wide / 2, ABOVE + HIGH + 16, local_time(bucket.from_ms, form), "middle")


def time_paused(report: Report) -> str:
    """The panes that were paused the longest."""
    rows = [
        (pane.label or pane.pane, pane.paused_ms, in_words(pane.paused_ms), "focus")
        for pane in report.panes[:MOST_ROWS]
    ]
    return _rows("Time paused", rows)


def latencies(report: Report) -> str:
    """Half of the cycles, and 99 of 100, were not slower."""
    rows = []
    for step, spread in report.steps.items():
        rows.append((f"{step} p50", spread.p50, f"{spread.p50:.1f} ms", "focus"))
        rows.append((f"{step} p99", spread.p99, f"{spread.p99:.1f} ms", "other"))
    return _rows("Milliseconds of each step", rows)


def _rows(title: str, rows: Sequence[tuple[str, float, str, str]]) -> str:
    """Bars from left to right: name, length, what stands behind it, class."""
    most = max((value for _, value, _, _ in rows), default=0) or 1
    parts = []
    for index, (name, value, told, kind) in enumerate(rows):
        y, wide = index * ROW, (WIDTH - NAMES - VALUES) * value / most
        parts.append(_text(NAMES - 8, y + 15, _short(name), "end"))
        parts.append(_bar(kind, NAMES, y + 4, wide, BAR, f"{name}: {told}"))
        parts.append(_text(NAMES + wide + 6, y + 15, told))
    return _svg(title, len(rows) * ROW + 4, parts)


def _svg(title: str, high: float, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {high:g}" width="{WIDTH}">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _bar(kind: str, x: float, y: float, wide: float, tall: float, what: str) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}">'
        f"<title>{escape(what)}</title></rect>"
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _short(name: str) -> str:
    return name if len(name) <= 24 else f"{name[:23]}…"
