"""`attention setup`: connect the programs that are there. Shows what it will do, then does it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..errors import Expected, WrongUsage, describe_os_error
from ..kinds import HasAdvice
from . import installer_options

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from ..app import App
    from ..kinds import Installer, Step


AFTER_SETUP = "Agents that were running before need a new start. `attention doctor` looks at all of it."
AFTER_REMOVAL = "Agents that are running keep what they have loaded until they end."


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "setup",
        help=summary,
        description="Connect programs to this installation. Without names: all that are found. Nothing is done before you agree.",
    )
    add_arguments(parser)
    parser.set_defaults(run=lambda arguments, app: carry_out(arguments, app, remove=False))


def add_plugin_options(parser: argparse.ArgumentParser, app: App) -> None:
    installer_options.add(parser, app, remove=False)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="herdr, tmux, omp, stretchly, ...")
    parser.add_argument("--yes", action="store_true", help="do it without asking")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")


def carry_out(arguments: argparse.Namespace, app: App, remove: bool) -> int:
    """Plan for every program first, so that a refusal of one shows before anything is done;
    then ask, then do.
    """
    installers = installer_options.take(arguments, _chosen(app.installers, arguments.programs), remove)
    plans: list[Step] = []
    refused = False
    for installer in installers:
        steps = _plan(installer, remove, named=bool(arguments.programs))
        refused |= steps is None
        plans += steps or []
    if not plans:
        done = "nothing is left to remove" if remove else "everything is in place"
        print("nothing could be done" if refused else done)
        return 1 if refused else 0
    if arguments.dry_run:
        return 1 if refused else 0
    if not arguments.yes and not _can_answer():
        print("Nothing was done. Say --yes to do it.")
        return 1
    if arguments.yes or _agreed():
        _carry_out(plans)
        _stop(app) if remove else _start(app)
        print(AFTER_REMOVAL if remove else AFTER_SETUP)
    return 1 if refused else 0


def _carry_out(steps: Sequence[Step]) -> None:
    for step in steps:
        print(f"{step.describe} ... ", end="", flush=True)
        step.carry_out()
        print("done")


def _start(app: App) -> None:
    """Hosts start the resident controller when they start, and they are running now. Everything works without it, more slowly."""
    from ..client.resident import start

    print("start the resident controller ... ", end="", flush=True)
    problem = start(app.effects, app.context.command)
    print("done" if not problem else "failed")
    if problem:
        app.warn(f"the resident controller could not be started: {problem}")


def _stop(app: App) -> None:
    """Once nothing of setup's is left, nobody wants it any more."""
    from ..client.resident import is_there, stop
    from ..installing import OwnedFiles

    if OwnedFiles(app.state.root, app.effects.files).written() or not is_there(app.state.root, app.effects):
        return
    print("stop the resident controller ... ", end="", flush=True)
    problem = stop(app.effects, app.context.command)
    print("done" if not problem else f"failed: {problem}")


def _chosen(installers: dict[str, Installer], programs: Sequence[str]) -> list[Installer]:
    unknown = [program for program in programs if program not in installers]
    if unknown:
        raise WrongUsage(
            f"nothing is known of {', '.join(unknown)}. There are: {', '.join(sorted(installers)) or 'none'}"
        )
    return [installers[program] for program in programs] if programs else list(installers.values())


def _plan(installer: Installer, remove: bool, named: bool) -> Sequence[Step] | None:
    """The steps for one program, shown; None if it refuses."""
    found = installer.found()
    if found is None and not remove:
        print(f"{installer.name}: not found")
        return None if named else []
    print(f"{installer.name}: {found or 'not found'}")
    try:
        steps = installer.plan(remove)
    except Expected as error:
        print(f"  refused: {error}", file=sys.stderr)
        return None
    except OSError as error:  # A file of this program; the others can be done.
        print(f"  refused: {describe_os_error(error)}", file=sys.stderr)
        return None
    for step in steps:
        print(f"  will {step.describe}")
    if isinstance(installer, HasAdvice):
        for sentence in installer.advice(remove):
            print(f"  note: {sentence}")
    return steps


def _can_answer() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _agreed() -> bool:
    try:
        return input("Do it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl+D
        print()
        return False
