"""Waiting for something that a real program does, for a limited time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
LOOK_EVERY_S = 0.01


def until(condition: Callable[[], T], timeout_s: float = 5.0, what: str = "") -> T:
    """Call `condition` every 10 ms until its value is true, and return that value. Raises TimeoutError after `timeout_s`
    seconds; the message has the last value, and `what`: what was waited for.

    Only for what other processes do. For what happens in this process, use an event, or the clock in memory.
    """
    end = time.monotonic() + timeout_s
    while not (value := condition()):
        if time.monotonic() >= end:
            raise TimeoutError(f"not within {timeout_s:g} s: {what or condition!r}; last value: {value!r}")
        time.sleep(LOOK_EVERY_S)
    return value
