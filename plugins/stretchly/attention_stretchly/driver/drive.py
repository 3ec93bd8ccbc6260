"""One break from its call to its end: the place in the log, the hold, the call, the log, the end of the hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attention_framework import describe_os_error

from ..polling import POLL_S
from .calls import Calls
from .launch import launch
from .logs import FollowedLogs
from .outcome import Moment, Outcome, outcome

if TYPE_CHECKING:
    from pathlib import Path

    from attention_framework import Application, BreakHold, Stop

    from ..values import Kind
    from .launch import Launcher


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
        self._clock = app.context.effects.clock
        self._logs = FollowedLogs(plan.logs, plan.kind)
        self._calls = Calls(app.context, [*plan.program, plan.kind.value], launcher)
        self._began_ms, self._began_wall_ms = 0.0, 0

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
        why = "attention break-run has failed"
        try:
            ended = self._held(hold)
            why = ended.sentence
            return ended
        finally:
            self._calls.release()
            for pane in hold.let_go(plan.resume, why):
                print(f"resumed pane={pane}")

    def _held(self, hold: BreakHold) -> Outcome:
        while not self._stop.asked:
            if self._calls.is_time(self._logs.own) and (problem := self._call()) is not None:
                return problem
            if self._calls.made:
                self._logs.poll()
                self._calls.listen(self._logs.own)
            settled = outcome(self._logs.own, self._moment(hold))
            if settled is not None:
                return settled
            self._clock.sleep_ms(POLL_S * 1000)
        return self._stopped()

    def _call(self) -> Outcome | None:
        """What stands against it, if Stretchly cannot be called."""
        if not self._calls.made:
            self._logs.set_out()  # Our turn may have been a while in coming.
        try:
            self._calls.call()
        except (OSError, ValueError) as error:
            reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            return Outcome(False, f"Stretchly could not be called: {self._plan.program[0]}: {reason}")
        return None

    def _moment(self, hold: BreakHold) -> Moment:
        logs = self._logs
        return Moment(
            # The deadline of the hold goes by the wall clock, which goes on while the machine sleeps.
            since_start=max(
                self._clock.monotonic_ms() - self._began_ms, self._clock.wall_ms() - self._began_wall_ms
            ),
            since_asked=self._calls.since_last_ms,
            at_most=self._plan.at_most_ms,
            start_within=self._plan.start_within_ms,
            in_force=hold.in_force,
            readable=logs.readable,
            log=str(logs.path) if logs.readable else logs.problem,
            failed=self._calls.failed,
        )

    def _unheld(self, error: OSError) -> Outcome:
        """The person's break is not ours to refuse."""
        problem = self._call()
        also = f"; {problem.sentence}" if problem else "; Stretchly was called all the same"
        return Outcome(False, f"the agents could not be paused: {describe_os_error(error)}{also}")

    def _stopped(self) -> Outcome:
        return Outcome(False, f"stopped by signal {self._stop.number} before its end was seen")
