"""The main loop: everything that changes the state runs here, one pass after another.

A pass takes what has gathered, runs it, and then looks whether the focus is another one than after the last
pass. So two focus changes within one pass are one change, as in Herdr.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .errors import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .clock import Clock

T = TypeVar("T")


class _Item:
    """`settled`: whoever waits for it goes on after the pass,
    else right after the step (Herdr answers before it looks at the focus).
    """

    def __init__(self, step: Callable[[], object], *, settled: bool) -> None:
        self.step = step
        self.settled = settled
        self.done = threading.Event()
        self.result: object = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self.step()
        except BaseException as error:  # It is raised again where it is waited for.
            self.error = error

    def outcome(self) -> object:
        if self.error is not None:
            raise self.error
        return self.result


class Loop:
    def __init__(self, clock: Clock, after_pass: Callable[[], None]) -> None:
        self._clock = clock
        self._after_pass = after_pass
        self._changed = threading.Condition()
        self._items: list[_Item] = []
        self._stop = threading.Event()
        self._timers: set[threading.Thread] = set()
        self._thread = threading.Thread(target=self._run, name="simulated-herdr-loop", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._stop.set()
            self._changed.notify_all()
            timers = list(self._timers)
        for thread in (self._thread, *timers):
            thread.join()

    def request(self, step: Callable[[], T], gone: threading.Event) -> T:
        """Run a step for a client. Raises ApiError `server_unavailable` if the server stops first."""
        item = _Item(step, settled=False)
        self._put([item])
        while not item.done.wait(0.05):
            if gone.is_set() or self._stop.is_set():
                raise ApiError("server_unavailable", "server is shutting down")
        return cast("T", item.outcome())

    def call(self, step: Callable[[], T]) -> T:
        """Run a step and the rest of its pass."""
        return cast("T", self.one_pass([step])[0])

    def one_pass(self, steps: Sequence[Callable[[], object]]) -> list[Any]:
        """Run steps within one pass."""
        if threading.current_thread() is self._thread:
            return [step() for step in steps]
        items = [_Item(step, settled=True) for step in steps]
        self._put(items)
        while not all(item.done.wait(0.05) for item in items):
            if self._stop.is_set():
                raise RuntimeError("the simulator is closed")
        return [item.outcome() for item in items]

    def post(self, step: Callable[[], object]) -> None:
        """Run a step some time, with nobody waiting."""
        self._put([_Item(step, settled=False)])

    def after(self, seconds: float, step: Callable[[], object]) -> None:
        def wait() -> None:
            if self._clock.sleep(seconds, self._stop):
                self.post(step)
            with self._changed:
                self._timers.discard(threading.current_thread())

        timer = threading.Thread(target=wait, name="simulated-herdr-timer", daemon=True)
        with self._changed:
            self._timers.add(timer)
        timer.start()

    def _put(self, items: list[_Item]) -> None:
        with self._changed:
            self._items += items
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._items or self._stop.is_set())
                if self._stop.is_set():
                    return
                items, self._items = self._items, []
            for item in items:
                item.run()
                if not item.settled:
                    item.done.set()
            self._after_pass()
            for item in items:
                item.done.set()
