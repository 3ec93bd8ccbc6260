"""The cycles of one session: one at a time, each for all wake-ups that have arrived before it began."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..model import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..effects import Clock
    from ..model import CycleReport
    from ..runner import Woken

LOOK = "look"
"""The trigger of a cycle that nothing has caused."""
SAFETY_MS = 20_000.0
"""A look that nothing has asked for: what no event told."""
FIRST_LOOK_MS = 2_000.0
"""After a request that is not confirmed yet; twice as long each time, up to the safety look."""
FIRST_RETRY_MS = 500.0
"""After a cycle that failed; likewise."""
BURST = 10
PACE_MS = 25.0
"""So many cycles may follow each other at once, then one in so many milliseconds: a storm costs few."""
OPEN = (Outcome.PAUSE_SENT, Outcome.NOT_CONFIRMED, Outcome.READ_FAILED)


@dataclass(slots=True)
class Wake:
    """One wake-up. `done` is set when a cycle that began after it has ended, or when there will be none."""

    trigger: str
    done: threading.Event = field(default_factory=threading.Event)
    woken: Woken | None = None

    def end(self, woken: Woken | None) -> None:
        self.woken = woken
        self.done.set()


@dataclass(frozen=True, slots=True)
class Tally:
    """What a worker has done so far."""

    wakes: int = 0
    cycles: int = 0
    failed_in_a_row: int = 0
    at_ms: int | None = None
    """When the last cycle ended."""
    took_ms: float = 0.0
    error: str = ""


class Agenda:
    """When to look next without being woken. Pure: the time is given."""

    def __init__(self, safety_ms: float = SAFETY_MS) -> None:
        self._safety_ms = safety_ms
        self._retry_ms = FIRST_RETRY_MS
        self._look_ms = FIRST_LOOK_MS
        self._looked_ms = float("-inf")
        self.due_ms = float("-inf")

    def ended(self, now_ms: float, report: CycleReport | None) -> None:
        """Note that a cycle has ended; without a report, it has failed."""
        waits = [self._safety_ms]
        if report is None or report.failed:
            waits.append(self._retry_ms)
            self._retry_ms *= 2
        else:
            self._retry_ms = FIRST_RETRY_MS
            waits += self._looks(report)
        self.due_ms = now_ms + min(waits)

    def _looks(self, report: CycleReport) -> list[float]:
        waits = [] if report.again_ms is None else [float(max(1, report.again_ms))]
        if any(decision.outcome in OPEN for decision in report.decisions):
            waits.append(self._look_ms)
            self._look_ms *= 2
        else:
            self._look_ms = FIRST_LOOK_MS
        return waits


class Pace:
    """Cycles that may begin now, as a bucket that fills slowly. Pure: the time is given."""

    def __init__(self) -> None:
        self._credit = float(BURST)
        self._at_ms = 0.0

    def wait_ms(self, now_ms: float) -> float:
        """How long the next one is to wait; it is taken as begun after that."""
        self._credit = min(float(BURST), self._credit + max(0.0, now_ms - self._at_ms) / PACE_MS)
        self._at_ms = now_ms
        self._credit -= 1
        return max(0.0, -self._credit) * PACE_MS


class Worker:
    """Runs the cycles of one session in a thread of its own."""

    def __init__(
        self, name: str, cycle: Callable[[Callable[[], Sequence[str]]], Woken], clock: Clock
    ) -> None:
        self._cycle = cycle
        """Runs one; calls what it is given when it begins, and raises for what nobody expected."""
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: list[Wake] = []
        self._flying: list[Wake] | None = None
        """Those that the present cycle covers; None until it has begun."""
        self._stopped = False
        self._agenda = Agenda()
        self._pace = Pace()
        self._thread = threading.Thread(target=self._work, name=f"attention-cycles-{name}", daemon=True)
        self.tally = Tally()

    def start(self) -> None:
        self._thread.start()

    def wake(self, trigger: str) -> Wake:
        """Have a cycle that begins after this call."""
        wake = Wake(trigger)
        with self._changed:
            if self._stopped:
                wake.end(None)
            else:
                self._waiting.append(wake)
                self.tally = replace(self.tally, wakes=self.tally.wakes + 1)
            self._changed.notify_all()
        return wake

    def wait_for_cycle(self, after: int, timeout_s: float) -> None:
        """Until more than so many cycles have ended, or so long."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self.tally.cycles > after, timeout_s)

    def stop(self) -> None:
        """Nothing begins any more; a cycle that has begun goes on to its end."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def join(self, timeout_s: float) -> None:
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def step(self) -> None:
        """One cycle for all that is waiting."""
        began_ms, self._flying = self._clock.monotonic_ms(), None
        try:
            woken, error = self._cycle(self._take), ""
        except Exception as problem:  # A cycle that breaks must not end all that come after it.
            woken, error = None, f"{type(problem).__name__}: {problem}"
        if self._flying is None:  # None could begin: those who wait are told so.
            self._take()
        self._note(began_ms, woken, error)

    def _take(self) -> list[str]:
        with self._changed:
            self._flying, self._waiting = self._waiting, []
        return [wake.trigger for wake in self._flying] or [LOOK]

    def _note(self, began_ms: float, woken: Woken | None, error: str) -> None:
        now_ms, error = self._clock.monotonic_ms(), woken.error if woken else error
        self._agenda.ended(now_ms, woken.report if woken else None)
        with self._changed:
            before = self.tally
            self.tally = replace(
                before,
                cycles=before.cycles + 1,
                failed_in_a_row=before.failed_in_a_row + 1 if error else 0,
                at_ms=self._clock.wall_ms(),
                took_ms=round(now_ms - began_ms, 1),
                error=error,
            )
            self._changed.notify_all()
        for wake in self._flying or ():
            wake.end(woken)

    def _work(self) -> None:
        while self._wait():
            self.step()
        with self._changed:
            left, self._waiting = self._waiting, []
        for wake in left:
            wake.end(None)

    def _wait(self) -> bool:
        """Until there is something to do; False when this is the end."""
        with self._changed:
            while not self._stopped and not self._waiting:
                left_s = (self._agenda.due_ms - self._clock.monotonic_ms()) / 1000
                if left_s <= 0:
                    break
                self._changed.wait(left_s)
            pause_s = 0.0 if self._stopped else self._pace.wait_ms(self._clock.monotonic_ms()) / 1000
            if pause_s > 0:
                self._changed.wait_for(lambda: self._stopped, pause_s)
            return not self._stopped
