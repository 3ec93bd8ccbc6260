"""`attention uninstall`: take back what `setup` did, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import WrongUsage
from ..progress import progress
from . import installer_options
from .resident_plan import stop
from .setup import Last, add_arguments, carry_out

if TYPE_CHECKING:
    import argparse

    from ..app import App
    from ..purge import Foreseen

LOOKING = "looking for what still needs the state folder"


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "uninstall",
        help=summary,
        description="Remove what `attention setup` wrote. Files that were edited since are left alone, and named. "
        "Once nothing of it is left, the resident controller is stopped. The state folder stays, unless --purge is given. "
        "Nothing is done before you agree.",
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

    def announce(foreseen: Foreseen) -> list[str]:
        return _announce_purge(app, foreseen, quiet=arguments.yes)

    def finish() -> bool:
        from ..setup_record import SetupRecord

        owned.forget_what_is_gone()
        if not owned.written():
            SetupRecord.of(app).remove()
        if not arguments.programs:
            _tell_of_settings(app)
        if arguments.purge and (arguments.yes or app.effects.files.exists(app.state.root)):
            stop(app)
            return _purge(app)
        if not arguments.programs and not arguments.purge and app.effects.files.exists(app.state.root):
            _tell_what_stays(app)
        return True

    return carry_out(arguments, app, True, Last(finish, announce if arguments.purge else None))


def _announce_purge(app: App, foreseen: Foreseen, *, quiet: bool) -> list[str]:
    """What is in the way is said before the person agrees; one that has agreed already hears it when it is so."""
    from ..purge import reasons_to_keep, say_it_stays

    root = app.state.root
    if not app.effects.files.exists(root):
        print(f"state folder: there is no {root}")
        print("  nothing to do")
        return []
    print(f"state folder: {root}")
    with progress(LOOKING):
        reasons = reasons_to_keep(app, foreseen)
    if not reasons:
        print("  will remove it with all that is in it, the journal included")
    elif quiet:
        print("  will remove it, unless what is in the way now still is by then")
    else:
        say_it_stays(app, reasons)
    return reasons


def _tell_of_settings(app: App) -> None:
    """Those that the person has written or edited stay, even with --purge."""
    place = app.configuration.place
    if app.effects.files.exists(place):
        print(f"What stays: your settings {place}. They are yours to remove.")


def _tell_what_stays(app: App) -> None:
    print(f"What stays: the state folder {app.state.root}, with the journal and the log.")
    print("To remove it as well: attention uninstall --purge")


def _purge(app: App) -> bool:
    from ..purge import purge, reasons_to_keep, say_it_stays

    with progress(LOOKING):
        reasons = reasons_to_keep(app)
    say_it_stays(app, reasons)
    if not reasons:
        there = app.effects.files.exists(app.state.root)
        with progress(f"removing {app.state.root}"):
            purge(app)
        if there:
            print(f"removed {app.state.root}")
    return not reasons
