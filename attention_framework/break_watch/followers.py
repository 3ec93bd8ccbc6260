"""Break sources that are followed in threads, so that none waits for another."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ..following import FIRST_BACK_OFF_S, Follower

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..following import Following
    from ..kinds import BreakSource

ENDS_WITHIN_S = 2.0


class Followers:
    """Follows sources until it is stopped. A source whose watch ends is followed again, later each time."""

    def __init__(
        self, sources: Sequence[BreakSource], warn: Callable[[str], None], wall_ms: Callable[[], int]
    ) -> None:
        self._woken = threading.Event()
        self._followers = {
            source.name: self._follower(
                source.name, source.watch, lambda reason: self._woken.set(), warn, wall_ms
            )
            for source in sources
        }
        self.first_back_off_s = FIRST_BACK_OFF_S

    def _follower(self, *arguments: Any) -> Follower:
        """Of one source, made of what a `Follower` is made of."""
        return Follower(*arguments)

    @property
    def following(self) -> Mapping[str, Following]:
        """How it stands with each source."""
        return {name: follower.following for name, follower in self._followers.items()}

    def start(self) -> None:
        for follower in self._followers.values():
            follower.first_back_off_s = self.first_back_off_s
            follower.start()

    def wait(self, timeout_s: float) -> bool:
        """Until a source wakes us, or so long. Says whether one did."""
        woken = self._woken.wait(timeout_s)
        self._woken.clear()  # Before anybody looks: what comes during the look is for the next one.
        return woken

    def wake(self) -> None:
        """End a wait."""
        self._woken.set()

    def stop(self) -> None:
        """A watch that hangs is left behind: its thread does not keep the process alive."""
        for follower in self._followers.values():
            follower.stop()
        for follower in self._followers.values():
            follower.join(ENDS_WITHIN_S)
