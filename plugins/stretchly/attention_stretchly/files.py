"""Reading a part of a log that another program writes, renames and empties.

The file is open only while a part is read: as long as Python has it open on Windows, Stretchly cannot rename
it, and cuts it instead.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of a file, and its size when they were read."""

    size: int
    content: bytes


class LogFiles(Protocol):
    """Errors are OSErrors with the path."""

    def read(self, path: Path, offset: int, limit: int) -> Part:
        """At most `limit` bytes from `offset` on; none behind the end. Raises FileNotFoundError."""
        ...

    def mark(self, path: Path) -> tuple[int, int, int] | None:
        """What changes when another file takes this place, or this one is written to; None if it is not
        there.
        """
        ...


class RealLogFiles:
    """On the disk."""

    def read(self, path: Path, offset: int, limit: int) -> Part:
        if not stat.S_ISREG(path.stat().st_mode):  # Before opening: a pipe would wait for its writer.
            raise OSError(f"{path} is not a file")
        with path.open("rb", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(offset)
            return Part(size, file.read(limit))

    def mark(self, path: Path) -> tuple[int, int, int] | None:
        try:
            found = path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns
