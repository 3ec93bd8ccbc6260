"""`attention report`: the journal over a time, in figures and as a page with charts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ..progress import progress
from ..words.durations import duration_s

if TYPE_CHECKING:
    import argparse

    from ..app import App
    from ..report import Report

DEFAULT_S = 7 * 86_400.0


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "report",
        help=summary,
        description=(
            "Pauses and their reasons, how long each step took, what was never confirmed, breaks, and how long each "
            "pane was paused: from the journal, as far back as it reaches."
        ),
    )
    parser.add_argument(
        "--since",
        type=duration_s,
        default=DEFAULT_S,
        metavar="TIME",
        help="the last 12h, 30d, ... (default 7d)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    parser.add_argument("--html", metavar="FILE", help="write a page with charts, which needs no other file")
    parser.set_defaults(run=run, looks=True)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..report import figures
    from ..report.text import lines

    now_ms = app.effects.clock.wall_ms()
    with progress("reading the journal", quiet=arguments.json):
        report = figures(app.journal.read(), now_ms - arguments.since * 1000, now_ms)
    if arguments.html:
        _write_page(arguments.html, report, app)
    if arguments.json:
        from dataclasses import asdict

        print(json.dumps({"v": 1, **asdict(report)}, ensure_ascii=False))
    elif not arguments.html:
        for line in lines(report):
            print(line)
    return 0


def _write_page(name: str, report: Report, app: App) -> None:
    from pathlib import Path

    from ..errors import Expected
    from ..report.page import page

    path = Path(name).absolute()
    try:
        app.files_of_the_person.write(path, page(report).encode(errors="xmlcharrefreplace"))
    except OSError as error:
        raise Expected(f"the page {path} cannot be written: {error.strerror or error}") from error
    app.report(f"the page is {path}")
