"""`attention uninstall`: take back what `setup` did, and no more."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..errors import WrongUsage
from ..progress import progress
from . import installer_options
from .setup import add_arguments, carry_out, stop

if TYPE_CHECKING:
    import argparse

    from ..app import App


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "uninstall",
        help=summary,
        description="Remove what `attention setup` wrote. Files that were edited since are left alone, and named.",
    )
    add_arguments(parser)
    parser.add_argument("--purge", action="store_true", help="remove the state folder with its journal, too")
    parser.set_defaults(run=run, looks=True)  # Until you agree.


def add_plugin_options(parser: argparse.ArgumentParser, app: App) -> None:
    installer_options.add(parser, app, remove=True)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..installing import OwnedFiles

    if arguments.purge and arguments.programs:
        raise WrongUsage("--purge goes without names: it removes what all programs need")
    owned = OwnedFiles(app.state.root, app.effects.files)
    owned.refuse_lost_record()
    if arguments.purge:
        there = app.effects.files.exists(app.state.root)
        print(f"state folder: {app.state.root}" if there else f"state folder: there is no {app.state.root}")
        print("  will remove it with all that is in it, the journal included" if there else "  nothing to do")

    def finish() -> bool:
        from ..setup_record import SetupRecord

        owned.forget_what_is_gone()
        if not owned.written():
            SetupRecord.of(app).remove()
        if arguments.purge:
            stop(app)
            return _purge(app)
        if not arguments.programs and app.effects.files.exists(app.state.root):
            _tell_what_stays(app)
        return True

    return carry_out(arguments, app, True, finish, more=arguments.purge)


def _tell_what_stays(app: App) -> None:
    print(f"What stays: the state folder {app.state.root}, with the journal and the log.")
    print("To remove it as well: attention uninstall --purge")


def _purge(app: App) -> bool:
    from ..purge import purge, reasons_to_keep

    with progress("looking for what still needs the state folder"):
        reasons = reasons_to_keep(app)
    for reason in reasons:
        print(f"attention: the state folder {app.state.root} stays: {reason}", file=sys.stderr)
    if not reasons:
        there = app.effects.files.exists(app.state.root)
        with progress(f"removing {app.state.root}"):
            purge(app)
        if there:
            print(f"removed {app.state.root}")
    return not reasons
