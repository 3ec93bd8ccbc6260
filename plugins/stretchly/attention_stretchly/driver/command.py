"""The command `attention break-run`: its options, and what it prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attention_framework import Expected, describe_os_error, duration_s

from ..values import Kind

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from attention_framework import Application, Context

    from ..places import Place
    from ..source import StretchlySettings
    from .drive import Plan
    from .outcome import Outcome

SUMMARY: Final = "have Stretchly show a break, and hold the agents until it is over"
DESCRIPTION: Final = """
Pause every agent in every session, call Stretchly for a break, follow its log, and end the pause when that
break is finished, skipped, postponed or closed in any other way. For a scheduler that owns the clock.
Prints one line. Exits 0 when the break took place, 1 with the reason when not, 130 after Ctrl-C and 143 after
SIGTERM; the pause has ended by then in every case.
"""
NOT_FOUND: Final = (
    "Stretchly was not found: install it, or name its program with strategy.stretchly.program in the settings "
    "or with --launch"
)


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    import argparse

    parser = subcommands.add_parser("break-run", help=SUMMARY, description=DESCRIPTION.strip())
    parser.add_argument("kind", choices=[kind.value for kind in Kind], help="which break")
    parser.add_argument(
        "--at-most",
        dest="at_most_s",
        type=duration_s,
        metavar="SECONDS",
        help="the pause ends after this time, whatever the log says (default: the settings, else 35 and 605)",
    )
    parser.add_argument("--log", metavar="FILE", help="Stretchly's main.log (default: it is found)")
    parser.add_argument("--run-id", metavar="ID", help="names this break (default: one of its own)")
    resume = parser.add_mutually_exclusive_group()
    resume.add_argument(
        "--resume",
        choices=["none", "last-active", "own"],
        help="what its end resumes (default: breaks.resume in the settings)",
    )
    resume.add_argument(
        "--resume-last-active",
        dest="resume",
        action="store_const",
        const="last-active",
        help="the same as --resume last-active",
    )
    parser.add_argument(
        "--launch",
        nargs=argparse.REMAINDER,
        metavar="PROGRAM",
        help="how Stretchly is called, with all words that follow; has to come last (default: it is found)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: Application) -> int:
    try:
        return _run(arguments, app)
    except Exception as error:
        # Windows' Task Scheduler runs it with pythonw, which has no output: the log is the only place to see the error.
        app.context.log.info("{}", f"{arguments.kind} break: {_described(error)}")
        raise


def _described(error: Exception) -> str:
    if isinstance(error, OSError):
        return describe_os_error(error)
    return str(error) if isinstance(error, Expected) else f"{type(error).__name__}: {error}"


def _run(arguments: argparse.Namespace, app: Application) -> int:
    from attention_framework import stopped_by_signals

    from .drive import Driver

    plan = make_plan(arguments, app.context)
    if not plan.program:
        return _tell(app, plan, None)
    with stopped_by_signals() as stop:
        ended = Driver(app, plan, stop).drive()
    code = _tell(app, plan, ended)
    return stop.exit_code if stop.asked else code


def make_plan(arguments: argparse.Namespace, context: Context) -> Plan:
    """The plan for this command line, with the settings for what it does not say. `Plan.program` is empty if Stretchly was
    not found.
    """
    from ..places import places
    from .bounds import longest_ms
    from .drive import Plan

    settings: StretchlySettings = context.settings("stretchly")
    kind = Kind(arguments.kind)
    found = places(context.effects.environment, arguments.log or settings.log)
    at_most_s = arguments.at_most_s
    return Plan(
        kind=kind,
        run=arguments.run_id or _new_run(kind, context),
        program=_program(arguments.launch or settings.program, context),
        logs=tuple(place.log for place in found),
        at_most_ms=at_most_s * 1000 if at_most_s else longest_ms(settings, kind, _config(found, context)),
        start_within_ms=settings.start_within_s * 1000,
        resume=arguments.resume,
    )


def _tell(app: Application, plan: Plan, ended: Outcome | None) -> int:
    sentence = f"{plan.kind} break: {ended.sentence if ended else NOT_FOUND} (run {plan.run})"
    if ended is not None and ended.took_place:
        app.context.log.info("{}", sentence)
        print(sentence)
        return 0
    app.warn(sentence)
    return 1


def _new_run(kind: Kind, context: Context) -> str:
    """An id that no other process uses, nor this one at another moment."""
    import os

    return f"break-run-{kind}-{context.effects.clock.wall_ms()}-{os.getpid()}"


def _program(named: Sequence[str], context: Context) -> tuple[str, ...]:
    from .program import find_program, named_program

    environment = context.effects.environment
    if named:
        return named_program(named, environment)
    found = find_program(environment)
    return (found,) if found else ()


def _config(found: list[Place], context: Context) -> bytes | None:
    """The content of Stretchly's `config.json`. If there are several installations: of the one whose log has changed last.
    None if it is not there or cannot be read.
    """
    from ..files import RealLogFiles
    from ..places import newest

    try:
        place = newest(found, RealLogFiles())
        return context.effects.files.read(place.config) if place else None
    except OSError:
        return None
