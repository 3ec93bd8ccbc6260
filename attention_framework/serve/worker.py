"""The cycles of one session: one at a time, each for all wake-ups that have arrived before it began."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from .work import Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..effects import Clock
    from ..runner import Woken
    from .work import Tally, Wake

LOOK = "look"
"""The trigger of a cycle that nothing has caused."""


class Worker:
    """Does its work in a thread of its own. What there is to do, and when, is for `Work` to say."""

    def __init__(
        self,
        name: str,
        cycle: Callable[[Callable[[], Sequence[str]]], Woken],
        clock: Clock,
        work: Work | None = None,
    ) -> None:
        self._cycle = cycle
        """Runs one; calls what it is given when it begins, and raises for what nobody expected."""
        self._clock = clock
        self._changed = threading.Condition()
        self.work = work or Work()
        """Only for who drives it; threads come through the methods."""
        self._thread = threading.Thread(target=self._run, name=f"attention-cycles-{name}", daemon=True)

    @property
    def tally(self) -> Tally:
        return self.work.tally

    def start(self) -> None:
        self._thread.start()

    def wake(self, trigger: str) -> Wake:
        """Have a cycle that begins after this call."""
        with self._changed:
            wake = self.work.wake(trigger)
            self._changed.notify_all()
        return wake

    def wait_for_cycle(self, after: int, timeout_s: float) -> None:
        """Until more than so many cycles have ended, or so long."""
        with self._changed:
            self._changed.wait_for(lambda: self.work.stopped or self.tally.cycles > after, timeout_s)

    def stop(self) -> None:
        """Nothing begins any more; a cycle that has begun goes on to its end."""
        with self._changed:
            self.work.stopped = True
            self._changed.notify_all()

    def join(self, timeout_s: float) -> None:
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def step(self) -> None:
        """One cycle for all that is waiting."""
        began_ms = self._clock.monotonic_ms()
        self.work.begin()
        try:
            woken, error = self._cycle(self._take), ""
        except Exception as problem:  # A cycle that breaks must not end all that come after it.
            woken, error = None, f"{type(problem).__name__}: {problem}"
        error = woken.error if woken else error
        with self._changed:
            covered = self.work.ended(
                began_ms, self._clock.monotonic_ms(), self._clock.wall_ms(), woken, error
            )
            self._changed.notify_all()
        for wake in covered:
            wake.end(woken)

    def finish(self) -> None:
        """After the stop: nobody waits any more."""
        with self._changed:
            left = self.work.left()
        for wake in left:
            wake.end(None)

    def _take(self) -> list[str]:
        with self._changed:
            return self.work.take() or [LOOK]

    def _run(self) -> None:
        while self._wait():
            self.step()
        self.finish()

    def _wait(self) -> bool:
        """Until there is something to do; False when this is the end."""
        with self._changed:
            while (rest_ms := self.work.rest_ms(self._clock.monotonic_ms())) > 0:
                self._changed.wait(rest_ms / 1000)
            pause_ms = self.work.pause_ms(self._clock.monotonic_ms())
            if pause_ms > 0:
                self._changed.wait_for(lambda: self.work.stopped, pause_ms / 1000)
            return not self.work.stopped
