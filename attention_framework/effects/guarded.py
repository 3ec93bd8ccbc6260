"""Files that a command which only looks cannot change."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from .files import RealFiles

if TYPE_CHECKING:
    from pathlib import Path

    from .protocols import Lock

ONLY_LOOKS = "this command only looks"


class GuardedFiles(RealFiles):
    """Every change is refused, with an OSError that says so, as long as it is `closed`."""

    def __init__(self) -> None:
        self.closed = True

    def write(self, path: Path, content: bytes) -> None:
        self._check(path)
        super().write(path, content)

    def create(self, path: Path, content: bytes = b"") -> None:
        self._check(path)
        super().create(path, content)

    def append(self, path: Path, content: bytes) -> None:
        self._check(path)
        super().append(path, content)

    def rename(self, source: Path, target: Path) -> None:
        self._check(source)
        super().rename(source, target)

    def remove(self, path: Path) -> bool:
        if self.closed and not path.exists():
            return False
        self._check(path)
        return super().remove(path)

    def remove_folder(self, path: Path) -> bool:
        self._check(path)
        return super().remove_folder(path)

    def remove_tree(self, path: Path) -> None:
        self._check(path)
        super().remove_tree(path)

    def make_folder(self, path: Path) -> None:
        self._check(path)
        super().make_folder(path)

    def try_lock(self, path: Path) -> Lock | None:
        """Nobody holds the lock of a file that is not there, and it stays so."""
        return NoLock() if self.closed and not path.exists() else super().try_lock(path)

    def _check(self, path: Path) -> None:
        if self.closed:
            raise OSError(errno.EROFS, ONLY_LOOKS, str(path))


class NoLock:
    """A lock that was free when it was looked at."""

    def release(self) -> None: ...
