"""One lock file, held by the system: it is free again when its holder dies, however that happens."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POLL_S = 0.2

if sys.platform == "win32":
    import msvcrt

    def try_lock(file: IO[bytes], *, shared: bool = False) -> bool:
        """Windows knows only exclusive locks here; `shared` then means that one holder waits for the other."""
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(file: IO[bytes], *, shared: bool = False) -> bool:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


@contextmanager
def locked(path: Path, *, shared: bool = False, waiting_for: str = "") -> Iterator[IO[bytes]]:
    """Hold the lock of `path` while the block runs; say once that another run holds it, then wait as long as it does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_RDWR | os.O_CREAT), "r+b") as file:
        told = not waiting_for
        while not try_lock(file, shared=shared):
            if not told:
                print(f"waiting for another run: {waiting_for}", file=sys.stderr, flush=True)
                told = True
            time.sleep(POLL_S)
        yield file
