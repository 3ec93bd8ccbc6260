"""`attention pause`: a manual hold."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from ..words.durations import duration_s, in_words
from .panes import add_panes, find

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..app import App
    from ..model import Hold
    from .panes import Named


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "pause",
        help=summary,
        description="Pause agents, the focused one too, until `attention resume`. "
        "Without a pane: the one that this command runs in.",
    )
    add_panes(parser)
    parser.add_argument(
        "--all", action="store_true", help="every agent in every session, those that start later included"
    )
    parser.add_argument(
        "--for",
        dest="for_s",
        type=duration_s,
        metavar="TIME",
        help="end by itself after this time, such as 30m",
    )
    parser.add_argument(
        "--toggle", action="store_true", help="resume instead, if they are paused by hand already"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..errors import WrongUsage
    from ..model import Hold, Scope
    from ..runner import change_hold
    from . import resume
    from .waking import wake_and_tell

    if arguments.all and arguments.panes:
        raise WrongUsage("give panes or --all, not both")
    app.require_sources()
    named = [] if arguments.all else find(app, arguments.panes)
    now_ms = app.effects.clock.wall_ms()
    if arguments.toggle and _is_paused(app.holds.in_force(now_ms), named):
        return resume.run(arguments, app)
    hold = Hold(
        run=f"manual-{uuid4().hex[:8]}",
        kind="manual",
        source="attention pause",
        scope=Scope(
            everything=arguments.all, panes=frozenset[tuple[str, str]]().union(*(one.ids for one in named))
        ),
        started_ms=now_ms,
        deadline_ms=now_ms + round(arguments.for_s * 1000) if arguments.for_s else None,
    )
    app.holds.take(hold)
    change_hold(app, hold, "taken")
    told = wake_and_tell(app, f"hold {hold.run}")
    if not told.sessions and not told.code:
        until = (
            f"for {in_words(arguments.for_s * 1000)}" if arguments.for_s else "until `attention resume --all`"
        )
        print(f"no session is running; agents that start now are paused {until}")
    return told.code


def _is_paused(in_force: Sequence[Hold], named: Sequence[Named]) -> bool:
    """Whether a manual hold covers each of these agents; of all agents, whether there is any manual hold."""
    manual = [hold for hold in in_force if hold.kind == "manual"]
    if not named:
        return bool(manual)
    return all(
        any(hold.scope.covers(one.look.view.key, one.candidate.pane.names) for hold in manual)
        for one in named
    )
