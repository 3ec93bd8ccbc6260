"""Times of day for people."""

from __future__ import annotations

import time


def local_time(at_ms: float, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    """As the clock on the wall shows it, in the form of `time.strftime`.
    Raises OverflowError, OSError or ValueError for a time that no clock shows.
    """
    return time.strftime(form, time.localtime(at_ms / 1000))
