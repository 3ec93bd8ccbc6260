"""A place in a file, known again by the bytes just before it.

The bytes are compared, not the identity of the file: a renamed log keeps it, an emptied one keeps it too,
and a new one may get that of a removed one.
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
"""Bytes at the end of a file that are read; what lies before is skipped. Stretchly's logs have 1 MiB."""
SAMPLE: Final = 1024
LEAST_SAMPLE: Final = 64
"""Fewer bytes than these could stand anywhere."""
CROP_AREA: Final = 1 << 20
"""What electron-log leaves of a log that it cuts, and whatever is written after it before we look again. It
leaves 256 KiB.
"""


class Moved(Exception):
    """The file does not go on at this place."""


@dataclass(frozen=True, slots=True)
class Chunk:
    content: bytes
    after_gap: bool
    """Whether bytes before it were skipped."""


class Cursor:
    """Where reading goes on."""

    def __init__(self, files: LogFiles) -> None:
        self._files = files
        self._offset = 0
        self._sample = b""

    def read_on(self, path: Path) -> Iterator[Chunk]:
        """What the file has after this place, in chunks. Raises Moved, and OSError."""
        left = TAIL + CHUNK  # A file that grows as fast as it is read is left for the next time.
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
        """Whether this place is in that file. Raises OSError."""
        if len(self._sample) < LEAST_SAMPLE:
            return False
        part = self._files.read(path, self._offset - len(self._sample), len(self._sample))
        return part.content == self._sample

    def find_in(self, path: Path) -> bool:
        """Go to the same bytes in a file that has lost its head, if they are there. Raises OSError."""
        if len(self._sample) < LEAST_SAMPLE:
            return False
        found = self._files.read(path, 0, CROP_AREA).content.find(self._sample)
        if found >= 0:
            self._offset = found + len(self._sample)
        return found >= 0

    def _advance(self, added: bytes) -> None:
        self._offset += len(added)
        self._sample = (self._sample + added[-SAMPLE:])[-SAMPLE:]
