"""One append at a time. Elsewhere the system does that; Windows' C library moves to the end of the file and writes there
in two steps, and whoever writes between them is written over.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

FAR: Final = 0x7FFF_FFFE
"""The byte that stands for the end of the file: a lock keeps readers from what it covers, and nothing is there."""
LOOK_EVERY_S: Final = 0.001
PATIENCE_S: Final = 5.0
"""Another holds it for one write. One that is stopped in it is no reason to lose the line."""


@contextlib.contextmanager
def alone(descriptor: int) -> Iterator[None]:
    """What is written in it to a file opened with O_APPEND follows what is there, whoever else appends like this.

    The system frees the place of one that dies.
    """
    taken = sys.platform == "win32" and _taken(descriptor)
    try:
        yield
    finally:
        if taken:
            _let_go(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _taken(descriptor: int) -> bool:
        end = time.monotonic() + PATIENCE_S
        while not _take(descriptor):
            if time.monotonic() >= end:
                return False
            time.sleep(LOOK_EVERY_S)
        return True

    def _take(descriptor: int) -> bool:
        os.lseek(descriptor, FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _let_go(descriptor: int) -> None:
        os.lseek(descriptor, FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:

    def _taken(descriptor: int) -> bool:
        return False

    def _let_go(descriptor: int) -> None: ...
