"""`attention allow`: let an agent run in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .durations import duration_s, in_words
from .panes import add_panes, find
from .reconcile import print_decisions

if TYPE_CHECKING:
    import argparse

    from ..app import App


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "allow",
        help=summary,
        description="Let an agent run without the focus, until the time is over or until it has been focused "
        "and left again. It does not resume a paused one.",
    )
    add_panes(parser)
    parser.add_argument(
        "--for", dest="for_s", type=duration_s, metavar="TIME", help="at most so long, such as 30m"
    )
    parser.add_argument("--no", dest="withdraw", action="store_true", help="take the permission back")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..model import Allowance
    from ..runner import wake
    from ..state.allowances import remove_allowance, save_allowance

    now_ms = app.effects.clock.wall_ms()
    until_ms = now_ms + round(arguments.for_s * 1000) if arguments.for_s else None
    named = find(app, arguments.panes)
    for one in named:
        folder = app.state.session(one.session)
        if arguments.withdraw:
            for name in one.candidate.pane.names:  # It may have been granted before the pane was moved.
                remove_allowance(folder, app.effects.files, name)
            print(f"{one.text}: may no longer run in the background")
            continue
        save_allowance(
            folder, app.effects.files, Allowance(one.candidate.pane.id, until_ms, one.look.view.focus.changes)
        )
        until = (
            f"for {in_words(arguments.for_s * 1000)}"
            if arguments.for_s
            else "until you have focused it and left it again"
        )
        print(
            f"{one.text}: may run in the background {until}{_still_paused(one.candidate.seen.held, one.text)}"
        )
    woken = [wake(app, session, "allow") for session in {one.session for one in named}]
    for result in woken:
        print_decisions(result)
    return 0 if all(result.well for result in woken) else 1


def _still_paused(held: bool, pane: str) -> str:
    return f". It is paused now; `attention resume {pane}` resumes it" if held else ""
