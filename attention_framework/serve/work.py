"""What a worker has to do, and what next: the wake-ups that wait for a cycle, the looks that nobody asks for, and how
quickly cycles may follow each other. Nothing here waits or reads a clock, so that whoever drives it decides in which order
things happen: a thread (`worker`), or the scheduler of a simulation.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..model import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from ..model import CycleReport
    from ..runner import Woken

    class Event(Protocol):
        """As much of `threading.Event` as a wake-up needs."""

        def set(self) -> None: ...
        def is_set(self) -> bool: ...
        def wait(self, timeout: float | None = None) -> bool: ...


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
    done: Event = field(default_factory=threading.Event)
    woken: Woken | None = None

    def end(self, woken: Woken | None) -> None:
        self.woken = woken
        self.done.set()


@dataclass(frozen=True, slots=True)
class Tally:
    """What has been done so far."""

    wakes: int = 0
    cycles: int = 0
    failed_in_a_row: int = 0
    at_ms: int | None = None
    """When the last cycle ended."""
    took_ms: float = 0.0
    error: str = ""


class Agenda:
    """When to look next without being woken. Pure: the time is given.

    :param safety_ms: infinity for who looks only as long as something is open.
    """

    def __init__(self, safety_ms: float = SAFETY_MS) -> None:
        self._safety_ms = safety_ms
        self._retry_ms = FIRST_RETRY_MS
        self._look_ms = FIRST_LOOK_MS
        self.due_ms = float("-inf")

    def ended(self, now_ms: float, report: CycleReport | None) -> None:
        """Note that a cycle has ended; without a report, it has failed."""
        waits = [self._safety_ms]
        if report is None or report.failed:
            waits.append(self._retry_ms)
            self._retry_ms = min(2 * self._retry_ms, SAFETY_MS)
        else:
            self._retry_ms = FIRST_RETRY_MS
            waits += self._looks(report)
        self.due_ms = now_ms + min(waits)

    def _looks(self, report: CycleReport) -> list[float]:
        waits = [] if report.again_ms is None else [float(max(1, report.again_ms))]
        if any(decision.outcome in OPEN for decision in report.decisions):
            waits.append(self._look_ms)
            self._look_ms = min(2 * self._look_ms, SAFETY_MS)
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


class Work:
    """Of one session. Not safe for threads: whoever shares it guards it.

    A cycle is due when `rest_ms` is 0, and begins `pause_ms` later; `take` says for which wake-ups, `ended` for which it was.
    """

    def __init__(self, event: Callable[[], Event] = threading.Event) -> None:
        self._event = event
        self._waiting: list[Wake] = []
        self._flying: list[Wake] | None = None
        """Those that the present cycle covers; None until it has begun."""
        self._agenda = Agenda()
        self._pace = Pace()
        self.stopped = False
        self.tally = Tally()

    @property
    def woken(self) -> bool:
        """Somebody waits for a cycle that has not begun."""
        return bool(self._waiting)

    def wake(self, trigger: str) -> Wake:
        """Have a cycle that begins after this call."""
        wake = Wake(trigger, self._event())
        if self.stopped:
            wake.end(None)
        else:
            self._waiting.append(wake)
            self.tally = replace(self.tally, wakes=self.tally.wakes + 1)
        return wake

    def rest_ms(self, now_ms: float) -> float:
        """How long there is nothing to do, if nothing happens meanwhile."""
        return 0.0 if self.stopped or self._waiting else max(0.0, self._agenda.due_ms - now_ms)

    def pause_ms(self, now_ms: float) -> float:
        """How long the cycle that is due waits for the ones before it. To be called once for each."""
        return 0.0 if self.stopped else self._pace.wait_ms(now_ms)

    def begin(self) -> None:
        """A cycle is being prepared; nobody is covered by it yet."""
        self._flying = None

    def take(self) -> list[str]:
        """The cycle begins now: the triggers of those that it covers."""
        self._flying, self._waiting = self._waiting, []
        return [wake.trigger for wake in self._flying]

    def ended(
        self, began_ms: float, now_ms: float, at_ms: int, woken: Woken | None, error: str
    ) -> list[Wake]:
        """The cycle is over; those who are to hear of it. `at_ms` is what the wall clock says."""
        if self._flying is None:  # None could begin: those who wait are told so.
            self.take()
        self._agenda.ended(now_ms, woken.report if woken else None)
        self.tally = replace(
            self.tally,
            cycles=self.tally.cycles + 1,
            failed_in_a_row=self.tally.failed_in_a_row + 1 if error else 0,
            at_ms=at_ms,
            took_ms=round(now_ms - began_ms, 1),
            error=error,
        )
        return self._flying or []

    def left(self) -> list[Wake]:
        """Those for whom no cycle will come any more."""
        left, self._waiting = self._waiting, []
        return left
