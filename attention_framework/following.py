"""One thing that is followed in a thread of its own, again and again."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .bounded import describe

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_BACK_OFF_S = 1.0
LONGEST_BACK_OFF_S = 60.0
STEADY_S = 30.0
"""A watch that has lasted so long was a good one: its end is not held against the next."""


@dataclass(frozen=True, slots=True)
class Following:
    """How it stands with something that is followed."""

    state: str
    """`following`, `backing off` or `stopped`."""
    problem: str = ""
    """Why the last watch has ended."""
    back_off_s: float = 0.0
    """While it is backing off: how long altogether."""
    ended: int = 0
    """How often a watch has ended by itself."""
    since_ms: int | None = None
    """While it is backing off: when the first watch ended of those that none has lasted since."""
    again_ms: int | None = None
    """While it is backing off: when it is followed again."""


class BackOff:
    """How it stands with a watch that ends again and again, and when it is run the next time. Pure: the times are given."""

    def __init__(self, first_s: float) -> None:
        self._first_s = self._next_s = first_s
        self._since_ms: int | None = None
        self._problem = ""
        self._ended = 0

    def watch_ended(self, problem: str, lasted_s: float, now_ms: int) -> Following:
        """It rests for `back_off_s` now. `now_ms` is what the wall clock says."""
        self._problem, self._ended = problem, self._ended + 1
        if lasted_s >= STEADY_S:
            self._next_s, self._since_ms = self._first_s, None
        self._since_ms = self._since_ms or now_ms
        rest_s, self._next_s = self._next_s, min(2 * self._next_s, LONGEST_BACK_OFF_S)
        again_ms = now_ms + round(rest_s * 1000)
        return Following("backing off", problem, rest_s, self._ended, self._since_ms, again_ms)

    def watched_again(self) -> Following:
        return Following("following", self._problem, ended=self._ended)

    def stopped(self) -> Following:
        return Following("stopped", ended=self._ended)


class Follower:
    """Runs `watch(wake, stop)` until it is stopped. One that ends or raises is run again, later each time.

    :param woken: called for every wake-up, and when a watch has ended: what happens until the next is told to nobody.
    """

    def __init__(
        self,
        name: str,
        watch: Callable[[Callable[[str], None], threading.Event], None],
        woken: Callable[[str], None],
        warn: Callable[[str], None],
        wall_ms: Callable[[], int],
        first_back_off_s: float = FIRST_BACK_OFF_S,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall_ms = wall_ms
        self._monotonic_s = monotonic_s
        self._name = name
        self._watch = watch
        self._woken = woken
        self._warn = warn
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name=f"attention-{name}", daemon=True)
        self.first_back_off_s = first_back_off_s
        self.following = Following("following")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ask for the end, without waiting."""
        self._stop.set()

    def join(self, timeout_s: float) -> None:
        """A watch that hangs is left behind: its thread does not keep the process alive."""
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _follow(self) -> None:
        back_off = BackOff(self.first_back_off_s)
        while not self._stop.is_set():
            began_s = self._monotonic_s()
            problem = self._run()
            if self._stop.is_set():
                break
            self.following = back_off.watch_ended(problem, self._monotonic_s() - began_s, self._wall_ms())
            self._warn(f"{self._name}: {problem}; it is followed again in a while")
            self._woken(f"{self._name}: {problem}")
            self._stop.wait(self.following.back_off_s)
            self.following = back_off.watched_again()
        self.following = back_off.stopped()

    def _run(self) -> str:
        """Until it ends; says why it did."""
        try:
            self._watch(self._woken, self._stop)
        except BaseException as error:  # SystemExit too: a plugin does not end the process.
            return describe(error)
        return "stopped watching"
