"""Looking at a lock that another process may hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ..effects import Files


def is_held(files: Files, path: Path) -> bool:
    """Whether a process holds it. The file is not made for the question."""
    if not files.exists(path):
        return False
    lock = files.try_lock(path)
    if lock is not None:
        lock.release()
    return lock is None
