"""Reads parts of a log that another program writes, renames and empties.

The file is open only while a part is read: on Windows Stretchly cannot rename a full log that somebody has open, and cuts off
its beginning instead.
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
    """Some bytes of a file, and the size of the whole file when they were read."""

    size: int
    content: bytes


class LogFiles(Protocol):
    """How logs are read; tests give another one than `RealLogFiles`. All errors are OSErrors that name the path."""

    def read(self, path: Path, offset: int, limit: int) -> Part:
        """Read at most `limit` bytes from `offset` on; nothing if that is behind the end. Raises FileNotFoundError."""
        ...

    def mark(self, path: Path) -> tuple[int, int, int] | None:
        """Numbers that change when the file is written to, or replaced by another one: inode, size in bytes, and time of the
        last change in nanoseconds since the epoch. None if the file does not exist.
        """
        ...


class RealLogFiles:
    """Reads files on the disk."""

    def read(self, path: Path, offset: int, limit: int) -> Part:
        if not stat.S_ISREG(path.stat().st_mode):  # Check before opening: to open a pipe would block.
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
