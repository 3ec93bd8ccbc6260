"""Break sources that are followed in threads, so that none waits for another."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..bounded import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..kinds import BreakSource

FIRST_BACK_OFF_S = 1.0
LONGEST_BACK_OFF_S = 60.0
ENDS_WITHIN_S = 2.0


class Followers:
    """Follows sources until it is stopped. A source whose watch ends is followed again, later each time."""

    def __init__(self, sources: Sequence[BreakSource], warn: Callable[[str], None]) -> None:
        self._sources = sources
        self._warn = warn
        self._stop = threading.Event()
        self._woken = threading.Event()
        self._threads = [
            threading.Thread(
                target=self._follow, args=(source,), name=f"attention-{source.name}", daemon=True
            )
            for source in sources
        ]
        self.first_back_off_s = FIRST_BACK_OFF_S

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def wait(self, timeout_s: float) -> bool:
        """Until a source wakes us, or so long. Says whether one did."""
        woken = self._woken.wait(timeout_s)
        self._woken.clear()  # Before anybody looks: what comes during the look is for the next one.
        return woken

    def stop(self) -> None:
        """A watch that hangs is left behind: its thread does not keep the process alive."""
        self._stop.set()
        for thread in self._threads:
            thread.join(ENDS_WITHIN_S)

    def _follow(self, source: BreakSource) -> None:
        back_off_s = self.first_back_off_s
        while not self._stop.is_set():
            problem = self._watch(source)
            if self._stop.is_set():
                return
            self._warn(f"{source.name}: {problem}; it is followed again in a while")
            self._woken.set()
            self._stop.wait(back_off_s)
            back_off_s = min(2 * back_off_s, LONGEST_BACK_OFF_S)

    def _watch(self, source: BreakSource) -> str:
        """Until it ends; says why it did."""
        try:
            source.watch(lambda reason: self._woken.set(), self._stop)
        except BaseException as error:  # SystemExit too: a plugin does not end the process.
            return describe(error)
        return "stopped watching"
