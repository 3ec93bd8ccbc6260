"""Being asked to stop by a signal, without being torn out of what is being done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

STOPPED_BY = ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP")
"""As far as the system has them."""


class Stop:
    """Whether to stop. Plain attributes: a handler that sets an event could wait for a lock that the thread
    it has interrupted holds.
    """

    asked = False
    """Whether a signal has come."""
    number = 0
    """The signal that asked first."""

    @property
    def exit_code(self) -> int:
        """What a shell reports of a program that this signal has ended: 130 for Ctrl-C, 143 for SIGTERM."""
        return 128 + self.number


@contextmanager
def stopped_by_signals() -> Iterator[Stop]:
    """These signals ask for the end, and do not tear what is being done."""
    import signal

    stop = Stop()

    def ask(number: int, frame: FrameType | None) -> None:
        stop.number = stop.number or number
        stop.asked = True

    numbers = [getattr(signal, name) for name in STOPPED_BY if hasattr(signal, name)]
    # Under `nohup` a terminal that goes is no reason to stop.
    numbers = [
        number
        for number in numbers
        if number != getattr(signal, "SIGHUP", None) or signal.getsignal(number) is not signal.SIG_IGN
    ]
    before = [(number, signal.signal(number, ask)) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in before:
            signal.signal(number, handler)
