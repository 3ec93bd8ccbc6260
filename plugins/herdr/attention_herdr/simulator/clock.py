"""The simulator's time: the real one, or one that a test moves by hand."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    def now_s(self) -> float:
        """Seconds on a clock that never goes back."""

    def wall_ms(self) -> int:
        """Milliseconds since the epoch."""

    def sleep(self, seconds: float, stop: threading.Event) -> bool:
        """Wait. False if `stop` was set before the time was over."""


class SystemClock:
    def now_s(self) -> float:
        return time.monotonic()

    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def sleep(self, seconds: float, stop: threading.Event) -> bool:
        return not stop.wait(seconds)


class ManualClock:
    """Stands still until `advance` is called.
    A test waits for `sleepers` to know that a thread has reached its sleep.
    """

    _STOP_LOOK_S = 0.02

    def __init__(self, wall_ms: int = 1_796_000_000_000) -> None:
        self._moved = threading.Condition()
        self._start_ms = wall_ms
        self._now_s = 0.0
        self._ends: list[float] = []

    def now_s(self) -> float:
        with self._moved:
            return self._now_s

    def wall_ms(self) -> int:
        return self._start_ms + round(self.now_s() * 1000)

    def sleepers(self) -> list[float]:
        """Seconds that each sleeping thread has still to wait, the shortest first."""
        with self._moved:
            return sorted(round(end - self._now_s, 6) for end in self._ends)

    def advance(self, seconds: float) -> None:
        with self._moved:
            self._now_s = round(self._now_s + seconds, 6)
            self._moved.notify_all()

    def sleep(self, seconds: float, stop: threading.Event) -> bool:
        with self._moved:
            end = round(self._now_s + seconds, 6)
            self._ends.append(end)
            try:
                while self._now_s < end and not stop.is_set():
                    self._moved.wait(self._STOP_LOOK_S)
            finally:
                self._ends.remove(end)
        return not stop.is_set()
