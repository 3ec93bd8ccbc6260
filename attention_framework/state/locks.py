"""Looking at a lock that another process may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ..effects import Effects, Files, Lock


LOOKS, PAUSE_MS = 5, 20.0


def is_held(files: Files, path: Path) -> bool:
    """Whether a process holds it. The file is not made for the question."""
    if not files.exists(path):
        return False
    lock = files.try_lock(path)
    if lock is not None:
        lock.release()
    return lock is None


def take_past_looks(effects: Effects, path: Path) -> Lock | None:
    """The lock; None where another process keeps it. One that only looks, as `is_held` does, has it for an instant."""
    for _ in range(LOOKS):
        if (lock := effects.files.try_lock(path)) is not None:
            return lock
        effects.clock.sleep_ms(PAUSE_MS)
    return None
