"""Faults to order for tests: what the server does instead of answering well."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Final, Literal

Kind = Literal["cut", "oversized", "not-json", "error", "hang", "delay", "close", "stop"]
EVERY = "*"


ALWAYS: Final = 1_000
"""Times of a fault that is to meet every attempt: a client that reads may ask on a second connection as well, and one that
asked before may still be answered.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """One order.

    `cut`: half of the reply, then the end. `oversized`: a reply of `size` bytes. `not-json`: a line that is
    none. `error`: the error `code` with `message`. `hang`: no reply and no end until the client leaves.
    `delay`: `delay_s` before the reply. `close`: the end at once. `stop`: half of the reply, then the whole
    server stops.
    """

    kind: Kind
    times: int = 1
    code: str = "never_seen_before"
    message: str = "a code that no version is known to send"
    delay_s: float = 0.1
    size: int = 64 * 1024 * 1024


class Faults:
    """The orders that are open, by method; `*` stands for every method."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, list[Fault]] = {}

    def add(self, method: str, fault: Fault) -> None:
        with self._lock:
            self._open.setdefault(method, []).append(fault)

    def open(self) -> int:
        """How many orders have not been met yet."""
        with self._lock:
            return sum(order.times for orders in self._open.values() for order in orders)

    def clear(self) -> None:
        with self._lock:
            self._open.clear()

    def take(self, method: str) -> Fault | None:
        """The fault for this request, which uses up one of its times."""
        with self._lock:
            for name in (method, EVERY):
                if orders := self._open.get(name):
                    first = orders.pop(0)
                    if first.times > 1:
                        orders.insert(0, replace(first, times=first.times - 1))
                    return first
        return None
