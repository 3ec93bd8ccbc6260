"""Faults for the in-memory disk: errors of the system, and the death of a process between any two steps."""

from __future__ import annotations

import errno as errnos
import os
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Crash(BaseException):
    """The process has died.

    No `except Exception` may survive it, and nothing that it does afterwards has an effect.
    """


@dataclass(slots=True)
class _Failure:
    operation: str
    number: int
    pattern: str
    times: int

    def hits(self, operation: str, path: Path) -> bool:
        return (
            self.times > 0 and fnmatch(operation, self.operation) and fnmatch(path.as_posix(), self.pattern)
        )


class Faults:
    """What goes wrong, and when.

    Operations are named as the methods of `Files`; replacing a file is two, `write` and `replace`.
    """

    def __init__(self) -> None:
        self.count = 0
        """Operations so far, so that a test can crash at each of them in turn."""
        self._failures: list[_Failure] = []
        self._before: int | None = None
        self._after: int | None = None

    def fail(
        self, operation: str, number: int = errnos.EACCES, *, path: str = "*", times: int = 1_000_000
    ) -> None:
        """Let operations fail with this errno; `operation` and `path`
        are patterns, the latter with slashes on every system.
        """
        self._failures.append(_Failure(operation, number, path, times))

    def full_disk(self) -> None:
        """Whatever needs room fails with ENOSPC."""
        for operation in ("write", "create", "append", "make_folder"):
            self.fail(operation, errnos.ENOSPC)

    def crash_before(self, nth: int) -> None:
        """Die instead of carrying out the nth operation from now, counted from 1."""
        self._before = self.count + nth

    def crash_after(self, nth: int) -> None:
        """Die right after the nth operation from now has taken effect."""
        self._after = self.count + nth

    def clear(self) -> None:
        """Nothing goes wrong any more."""
        self._failures.clear()
        self._before = self._after = None

    def enter(self, operation: str, path: Path) -> None:
        """Raise what is due before this operation."""
        self.count += 1
        if self._before == self.count:
            raise Crash(f"before operation {self.count}: {operation} {path}")
        for failure in self._failures:
            if failure.hits(operation, path):
                failure.times -= 1
                raise OSError(failure.number, os.strerror(failure.number), str(path))

    def leave(self, operation: str, path: Path) -> None:
        """Raise what is due after this operation."""
        if self._after == self.count:
            raise Crash(f"after operation {self.count}: {operation} {path}")
