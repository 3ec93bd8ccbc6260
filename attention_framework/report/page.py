"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import charts, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import Report

STYLE = """
:root { color-scheme: light dark; --ink: #1d2433; --paper: #fff; --line: #d5d9e2;
  --focus: #3b6fd4; --break: #2f9e6e; --manual: #c98a1b; --other: #8a8f9c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ee; --paper: #14171f; --line: #343a48; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 760px; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .2rem 1rem .2rem 0;
  border-bottom: 1px solid var(--line); vertical-align: top; }
svg { max-width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
.focus { fill: var(--focus); } .break { fill: var(--break); } .manual { fill: var(--manual); }
.other { fill: var(--other); }
"""


def page(report: Report) -> str:
    return "\n".join(_page(report)) + "\n"


def _page(report: Report) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Pauses {escape(text.period(report))}</title><style>{STYLE}</style></head><body>"
    yield f"<h1>Pauses</h1><p>{escape(text.period(report))}</p>"
    yield _table(("", ""), text.facts(report))
    yield f"<h2>Over time</h2>{charts.pauses_over_time(report)}"
    if report.panes:
        yield f"<h2>Time paused</h2>{charts.time_paused(report)}{_table(*text.panes(report))}"
    if report.steps:
        yield f"<h2>How long each step took</h2>{charts.latencies(report)}{_table(*text.steps(report))}"
    yield "</body></html>"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    top = f"<thead>{_row('th', head)}</thead>" if any(head) else ""
    return f"<table>{top}<tbody>{''.join(_row('td', row) for row in rows)}</tbody></table>"


def _row(tag: str, cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
