"""`attention status`: what each agent does, why, and until when."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from .durations import in_words
from .panes import Named, agents

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..app import App
    from ..model import Hold

NO_HELLO = "and it has said no hello: was it started before `attention setup`?"
COLUMNS = ("pane", "agent", "state", "why")


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "status",
        help=summary,
        description="Every agent in every running session: running, pausing (with the call in flight), paused (by whom and why).",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    found = agents(app)
    now_ms = app.effects.clock.wall_ms()
    rows = [row(app, named, now_ms) for named in found]
    if arguments.json:
        print(
            json.dumps(
                {
                    "v": 1,
                    "agents": rows,
                    "holds": [hold.run for hold in app.holds.in_force(now_ms)],
                    "warnings": sorted(app.warned),
                },
                ensure_ascii=False,
            )
        )
    elif rows:
        show(rows)
    else:
        print(f"no agent in any running session of {', '.join(app.sources) or 'any host: none is selected'}")
    return 0


def row(app: App, named: Named, now_ms: int) -> dict[str, Any]:
    """What a person or a program wants to know of one agent.
    The keys are an interface (docs/reference/commands.md).
    """
    candidate = named.candidate
    pane, seen = candidate.pane, candidate.seen
    return {
        "session": named.look.view.key,
        "pane": pane.id,
        "label": pane.label or None,
        "agent": pane.agent,
        "focused": None if named.look.view.snapshot.focused is None else pane.focused,
        "host_status": pane.status,
        "state": seen.state,
        "by_person": seen.by_person,
        "runs": sorted(seen.runs),
        "calls": [{"name": call.name, "for_ms": max(0, now_ms - call.since_ms)} for call in seen.calls],
        "verdict": candidate.verdict.action,
        "policy": candidate.verdict.policy or None,
        "why": why(app, named, now_ms),
        "evidence": seen.evidence,
        "problem": candidate.conflict or (pane.hello.problem if pane.hello else None),
    }


def why(app: App, named: Named, now_ms: int) -> str:
    """One sentence: the state's reason, and where it differs from what is wanted, that too."""
    candidate = named.candidate
    seen, verdict = candidate.seen, candidate.verdict
    if candidate.conflict:
        return candidate.conflict
    if not seen.held:
        return f"{verdict.reason}; {_not_paused(named)}" if verdict.action == "pause" else verdict.reason
    runs = seen.runs | {run.id for run in verdict.runs}
    by = "paused by you" if seen.by_person else f"paused for {_runs(app, runs, now_ms)}" if runs else "paused"
    calls = ", ".join(
        f"{call.name} still runs since {in_words(now_ms - call.since_ms)}" for call in seen.calls
    )
    until = " until you resume it" if verdict.action == "run" else ""
    return "; ".join(part for part in (by + until, calls) if part)


def _not_paused(named: Named) -> str:
    if named.candidate.pane.hello is None:
        return f"not paused yet, {NO_HELLO}"
    return "not paused yet"


def _runs(app: App, runs: frozenset[str], now_ms: int) -> str:
    holds = {hold.run: hold for hold in app.holds.in_force(now_ms)}
    return ", ".join(_run(run, holds.get(run), now_ms) for run in sorted(runs))


def _run(run: str, hold: Hold | None, now_ms: int) -> str:
    if run == "focus":
        return "the lost focus"
    if hold is None:
        return f"{run} (over)"
    left = f", {in_words(hold.deadline_ms - now_ms)} left" if hold.deadline_ms else ""
    # Nobody has to name a manual pause to end it; a break is ended by its id.
    return ("a manual pause" if hold.kind == "manual" else f"{hold.kind} {run}") + left


def show(rows: Sequence[dict[str, Any]]) -> None:
    """A table on a terminal, aligned plain text when piped."""
    cells = [[_pane(entry), str(entry["agent"]), str(entry["state"]), str(entry["why"])] for entry in rows]
    if sys.stdout.isatty():
        _show_table(cells)
        return
    widths = [max(len(line[column]) for line in [list(COLUMNS), *cells]) for column in range(len(COLUMNS))]
    for line in [list(COLUMNS), *cells]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _pane(entry: dict[str, Any]) -> str:
    mark = "*" if entry["focused"] else " "
    return f"{mark} {entry['pane']}" + (f" {entry['label']}" if entry["label"] else "")


def _show_table(cells: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"running": "green", "paused": "yellow", "pausing": "magenta", "unknown": "red"}
    table = Table(*COLUMNS, box=None, header_style="bold")
    for line in cells:
        table.add_row(*(Text(cell, style=colours.get(cell, "")) for cell in line))
    Console().print(table)
