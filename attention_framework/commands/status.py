"""`attention status`: what each agent does, why, until when, and who has not come to a safe point yet."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import WrongUsage
from ..woken import nothing_runs
from ..words.columns import aligned
from ..words.durations import duration_s
from ..words.local_time import local_time
from .controller import NONE, controller_status, in_lines, silent
from .in_force import document, in_a_line
from .panes import agents
from .rows import names, row, summary

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rich.console import Group
    from rich.table import Table

    from ..app import App
    from .controller import Controller

COLUMNS = ("pane", "agent", "state", "why")
COLOURS = {"running": "green", "braked": "cyan", "paused": "yellow", "pausing": "magenta", "unknown": "red"}
INTERVAL_S = 1.0
TELLING = (
    *("session", "pane", "label", "agent", "focused", "host_status", "state", "by_person", "runs"),
    *("at_safe_point", "verdict", "policy", "problem"),
)
"""What of a row is news. How long something has lasted is none."""


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "status",
        help=summary,
        description=(
            "Every agent in every running session: running, braked (since when), pausing (with the call in flight), "
            "paused (by whom and why). Below: breaks and manual pauses in force, and the resident controller with what it "
            "cannot do at the moment. The last line says who should pause and has not come to a safe point yet."
        ),
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.add_argument(
        "--watch",
        action="store_true",
        help="again and again, until interrupted: in place on a terminal, else whenever something has changed",
    )
    parser.add_argument(
        "--interval",
        type=duration_s,
        metavar="TIME",
        help="with --watch: how often (default 1s)",
    )
    parser.set_defaults(run=run, looks=True)


def run(arguments: argparse.Namespace, app: App) -> int:
    if arguments.watch:
        _watch(app, (arguments.interval or INTERVAL_S) * 1000, for_programs=arguments.json)
    if arguments.interval:
        raise WrongUsage("--interval is how often --watch looks: give both")
    _tell(look(app), for_programs=arguments.json)
    return 0


@dataclass(frozen=True, slots=True)
class Look:
    """What there is to see at one moment."""

    agents: Sequence[dict[str, Any]]
    controller: Controller | None
    no_controller: str
    """Said where none answers."""
    holds: Sequence[dict[str, Any]]
    warnings: Sequence[str]
    nobody: str
    """Said where there is no agent."""
    in_force: Sequence[str]
    """The holds, in a line each."""

    def document(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        return {
            "v": 1,
            "agents": self.agents,
            "controller": self.controller.document() if self.controller else None,
            "not_at_safe_point": [
                {"session": entry["session"], "pane": entry["pane"]}
                for entry in self.agents
                if entry["at_safe_point"] is False
            ],
            "holds": self.holds,
            "warnings": self.warnings,
        }

    @property
    def below(self) -> list[str]:
        """The lines below the table."""
        last = [summary(self.agents)] if self.agents else []
        return [*self.in_force, *in_lines(self.controller, self.no_controller), *last]

    @property
    def news(self) -> object:
        """Without what changes all the time."""
        rows = [
            [*(entry[key] for key in TELLING), [call["name"] for call in entry["calls"]]]
            for entry in self.agents
        ]
        return rows, [(hold["run"], hold["deadline_ms"]) for hold in self.holds]


def look(app: App) -> Look:
    named = agents(app)
    now_ms = app.effects.clock.wall_ms()
    in_force = app.holds.in_force(now_ms)
    rows = [row(app, one, now_ms) for one in named]
    known = [(one.text, one) for one in named]
    controller = controller_status(app)
    return Look(
        agents=rows,
        controller=controller,
        no_controller="" if controller else silent(app) or NONE,
        holds=[document(hold, now_ms) for hold in in_force],
        warnings=sorted(app.warned),
        nobody=_nobody(app),
        in_force=[in_a_line(hold, known, now_ms) for hold in in_force],
    )


def _watch(app: App, interval_ms: float, *, for_programs: bool) -> None:
    """Until interrupted."""
    if sys.stdout.isatty() and not for_programs:
        _watch_in_place(app, interval_ms)
    told: object = None
    while True:
        found = look(app)
        if (news := found.news) != told:
            told = news
            if not for_programs:
                print(local_time(app.effects.clock.wall_ms(), "-- %H:%M:%S"))
            _tell(found, for_programs=for_programs)
            sys.stdout.flush()
        app.effects.clock.sleep_ms(interval_ms)


def _watch_in_place(app: App, interval_ms: float) -> None:
    from rich.live import Live

    with Live(_screen(app), auto_refresh=False) as live:
        while True:
            app.effects.clock.sleep_ms(interval_ms)
            live.update(_screen(app), refresh=True)


def _screen(app: App) -> Group:
    from rich.console import Group
    from rich.text import Text

    found = look(app)
    above = _table(_cells(found.agents)) if found.agents else Text(found.nobody)
    return Group(above, *map(Text, found.below))


def _tell(found: Look, *, for_programs: bool) -> None:
    if for_programs:
        print(json.dumps(found.document(), ensure_ascii=False))
    else:
        _show(found)


def _show(found: Look) -> None:
    """A table on a terminal, aligned plain text when piped."""
    cells = _cells(found.agents)
    if not cells:
        print(found.nobody)
    elif sys.stdout.isatty():
        from rich.console import Console

        Console().print(_table(cells))
    else:
        _print_plain(cells)
    for line in found.below:
        print(line)


def _nobody(app: App) -> str:
    if app.unanswered:
        return f"no agent that is known of: {nothing_runs(app.sources, app.unanswered)}"
    return f"no agent in any running session of {', '.join(app.sources) or 'any host: none is selected'}"


def _cells(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    return [
        [_pane(name, entry), str(entry["agent"]), str(entry["state"]), str(entry["why"])]
        for name, entry in zip(names(rows), rows, strict=True)
    ]


def _print_plain(cells: Sequence[Sequence[str]]) -> None:
    for line in aligned([COLUMNS, *cells]):
        print(line)


def _pane(name: str, entry: dict[str, Any]) -> str:
    mark = "*" if entry["focused"] else " "
    return f"{mark} {name}" + (f" {entry['label']}" if entry["label"] else "")


def _table(cells: Sequence[Sequence[str]]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(*COLUMNS, box=None, header_style="bold")
    for line in cells:
        table.add_row(*(Text(cell, style=COLOURS.get(cell, "")) for cell in line))
    return table
