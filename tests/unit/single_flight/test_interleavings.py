"""Every order of steps that a seed gives: no event is lost,
no two cycles run at once. The tempting variants lose one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from attention_framework.single_flight import Coalesced, Flown, mark

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = 600


def test_no_event_is_lost_and_no_two_cycles_run_at_once(chosen: Any, play_seed: Any) -> None:
    died = 0
    for seed in range(SEEDS):
        story = play_seed(chosen, seed)
        assert not story.lost, f"seed {seed}"
        assert not story.early, f"seed {seed}: ended before its event was covered"
        assert not story.together, f"seed {seed}"
        assert len(story.ended) + len(story.died) == 3, f"seed {seed}"
        died += len(story.died)
    assert died > SEEDS / 10, "deaths are part of what is tried"


def _look_again(folder: Any, files: Any, once: Any) -> Any:
    """What those do who leave when the lock is busy: look again after letting go, until nothing is left."""
    result = None
    while (lock := files.try_lock(folder.lock)) is not None:
        try:
            while files.names(folder.wake):
                result = Flown(once())
        finally:
            lock.release()
        if not files.names(folder.wake):
            break
    return result or Coalesced()


class LeaveWhenBusy:
    """As good as it gets by looking again: only the death of the holder loses an event."""

    mark = staticmethod(mark)

    def fly(self, folder: Any, marker: Path, files: Any, clock: Any, cycle: Any) -> Any:
        def once() -> Any:
            seen = files.names(folder.wake)
            result, _ = cycle(seen)
            for name in seen:
                files.remove(folder.wake / name)
            return result

        return _look_again(folder, files, once)


class RemoveFirst(LeaveWhenBusy):
    def fly(self, folder: Any, marker: Path, files: Any, clock: Any, cycle: Any) -> Any:
        def once() -> Any:
            for name in files.names(folder.wake):
                files.remove(folder.wake / name)
            return cycle([])[0]

        return _waiting(folder, marker, files, clock, once)


class ListLate(LeaveWhenBusy):
    def fly(self, folder: Any, marker: Path, files: Any, clock: Any, cycle: Any) -> Any:
        def once() -> Any:
            result, _ = cycle([])
            for name in files.names(folder.wake):
                files.remove(folder.wake / name)
            return result

        return _waiting(folder, marker, files, clock, once)


class OneSharedFile:
    def mark(self, folder: Any, files: Any, trigger: str) -> Path:
        marker: Path = folder.wake / "dirty"
        files.write(marker, uuid4().bytes)
        return marker

    def fly(self, folder: Any, marker: Path, files: Any, clock: Any, cycle: Any) -> Any:
        def once() -> Any:
            result, _ = cycle([])
            files.remove(marker)
            return result

        return _waiting(folder, marker, files, clock, once)


def _waiting(folder: Any, marker: Path, files: Any, clock: Any, once: Any) -> Any:
    """The frame of the real one: wait until the marker is gone or the lock is free."""
    while files.exists(marker):
        lock = files.try_lock(folder.lock)
        if lock is None:
            clock.sleep_ms(5)
            continue
        try:
            return Flown(once()) if files.exists(marker) else Coalesced()
        finally:
            lock.release()
    return Coalesced()


@pytest.mark.parametrize(
    ("variant", "crashes"),
    [(LeaveWhenBusy, 1), (RemoveFirst, 1), (ListLate, 0), (OneSharedFile, 0)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_tempting_variant_loses_an_event(play_seed: Any, variant: Any, crashes: int) -> None:
    protocols = variant()
    assert any(play_seed(protocols, seed, crashes=crashes).lost for seed in range(SEEDS))


def test_without_the_lock_two_cycles_run_at_once(play_seed: Any, chosen: Any) -> None:
    class Unlocked:
        mark = staticmethod(mark)

        def fly(self, folder: Any, marker: Path, files: Any, clock: Any, cycle: Any) -> Any:
            if not files.exists(marker):
                return Coalesced()
            seen = files.names(folder.wake)
            result, _ = cycle(seen)
            for name in seen:
                files.remove(folder.wake / name)
            return Flown(result)

    assert any(play_seed(Unlocked(), seed).together for seed in range(SEEDS))
