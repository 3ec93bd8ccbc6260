"""Wake-ups: single flight with a trailing edge.

Every wake-up leaves a marker of its own before anything else. Whoever holds the lock lists the markers,
runs a cycle, and removes those it had listed; so a marker that is gone has been covered by a cycle that
began after it was there, and its process may end. A process that waits goes on waiting until its own marker
is gone or the lock is free: leaving earlier would lose the event if the holder dies.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from .effects import Clock, Files, Lock
    from .state.folder import SessionFolder

T = TypeVar("T")
LOOK_EVERY_MS = 5.0
BOUND_MS = 30_000.0


@dataclass(frozen=True, slots=True)
class Flown(Generic[T]):
    """This process ran the cycle."""

    result: T


@dataclass(frozen=True, slots=True)
class Coalesced:
    """A cycle of another process, begun after the marker was there, has covered it."""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The lock was not free within the bound. The marker stays for the next cycle."""

    marker: Path | None


def mark(folder: SessionFolder, files: Files, trigger: str) -> Path:
    """Leave a wake-up marker that says what woke us."""
    marker = folder.wake / uuid4().hex
    files.create(marker, trigger.encode())
    return marker


def line_up(
    folder: SessionFolder, marker: Path, files: Files, clock: Clock, bound_ms: float = BOUND_MS
) -> Lock | None:
    """Wait to be the next in line; None if the marker has been covered meanwhile, or the bound is over.

    One process at a time prepares for the cycle after the running one, and lets go of its place when its
    own cycle begins. In a storm the others cost no more than their start.
    """
    end = clock.monotonic_ms() + bound_ms
    while files.exists(marker):
        place = files.try_lock(folder.line)
        if place is not None or clock.monotonic_ms() >= end:
            return place
        clock.sleep_ms(LOOK_EVERY_MS)
    return None


def fly(
    folder: SessionFolder,
    marker: Path | None,
    files: Files,
    clock: Clock,
    cycle: Callable[[Sequence[str]], tuple[T, bool]],
    bound_ms: float = BOUND_MS,
) -> Flown[T] | Coalesced | TimedOut:
    """Run `cycle` or see it covered. `cycle` gets the triggers of all
    markers and says whether it went well; if not, the markers stay.

    Without a marker nothing covers it: whoever keeps its wake-ups in memory cannot know
    which of them another process's cycle came after.
    """
    end = clock.monotonic_ms() + bound_ms
    while marker is None or files.exists(marker):
        lock = files.try_lock(folder.lock)
        if lock is not None:
            try:
                if marker is not None and not files.exists(marker):
                    break
                return Flown(_fly_locked(folder, files, cycle))
            finally:
                lock.release()
        if clock.monotonic_ms() >= end:
            return TimedOut(marker)
        clock.sleep_ms(LOOK_EVERY_MS)
    return Coalesced()


def _fly_locked(folder: SessionFolder, files: Files, cycle: Callable[[Sequence[str]], tuple[T, bool]]) -> T:
    seen = files.names(folder.wake)
    result, well = cycle(sorted({_trigger(folder, files, name) for name in seen} - {""}))
    if well:
        for name in seen:
            with suppress(OSError):  # One that cannot be removed costs another cycle, no event.
                files.remove(folder.wake / name)
    return result


def _trigger(folder: SessionFolder, files: Files, name: str) -> str:
    try:
        return files.read(folder.wake / name).decode(errors="replace")
    except OSError:
        return ""
