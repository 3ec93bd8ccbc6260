"""Faults for the disk in memory: errors of the operating system, and the death of a process between any two operations."""

from __future__ import annotations

import errno as errnos
import os
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Crash(BaseException):
    """The simulated process has died: `Faults` raises this instead of letting it go on.

    It is a BaseException, so that no `except Exception` of the code under test catches it. Everything that this process
    does with the disk afterwards raises it again, and changes nothing.
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
    """What goes wrong on a `MemoryDisk`, and when. A test sets it on `memory.disk.faults`.

    An operation has the name of the method of `Files`. `Files.write` is two operations: `write` puts the content into a
    temporary file, and `replace` gives this file its name.
    """

    def __init__(self) -> None:
        self.count = 0
        """How many operations there have been. A test can run once to count them, and then crash at each of them in turn."""
        self._failures: list[_Failure] = []
        self._before: int | None = None
        self._after: int | None = None

    def fail(
        self, operation: str, number: int = errnos.EACCES, *, path: str = "*", times: int = 1_000_000
    ) -> None:
        """From now on, let operations fail with an OSError. `operation` and `path` are patterns with `*`, as in `fnmatch`;
        paths are compared with slashes on every system. `number` is the errno, by default EACCES (not permitted). After
        `times` failures these operations work again.
        """
        self._failures.append(_Failure(operation, number, path, times))

    def full_disk(self) -> None:
        """From now on, every operation that needs room on the disk fails with ENOSPC."""
        for operation in ("write", "create", "append", "make_folder"):
            self.fail(operation, errnos.ENOSPC)

    def crash_before(self, nth: int) -> None:
        """Let the process die before the nth operation from now, so that it has no effect. The next one is 1."""
        self._before = self.count + nth

    def crash_after(self, nth: int) -> None:
        """Let the process die directly after the nth operation from now, which has its effect. The next one is 1."""
        self._after = self.count + nth

    def clear(self) -> None:
        """Take all faults back: nothing goes wrong any more."""
        self._failures.clear()
        self._before = self._after = None

    def enter(self, operation: str, path: Path) -> None:
        """Raise the fault that is set for the moment before this operation. `MemoryFiles` calls it."""
        self.count += 1
        if self._before == self.count:
            raise Crash(f"before operation {self.count}: {operation} {path}")
        for failure in self._failures:
            if failure.hits(operation, path):
                failure.times -= 1
                raise OSError(failure.number, os.strerror(failure.number), str(path))

    def leave(self, operation: str, path: Path) -> None:
        """Raise the fault that is set for the moment after this operation. `MemoryFiles` calls it."""
        if self._after == self.count:
            raise Crash(f"after operation {self.count}: {operation} {path}")
