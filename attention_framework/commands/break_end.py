"""`attention break-end`: what a scheduler calls when a screen break is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from ..app import App


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "break-end",
        help=summary,
        description="End one break, and no other. Agents stay paused until you resume them, unless the settings "
        "(`breaks.resume`) or the option say otherwise.",
    )
    parser.add_argument("--run-id", required=True, metavar="ID", help="the id that `break-start` was given")
    parser.add_argument(
        "--resume-last-active",
        action="store_true",
        help="resume the agent that was focused when the first of the overlapping breaks began",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..breaks import end, give_back
    from ..runner import change_hold
    from .waking import wake_and_tell

    # The hold goes first: its end is one unlink, and wrong settings must not keep it.
    resume = "last-active" if arguments.resume_last_active else None
    ended = end(app, arguments.run_id, resume)
    if ended is None:
        print(_no_such_break(app, arguments.run_id))
    else:
        change_hold(app, ended, "released", "attention break-end")
        for pane in give_back(app, ended, resume or app.configuration.settings.breaks.resume):
            print(f"resumed pane={pane}")
    return wake_and_tell(app, f"break {arguments.run_id} ends").code


def _no_such_break(app: App, run: str) -> str:
    from ..nearest import did_you_mean

    going_on = [hold.run for hold in app.holds.all() if hold.kind == "break"]
    others = f" (going on: {', '.join(going_on)})" if going_on else ""
    return f"no break {run!r} is going on{did_you_mean(run, going_on)}{others}"
