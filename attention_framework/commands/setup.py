"""`attention setup`: connect the programs that are there. Shows what it will do, then does it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from ..errors import Expected, WrongUsage, describe_os_error
from ..kinds import HasAdvice, InstallRefused
from ..nearest import did_you_mean
from ..progress import progress
from ..words.questions import agrees, can_answer
from . import installer_options
from .resident_plan import announce_start, announce_stop, runs_old_code, start, stop
from .steps import Plan, carry_out_all

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from ..app import App
    from ..kinds import Installer, Step
    from ..purge import Foreseen

T = TypeVar("T")

AFTER_SETUP = (
    "For an agent with hooks of its own: `attention gate --print` shows the command to put into its settings.\n"
    "Agents that were running before need a new start. `attention doctor` looks at all of it."
)
AFTER_REMOVAL = "Agents that are running keep what they have loaded until they end."


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "setup",
        help=summary,
        description="Connect programs to this installation. Without names: all that are found, and a settings file "
        "if there is none; then the resident controller is started. Nothing is done before you agree.",
    )
    add_arguments(parser)
    parser.set_defaults(run=run, looks=True)  # Until you agree.


def add_plugin_options(parser: argparse.ArgumentParser, app: App) -> None:
    installer_options.add(parser, app, remove=False)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "programs", nargs="*", metavar="PROGRAM", help="herdr, tmux, omp, stretchly, serve, settings, ..."
    )
    parser.add_argument("--yes", action="store_true", help="do it without asking")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be done")


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..context import comes_and_goes

    if comes_and_goes(sys.prefix):
        app.report(
            f"this runs from a cache ({sys.prefix}), and what setup writes would start nothing once that is emptied. "
            "Better install it first, with `pipx install` or `uv tool install`"
        )

    def finish() -> bool:
        from ..ended_sessions import remove_ended
        from ..setup_record import SetupRecord

        SetupRecord.of(app).write(app.context.command)
        remove_ended(app)
        return True

    return carry_out(arguments, app, False, Last(finish))


@dataclass(frozen=True, slots=True)
class Last:
    """What comes when all else is done that was agreed to, or nothing was to be done."""

    finish: Callable[[], bool]
    """Whether that went well."""
    announce: Callable[[Foreseen], Sequence[str]] | None = None
    """Where the person has to agree to it: shows what it will do, and gives what is foreseen to hinder it."""


def carry_out(arguments: argparse.Namespace, app: App, remove: bool, last: Last) -> int:
    """Plan for every program first, so that a refusal of one shows before anything is done;
    then ask, then do.
    """
    installers = installer_options.take(arguments, _chosen(app.installers, arguments.programs), remove)
    plans = [_plan(installer, remove, named=bool(arguments.programs)) for installer in installers]
    refused = any(plan.refused for plan in plans)
    steps = [step for plan in plans for step in plan.steps]
    anew = not remove and runs_old_code(app)
    hindered = _announce(app, remove, bool(steps) or anew, steps, last)
    there = app.effects.files.exists(app.state.root)
    more = anew or (last.announce is not None and there)
    if not steps and not more:
        done = "nothing is left to remove" if remove else "everything is in place"
        print("nothing could be done" if refused else done)
    if arguments.dry_run:
        return int(refused or bool(hindered))
    if steps or more:
        if not arguments.yes and not can_answer():
            print("Nothing was done. Say --yes to do it.")
            return 1
        if not arguments.yes and not agrees("Do it?"):
            return int(refused)
    if steps or there or not remove or (last.announce is not None and arguments.yes):
        app.write()
    failed = carry_out_all(plans, again=f"attention {'uninstall' if remove else 'setup'}")
    if (steps or anew) and not failed:
        stop(app) if remove else start(app)
        print(AFTER_REMOVAL if remove else AFTER_SETUP)
    well = last.finish()
    return int(refused or failed or not well)


def _announce(app: App, remove: bool, starts: bool, steps: Sequence[Step], last: Last) -> Sequence[str]:
    """What happens besides the steps. Gives what is foreseen to hinder it."""
    from ..installing import OwnedFiles, left_after
    from ..purge import Foreseen, beside

    if not remove:
        if starts:
            announce_start(app)
        return ()
    owned = OwnedFiles(app.state.root, app.effects.files).left()
    left = left_after(steps, owned)
    stops = bool(steps or last.announce) and announce_stop(app, left)
    if last.announce is None:
        return ()
    others = beside(app)
    return last.announce(Foreseen(left, stops, others - left_after(steps, owned | others)))


def _chosen(installers: dict[str, Installer], programs: Sequence[str]) -> list[Installer]:
    unknown = [program for program in programs if program not in installers]
    if unknown:
        known = sorted(installers)
        named = ", ".join(f"{program!r}{did_you_mean(program, known)}" for program in unknown)
        raise WrongUsage(f"there is no program {named} (known: {', '.join(known) or 'none'})")
    return [installers[program] for program in programs] if programs else list(installers.values())


def _plan(installer: Installer, remove: bool, named: bool) -> Plan:
    """The steps for one program, shown."""
    try:
        found = _asked(f"looking for {installer.name}", installer.found)
        if found is None and not remove:
            print(f"{installer.name}: not found")
            if named:
                return _refused(
                    installer, f"{installer.name} was asked for by name. Install it, then run this again"
                )
            return Plan(installer.name)
        print(f"{installer.name}: {found or 'not found'}")
        steps, advice = _asked(f"looking at {installer.name}", lambda: _wanted(installer, remove))
    except InstallRefused as error:
        return _refused(installer, str(error))
    for step in steps:
        print(f"  will {step.describe}")
    if not steps:
        print("  nothing to do")
    for sentence in advice:
        print(f"  note: {sentence}")
    return Plan(installer.name, tuple(steps))


def _wanted(installer: Installer, remove: bool) -> tuple[Sequence[Step], Sequence[str]]:
    steps = installer.plan(remove)
    return steps, installer.advice(remove) if isinstance(installer, HasAdvice) else ()


def _asked(doing: str, ask: Callable[[], T]) -> T:
    """What an installer answers. Raises InstallRefused: what hinders one program leaves the others to be done."""
    try:
        with progress(doing):
            return ask()
    except Expected as error:
        raise InstallRefused(str(error)) from error
    except OSError as error:
        raise InstallRefused(describe_os_error(error)) from error


def _refused(installer: Installer, why: str) -> Plan:
    print(f"  refused: {why}", file=sys.stderr)
    return Plan(installer.name, refused=True)
