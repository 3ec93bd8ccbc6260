"""`attention break-start`: what a scheduler calls when a screen break begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words.durations import duration_s, in_words

if TYPE_CHECKING:
    import argparse

    from ..app import App


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "break-start",
        help=summary,
        description="Pause every agent in every session, the focused one too, until `break-end` with the same id. "
        "Breaks may overlap; each is ended on its own.",
    )
    parser.add_argument("--run-id", required=True, metavar="ID", help="names this break; any text")
    parser.add_argument("--kind", metavar="KIND", help="mini, long, ...: for people, in the log")
    parser.add_argument(
        "--for",
        dest="for_s",
        type=duration_s,
        metavar="TIME",
        help="how long it lasts at most (default 1h)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..breaks import begin
    from ..runner import change_hold
    from .waking import wake_and_tell

    app.require_sources()
    source = f"attention break-start ({arguments.kind})" if arguments.kind else "attention break-start"
    hold = begin(app, arguments.run_id, source, round(arguments.for_s * 1000) if arguments.for_s else None)
    if hold is None:
        print(f"break {arguments.run_id!r} is going on already")
    else:
        change_hold(app, hold, "taken")
    told = wake_and_tell(app, f"break {arguments.run_id} begins")
    if hold is not None and hold.deadline_ms and not told.sessions and not told.code:
        left = in_words(hold.deadline_ms - app.effects.clock.wall_ms())
        print(f"no session is running; agents that start now are paused for {left}, or until `break-end`")
    return told.code
