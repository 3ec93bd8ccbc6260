"""`attention allow`: let an agent run in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..words.durations import duration_s, in_words
from .panes import add_panes, find

if TYPE_CHECKING:
    import argparse

    from ..app import App
    from .panes import Named


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "allow",
        help=summary,
        description="Let an agent run without the focus, until the time is over or until it has been focused "
        "and left again. It does not resume a paused one.",
    )
    add_panes(parser)
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--for", dest="for_s", type=duration_s, metavar="TIME", help="for at most this long, such as 30m"
    )
    either.add_argument("--no", dest="withdraw", action="store_true", help="take the permission back")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from .waking import wake_and_tell

    named = find(app, arguments.panes)
    for one in named:
        print(_withdraw(app, one) if arguments.withdraw else _grant(app, one, arguments.for_s))
    return max(wake_and_tell(app, "allow", session).code for session in {one.session for one in named})


def _grant(app: App, one: Named, for_s: float | None) -> str:
    from ..model import Allowance
    from ..state.allowances import save_allowance

    until_ms = app.effects.clock.wall_ms() + round(for_s * 1000) if for_s else None
    allowance = Allowance(one.candidate.pane.id, until_ms, one.look.view.focus.changes)
    save_allowance(app.state.session(one.session), app.effects.files, allowance)
    at_most = f", for {in_words(for_s * 1000)} at most" if for_s else ""
    paused = (
        f". It is paused now; `attention resume {one.text}` resumes it" if one.candidate.seen.held else ""
    )
    return (
        f"{one.text}: may run in the background until you have focused it and left it again{at_most}{paused}"
    )


def _withdraw(app: App, one: Named) -> str:
    from ..state.allowances import remove_allowance

    folder, files = app.state.session(one.session), app.effects.files
    # It may have been granted before the pane was moved.
    removed = [remove_allowance(folder, files, name) for name in one.candidate.pane.names]
    return f"{one.text}: {'may no longer' if any(removed) else 'was not allowed to'} run in the background"
