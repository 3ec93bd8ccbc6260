"""One break from beginning to end: remember how far the log goes, pause the agents, call Stretchly, follow the log until the
break is over, and end the pause.
"""

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
    """What a `Driver` is to do."""

    kind: Kind
    """Which break Stretchly is asked for."""
    run: str
    """The id of the break."""
    program: tuple[str, ...]
    """How Stretchly is called: the program, and the words before `mini` or `long`."""
    logs: tuple[Path, ...]
    """The logs to follow: all those that Stretchly may write on this machine."""
    at_most_ms: float
    """The pause ends after this time, even if the log shows no end of the break."""
    start_within_ms: float
    """Give up if the log shows no start of the break within this time after the call."""
    resume: str | None = None
    """Which agents the end resumes, as in `BreakHold.let_go`; None: what the settings say."""


class Driver:
    """Carries out one `Plan`. `stop` says when a signal has asked it to end, and `launcher` starts Stretchly."""

    def __init__(self, app: Application, plan: Plan, stop: Stop, launcher: Launcher = launch) -> None:
        self._app = app
        self._plan = plan
        self._stop = stop
        self._clock = app.context.effects.clock
        self._logs = FollowedLogs(plan.logs, plan.kind)
        self._calls = Calls(app.context, [*plan.program, plan.kind.value], launcher)
        self._began_ms, self._began_wall_ms = 0.0, 0

    def drive(self) -> Outcome:
        """Have one break, and say what became of it. Takes as long as the break. When it returns or raises, it has ended the
        pause of the agents. Raises Expected for wrong settings or an id that cannot be used, and OSError if the file of the
        hold cannot be removed: then the pause ends by its deadline.
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
        """Call Stretchly. Returns None, or the outcome if it cannot be called."""
        if not self._calls.made:
            self._logs.set_out()  # Once more: while we waited for the lock, the log may have grown.
        try:
            self._calls.call()
        except (OSError, ValueError) as error:
            reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            return Outcome(False, f"Stretchly could not be called: {self._plan.program[0]}: {reason}")
        return None

    def _moment(self, hold: BreakHold) -> Moment:
        logs = self._logs
        return Moment(
            # The deadline of the hold is a time of the wall clock, which goes on while the machine sleeps. The monotonic
            # clock may stand still then, but nobody can set it back. So the one that has gone further counts.
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
        """The agents could not be paused. Stretchly is called all the same: the person should have the break."""
        problem = self._call()
        also = f"; {problem.sentence}" if problem else "; Stretchly was called all the same"
        return Outcome(False, f"the agents could not be paused: {describe_os_error(error)}{also}")

    def _stopped(self) -> Outcome:
        return Outcome(False, f"stopped by signal {self._stop.number} before its end was seen")
