"""The agent's work: small "tool calls", one after another, each of which has to pass the gate."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .record import Record

ENDLESS = -1


class Gate:
    """While it is engaged nothing new starts. Passing it and the start of a call are one step."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._engaged = False
        self._closed = False

    @property
    def engaged(self) -> bool:
        return self._engaged

    def engage(self) -> None:
        with self._changed:
            self._engaged = True

    def release(self) -> None:
        with self._changed:
            self._engaged = False
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def passed(self, start: Callable[[], None]) -> bool:
        """Wait until the gate is open and start. False if everything ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._engaged)
            if not self._closed:
                start()
            return not self._closed


class Worker:
    """Does calls on a thread of its own. `changed` is told when one begins or ends."""

    def __init__(self, gate: Gate, record: Record, call_s: float, changed: Callable[[], None]) -> None:
        self._gate = gate
        self._record = record
        self._call_s = call_s
        self._changed = changed
        self._more = threading.Condition()
        self._left = 0
        self._done = 0
        self._since_ms: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="work", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        with self._more:
            return self._left != 0 or self._since_ms is not None

    def calls(self) -> list[dict[str, Any]]:
        """In flight now, as the status file wants them."""
        with self._more:
            return [] if self._since_ms is None else [{"name": "work", "since_ms": self._since_ms}]

    def give(self, calls: int) -> None:
        with self._more:
            self._left = ENDLESS if calls == ENDLESS or self._left == ENDLESS else self._left + calls
            self._more.notify_all()

    def close(self) -> None:
        self._stop.set()
        self._gate.close()
        with self._more:
            self._more.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._more:
                self._more.wait_for(lambda: self._left or self._stop.is_set())
            if self._stop.is_set() or not self._gate.passed(self._begin):
                return
            self._changed()
            self._stop.wait(self._call_s)
            self._end()
            self._changed()

    def _begin(self) -> None:
        with self._more:
            self._done += 1
            self._since_ms = time.time_ns() // 1_000_000
            if self._left > 0:
                self._left -= 1
        self._record.work(self._done, "start")

    def _end(self) -> None:
        self._record.work(self._done, "end")
        with self._more:
            self._since_ms = None
