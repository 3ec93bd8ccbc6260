"""`attention reconcile`: one cycle. What a host's hook, an agent's extension or a person runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ..errors import WrongUsage
from ..model import Outcome, Session
from ..woken import decision_lines, error_lines, nothing_runs

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from ..app import App
    from ..runner import Woken

WAIT_LOOK_MS = 20.0


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "reconcile",
        help=summary,
        description="Compare what runs with what may run, and act on it. Without --host: every session of every selected host.",
    )
    parser.add_argument("--host", metavar="HOST", help="only the session of this host that --address names")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--address", metavar="ADDRESS", help="address of the session, such as a socket path")
    where.add_argument(
        "--address-from", metavar="VARIABLE", help="environment variable that holds the address"
    )
    parser.add_argument("--trigger", metavar="TEXT", default="command", help="what woke us, for the journal")
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=float,
        default=0.0,
        help="then wait until every pause is confirmed, at most this long",
    )
    parser.add_argument(
        "--revive",
        action="store_true",
        help="what hooks and agents say: try a cycle that failed again, a few times, and start the resident controller"
        " again if it has died (one that was stopped stays so)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..runner import wake, wake_all

    process_start_ms = app.effects.processes.age_ms()
    session = _session(arguments, app.effects.environment)
    is_new = session is not None and not app.effects.files.exists(app.state.session(session).description)
    if session is None:
        woken = wake_all(app, arguments.trigger)
        if not woken:
            print(nothing_runs(app.sources, app.unanswered), file=sys.stderr)
            return 1
    else:
        woken = [wake(app, session, arguments.trigger, process_start_ms)]
    tell(woken)
    if is_new:  # Where folders come, others go: their number stays what is in use.
        from ..ended_sessions import remove_ended

        remove_ended(app)
    woken = [_look_again(app, one) for one in woken]
    if arguments.revive:
        if any(one.report for one in woken):
            _revive(app)
        woken = [_try_again(app, one) for one in woken]
    code = 0 if all(one.well for one in woken) else 1
    confirmed = [_wait(app, one, arguments.wait) for one in woken] if arguments.wait else []
    return code if all(confirmed) else 1


def _try_again(app: App, woken: Woken) -> Woken:
    """Nobody sits in front of a hook who would say it once more."""
    from ..retrying import try_again

    again = try_again(app, woken, print_decisions)
    return again if again is woken else _look_again(app, again)


def _look_again(app: App, woken: Woken) -> Woken:
    """What has been decided so far the reader of a pipe should hear now, not after the wait."""
    from ..settling import look_again

    sys.stdout.flush()
    return look_again(app, woken, print_decisions)


def _revive(app: App) -> None:
    """Of many hooks and agents that found nobody, those that ran the cycle do it: the others would only cost."""
    from ..client.resident import has_died, revive

    if has_died(app.state.root, app.effects):
        revive(app.effects, app.context.command)


def tell(woken: Sequence[Woken]) -> int:
    """Print what became of wake-ups. The exit code: 1 if one of them failed."""
    for one in woken:
        print_decisions(one)
    return 0 if all(one.well for one in woken) else 1


def print_decisions(woken: Woken) -> None:
    """One line a decision, so that the host's own plugin log tells the story too."""
    for line in error_lines(woken):
        print(line, file=sys.stderr)
    for line in decision_lines(woken):
        print(line)


def _session(arguments: argparse.Namespace, environment: Mapping[str, str]) -> Session | None:
    if arguments.host is None:
        if arguments.address or arguments.address_from:
            raise WrongUsage("--address and --address-from go with --host")
        return None
    address = environment.get(arguments.address_from, "") if arguments.address_from else arguments.address
    if not address:
        what = (
            f"the environment has no {arguments.address_from}"
            if arguments.address_from
            else "--host needs --address or --address-from"
        )
        raise WrongUsage(what)
    return Session(arguments.host, address)


def _wait(app: App, woken: Woken, seconds: float) -> bool:
    """Look, outside the lock, until no pause that was asked for is missing."""
    decisions = woken.report.decisions if woken.report else ()
    missing = {
        decision.pane
        for decision in decisions
        if decision.outcome in (Outcome.PAUSE_SENT, Outcome.NOT_CONFIRMED)
    }
    clock = app.effects.clock
    end = clock.monotonic_ms() + seconds * 1000
    while missing and clock.monotonic_ms() < end:
        look = app.controller.look(app.source_of(woken.session), woken.session)
        for candidate in look.candidates:
            if candidate.pane.id in missing and candidate.seen.held:
                missing.discard(candidate.pane.id)
                print(f"{Outcome.PAUSED} pane={candidate.pane.id}")
        clock.sleep_ms(WAIT_LOOK_MS)
    for pane in sorted(missing):
        print(f"{Outcome.NOT_CONFIRMED} pane={pane}")
    return not missing
