"""The real clock."""

from __future__ import annotations

import time


class RealClock:
    def wall_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic_ms(self) -> float:
        return time.monotonic_ns() / 1e6

    def sleep_ms(self, duration: float) -> None:
        time.sleep(duration / 1000)
