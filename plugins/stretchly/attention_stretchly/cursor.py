"""A place in a file from which reading goes on, recognized by the bytes just before it.

The number of the file (inode) does not help: a file that is renamed or emptied keeps its number, and a new file may get the
number of one that was removed. So the bytes are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .files import LogFiles

CHUNK: Final = 1 << 20
TAIL: Final = 16 << 20
"""How many bytes at the end of a file are read; what comes before them is skipped. Stretchly's logs have 1 MiB."""
SAMPLE: Final = 1024
"""How many bytes before the place are remembered."""
LEAST_SAMPLE: Final = 64
"""With fewer bytes than this the place is not looked for in another file: they may occur there by chance."""
CROP_AREA: Final = 1 << 20
"""How many bytes at the beginning of a log are searched for the place after electron-log has cut it. It leaves 256 KiB; more
may have been written after that before we look.
"""


class Moved(Exception):
    """This file does not have the remembered bytes before the place: it was cut, moved or replaced."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a file."""

    content: bytes
    after_gap: bool
    """Whether bytes before it were skipped, because there were more than `TAIL`."""


class Cursor:
    """A place in a file, at first its beginning. Reading moves it on."""

    def __init__(self, files: LogFiles) -> None:
        self._files = files
        self._offset = 0
        self._sample = b""

    def read_on(self, path: Path) -> Iterator[Chunk]:
        """Read what the file has after the place, in chunks. Raises Moved if the place is not in it, and OSError."""
        left = TAIL + CHUNK  # Without a limit this would not end for a file that grows as fast as it is read.
        while left > 0:
            part = self._files.read(path, self._offset - len(self._sample), len(self._sample) + CHUNK)
            if not part.content.startswith(self._sample):
                raise Moved
            if far := part.size - self._offset > TAIL:
                self._offset, self._sample = part.size - TAIL, b""
                part = self._files.read(path, self._offset, CHUNK)
            added = part.content[len(self._sample) :]
            if not added:
                return
            self._advance(added)
            left -= len(added)
            yield Chunk(added, far)

    def goes_on_in(self, path: Path) -> bool:
        """Whether the place is in that file, as many bytes from its beginning as before. Raises OSError."""
        if len(self._sample) < LEAST_SAMPLE:
            return False
        part = self._files.read(path, self._offset - len(self._sample), len(self._sample))
        return part.content == self._sample

    def find_in(self, path: Path) -> bool:
        """Look for the place in a file whose beginning was cut off, and move there. Returns whether it was found. Raises
        OSError.
        """
        if len(self._sample) < LEAST_SAMPLE:
            return False
        found = self._files.read(path, 0, CROP_AREA).content.find(self._sample)
        if found >= 0:
            self._offset = found + len(self._sample)
        return found >= 0

    def _advance(self, added: bytes) -> None:
        self._offset += len(added)
        self._sample = (self._sample + added[-SAMPLE:])[-SAMPLE:]
