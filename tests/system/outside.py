"""What a resident controller follows: the events of the host, and a break source. Neither ends when it dies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from attention_framework import Break
from attention_framework.breaks import latest_end

if TYPE_CHECKING:
    from collections.abc import Callable

    from .scheduler import Flag, SharedClock


class Watcher:
    """One watch under way."""

    def __init__(self, wake: Callable[[str], None], stop: Flag) -> None:
        self.wake = wake
        self.stop = stop
        self.dies = False

    @property
    def over(self) -> bool:
        return self.dies or self.stop.is_set()


class Watched:
    """Something that is watched by whoever wants to."""

    def __init__(self, clock: SharedClock) -> None:
        self._clock = clock
        self.watchers: list[Watcher] = []
        self.died_ms: dict[Flag, float] = {}
        """When the last watch ended of each follower, which is known by the flag that stops it."""
        self.soonest_ms = math.inf
        """The shortest time between the end of a watch and the next of the same follower."""

    def watch_it(self, wake: Callable[[str], None], stop: Any) -> None:
        now_ms = self._clock.monotonic_ms()
        self.soonest_ms = min(self.soonest_ms, now_ms - self.died_ms.get(stop, -math.inf))
        watcher = Watcher(wake, stop)
        self.watchers.append(watcher)
        try:
            self._clock.wait_until(lambda: watcher.over, math.inf)
        finally:
            self.watchers.remove(watcher)
            self.died_ms[stop] = self._clock.monotonic_ms()
        if watcher.dies:
            raise RuntimeError("it has died")

    def tell(self, reason: str) -> None:
        for watcher in [one for one in self.watchers if not one.over]:
            watcher.wake(reason)

    def die(self) -> None:
        for watcher in self.watchers:
            watcher.dies = True


class HostEvents(Watched):
    def watch(self, session: object, wake: Callable[[str], None], stop: Any) -> None:
        self.watch_it(wake, stop)


class ScriptedBreaks(Watched):
    """A break source. What it says is right as long as it says something that can be understood."""

    name = "scripted"

    def __init__(self, clock: SharedClock) -> None:
        super().__init__(clock)
        self.going: dict[str, Break] = {}
        self.latest_ms: dict[str, int] = {}
        """The end of every break that there was, as it was told."""
        self.answers = True
        self.raises = False
        """How it does not answer."""
        self.changed_ms = -math.inf

    def current(self) -> Any:
        if self.answers:
            return list(self.going.values())
        if self.raises:
            raise RuntimeError("it cannot be asked")
        return "nonsense"

    def watch(self, wake: Callable[[str], None], stop: Any) -> None:
        self.watch_it(wake, stop)

    def begin(self, run: str, lasts_ms: int | None) -> None:
        now_ms = self._clock.wall_ms()
        found = Break(run, "long", now_ms, None if lasts_ms is None else now_ms + lasts_ms)
        self.going[run] = found
        self.latest_ms[run] = latest_end(found)
        self.changed()

    def end(self, run: str) -> None:
        del self.going[run]
        self.changed()

    def changed(self) -> None:
        self.changed_ms = self._clock.monotonic_ms()
