"""Waiting for real programs, with a bound."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
LOOK_EVERY_S = 0.01


def until(condition: Callable[[], T], timeout_s: float = 5.0, what: str = "") -> T:
    """The first true value of `condition`. Raises TimeoutError, with its last value or `what` was waited for.

    Only for what happens outside of this process: inside it, use an event or the in-memory clock.
    """
    end = time.monotonic() + timeout_s
    while not (value := condition()):
        if time.monotonic() >= end:
            raise TimeoutError(f"not within {timeout_s:g} s: {what or condition!r}; last value: {value!r}")
        time.sleep(LOOK_EVERY_S)
    return value
