"""How often event lines become wake-ups.

A new subscription first brings what Herdr still has of the past, one line each 100 ms, up to 512 of them,
with no mark where it ends (facts read in 0.8.2: `api/subscriptions.rs`). A line is a wake-up and nothing
else, so the past does no harm, but it need not start a cycle ten times a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

QUIET_MS: Final = 300.0
"""So long without a line, and the past is over: three ticks of Herdr's."""
PAST_GAP_MS: Final = 1000.0
LIVE_GAP_MS: Final = 50.0


class Pacer:
    """The first line wakes at once; those within the gap after
    it become one more wake-up at its end. Times are the caller's.
    """

    def __init__(self, wake: Callable[[str], None], now_ms: float) -> None:
        self._wake = wake
        self._past = True
        self._last_line_ms = now_ms
        self._last_wake_ms: float | None = None
        self._held: str | None = None

    def line(self, reason: str, now_ms: float) -> None:
        self._leave_past(now_ms)
        self._last_line_ms = now_ms
        if self._last_wake_ms is None or now_ms >= self._last_wake_ms + self._gap_ms:
            self._give(reason, now_ms)
        else:
            self._held = reason

    def tick(self, now_ms: float) -> None:
        """Time has passed."""
        self._leave_past(now_ms)
        if self._held is not None and self.due_in(now_ms) <= 0:
            self._give(self._held, now_ms)

    def due_in(self, now_ms: float) -> float:
        """Milliseconds until `tick` has something to do; infinite if nothing is held back."""
        if self._held is None or self._last_wake_ms is None:
            return float("inf")
        due_ms = self._last_wake_ms + self._gap_ms
        return (min(due_ms, self._last_line_ms + QUIET_MS) if self._past else due_ms) - now_ms

    @property
    def _gap_ms(self) -> float:
        return PAST_GAP_MS if self._past else LIVE_GAP_MS

    def _leave_past(self, now_ms: float) -> None:
        if now_ms >= self._last_line_ms + QUIET_MS:
            self._past = False

    def _give(self, reason: str, now_ms: float) -> None:
        self._held, self._last_wake_ms = None, now_ms
        self._wake(reason)
