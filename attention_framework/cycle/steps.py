"""How long the steps of a cycle took."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..effects import Clock


class Stopwatch:
    """Laps in milliseconds, in order."""

    def __init__(self, clock: Clock, process_start_ms: float | None = None) -> None:
        self._clock = clock
        self._last = clock.monotonic_ms()
        self._laps: list[tuple[str, float]] = (
            [] if process_start_ms is None else [("process-start", round(process_start_ms, 2))]
        )

    def lap(self, step: str) -> None:
        now = self._clock.monotonic_ms()
        self._laps.append((step, round(now - self._last, 2)))
        self._last = now

    @property
    def steps(self) -> tuple[tuple[str, float], ...]:
        return tuple(self._laps)
