"""Times of day for people."""

from __future__ import annotations

import time

NEAR_MS = 12 * 3_600_000.0
BEYOND = "a time beyond the calendar"


def local_time(at_ms: float, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """As the clock on the wall shows it, in the form of `time.strftime`.
    Raises OverflowError, OSError or ValueError for a time that no clock shows.
    """
    return time.strftime(form, time.localtime(at_ms / 1000))


def near_time(at_ms: float, now_ms: float) -> str:
    """The same, without the day where that goes without saying; BEYOND for a time that no clock shows."""
    try:
        return local_time(at_ms, "%H:%M:%S") if abs(now_ms - at_ms) < NEAR_MS else local_time(at_ms)
    except (OSError, OverflowError, ValueError):
        return BEYOND
