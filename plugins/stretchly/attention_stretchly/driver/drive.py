"""One break from its call to its end: the place in the log, the hold, the call, the log, the end of the hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from attention_framework import describe_os_error

from ..polling import POLL_S
from .launch import launch
from .logs import FollowedLogs
from .outcome import Moment, Outcome, outcome

if TYPE_CHECKING:
    from pathlib import Path

    from attention_framework import Application, BreakHold, Stop

    from ..values import Kind
    from .launch import Call, Launcher

ASKED_AGAIN_AFTER_MS: Final = 3_000
"""A Stretchly that was started by the call ignores what it was called with. It is called again so long after its
first line: it dies of calls that come close together.
"""
CALLS: Final = 3


@dataclass(frozen=True, slots=True)
class Plan:
    kind: Kind
    run: str
    program: tuple[str, ...]
    logs: tuple[Path, ...]
    at_most_ms: float
    start_within_ms: float
    resume: str | None = None
    """None: what the settings say."""


class Driver:
    """Drives one break."""

    def __init__(self, app: Application, plan: Plan, stop: Stop, launcher: Launcher = launch) -> None:
        self._app = app
        self._plan = plan
        self._stop = stop
        self._launch = launcher
        self._clock = app.context.effects.clock
        self._logs = FollowedLogs(plan.logs, plan.kind)
        self._calls: list[Call] = []
        self._began_ms, self._began_wall_ms = 0.0, 0
        self._asked_ms = 0.0
        self._app_starts = 0
        """So many starts of Stretchly have been dealt with."""
        self._app_started_ms: float | None = None

    def drive(self) -> Outcome:
        """Holds nobody any more when it returns or raises. Raises OSError for a hold that cannot be removed, and
        Expected for settings or an id that make no sense.
        """
        self._logs.set_out()
        plan = self._plan
        self._began_ms, self._began_wall_ms = self._clock.monotonic_ms(), self._clock.wall_ms()
        try:
            hold = self._app.hold_break(
                plan.run, f"attention break-run ({plan.kind})", round(plan.at_most_ms)
            )
        except OSError as error:
            return self._unheld(error)
        if hold is None:
            return Outcome(False, f"a break {plan.run!r} is going on already: give another --run-id")
        try:
            return self._held(hold)
        finally:
            for pane in hold.let_go(plan.resume):
                print(f"resumed pane={pane}")

    def _held(self, hold: BreakHold) -> Outcome:
        if self._stop.asked:
            return self._stopped()
        problem = self._call()
        while problem is None:
            self._logs.poll()
            settled = outcome(self._logs.own, self._moment(hold))
            if settled is not None:
                return settled
            problem = self._call() if self._is_to_be_asked_again() else None
            if self._stop.asked:
                return self._stopped()
            self._clock.sleep_ms(POLL_S * 1000)
        return problem

    def _call(self) -> Outcome | None:
        """Ask Stretchly. What stands against it, if it cannot be called."""
        self._asked_ms = self._clock.monotonic_ms()
        try:
            self._calls.append(self._launch([*self._plan.program, self._plan.kind.value]))
        except (OSError, ValueError) as error:
            reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            program = self._plan.program[0]
            return Outcome(False, f"Stretchly could not be called: {program}: {reason}")
        return None

    def _is_to_be_asked_again(self) -> bool:
        own, now_ms = self._logs.own, self._clock.monotonic_ms()
        if own.asked or own.begun:
            self._app_started_ms = None
        elif own.app_starts > self._app_starts:
            self._app_starts, self._app_started_ms = own.app_starts, now_ms
        if self._app_started_ms is None or len(self._calls) == CALLS:
            return False
        if now_ms - self._app_started_ms < ASKED_AGAIN_AFTER_MS:
            return False
        self._app_started_ms = None
        return True

    def _moment(self, hold: BreakHold) -> Moment:
        now_ms, logs = self._clock.monotonic_ms(), self._logs
        return Moment(
            # The deadline of the hold goes by the wall clock, which goes on while the machine sleeps.
            since_start=max(now_ms - self._began_ms, self._clock.wall_ms() - self._began_wall_ms),
            since_asked=now_ms - self._asked_ms,
            at_most=self._plan.at_most_ms,
            start_within=self._plan.start_within_ms,
            in_force=hold.in_force,
            readable=logs.readable,
            log=str(logs.path) if logs.readable else logs.problem,
            failed=next((code for code in [call.failed() for call in self._calls] if code), None),
        )

    def _unheld(self, error: OSError) -> Outcome:
        """The person's break is not ours to refuse."""
        problem = self._call()
        also = f"; {problem.sentence}" if problem else "; Stretchly was called all the same"
        return Outcome(False, f"the agents could not be paused: {describe_os_error(error)}{also}")

    def _stopped(self) -> Outcome:
        return Outcome(False, f"stopped by signal {self._stop.number} before its end was seen")
