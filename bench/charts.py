"""Bar charts as SVG, with nothing but the standard library."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, LEFT, RIGHT, BAR, GAP, TOP = 720, 190, 90, 18, 8, 46
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#444}.title{font-weight:600;font-size:15px}.note{fill:#777;font-size:12px}"
    ".a{fill:#8a8f98}.b{fill:#3b7dd8}.goal{stroke:#c0392b;stroke-dasharray:4 3}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}.note{fill:#999}.a{fill:#777c85}.b{fill:#6aa5f2}}"
)


@dataclass(frozen=True, slots=True)
class Bar:
    name: str
    value: float
    strong: bool = True


def chart(
    title: str, unit: str, bars: Sequence[Bar], goal: float | None = None, logarithmic: bool = True
) -> str:
    """Horizontal bars, in the order given. Values that differ a hundredfold need the logarithmic scale."""
    values = [bar.value for bar in bars if bar.value > 0] + ([goal] if goal else [])
    scale = _scale(values, logarithmic)
    high = TOP + len(bars) * (BAR + GAP) + 24
    parts = [f'<text class="title" x="8" y="22">{escape(title)}</text>']
    for number, bar in enumerate(bars):
        parts += _bar(bar, unit, TOP + number * (BAR + GAP), scale(bar.value))
    if goal:
        parts += _goal(goal, unit, LEFT + scale(goal), high)
    note = f"{unit}, logarithmic scale" if logarithmic else unit
    parts.append(f'<text class="note" x="{LEFT}" y="{high - 6}">{escape(note)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )


class _scale:
    def __init__(self, values: Sequence[float], logarithmic: bool) -> None:
        self._logarithmic = logarithmic
        self._most = max(values, default=1.0)
        self._least = min(values, default=1.0) / 2 if logarithmic else 0.0

    def __call__(self, value: float) -> float:
        room = WIDTH - LEFT - RIGHT
        if value <= 0 or math.isnan(value):
            return 0.0
        if not self._logarithmic:
            return room * value / self._most
        return room * math.log(value / self._least) / math.log(self._most / self._least)


def _bar(bar: Bar, unit: str, y: float, length: float) -> list[str]:
    kind = "b" if bar.strong else "a"
    return [
        f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(bar.name)}</text>',
        f'<rect class="{kind}" x="{LEFT}" y="{y}" width="{max(1.0, length):.1f}" height="{BAR}" rx="2"/>',
        f'<text x="{LEFT + max(1.0, length) + 6:.1f}" y="{y + 14}">{told(bar.value)} {escape(unit)}</text>',
    ]


def _goal(goal: float, unit: str, x: float, high: float) -> list[str]:
    return [
        f'<line class="goal" x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{high - 22}"/>',
        f'<text class="note" x="{x:.1f}" y="{TOP - 10}" text-anchor="middle">goal {told(goal)} {escape(unit)}</text>',
    ]


def told(value: float) -> str:
    if math.isnan(value):
        return "none"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
