"""The lines of a log from its beginning, or its last megabytes, as they are added, through everything that
happens to the file.

Borrowed facts (electron-log's source and behaviour): a log over 1 MiB becomes `main.old.log` before the next
line is written. Where that fails, the file is emptied, and `[log cropped]` with the last 256 KiB, beginning
within a line, is written into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cursor import Cursor, Moved
from .lines import CROPPED
from .splitting import LineSplitter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from .cursor import Chunk
    from .files import LogFiles

_STAMP = len(b"[2025-03-10 10:00:00.000]")


def old_name(path: Path) -> Path:
    """Where electron-log moves a full log: `main.old.log` for `main.log`."""
    return path.with_name(f"{path.stem}.old{path.suffix}")


class LogTail:
    """Follows one log. Nothing is kept open between polls, and a poll that failed can be repeated."""

    def __init__(self, path: Path, files: LogFiles) -> None:
        self.path = path
        self._old = old_name(path)
        self._files = files
        self._cursor = Cursor(files)
        self._splitter = LineSplitter()
        self._begun = False
        self.skipped = False
        """Whether there was more than the last megabytes at once."""
        self._old_mark: tuple[int, int, int] | None = None
        self._newest = b""
        """The stamp of the last stamped line."""

    def poll(self) -> Iterator[list[bytes]]:
        """The lines that are whole since the last poll, in portions; first those of the old log. No lines
        where there is no file. Raises OSError.
        """
        try:
            yield from self._poll()
        except Moved:
            # It changes again and again while it is read: the next poll finds the place.
            if not self._begun:
                self._cursor = Cursor(self._files)

    def _poll(self) -> Iterator[list[bytes]]:
        if not self._begun:
            yield from self._whole_old()
            self._begun = True
        try:
            yield from self._read_on(self.path)
        except (Moved, FileNotFoundError):
            yield from self._find_again()

    def drop_half(self) -> None:
        """Leave out the line that has begun and not ended."""
        self._splitter.drop_half()

    def flush(self) -> list[bytes]:
        """The last line, if it has no line end."""
        return self._splitter.flush()

    def _read_on(self, path: Path) -> Iterator[list[bytes]]:
        return self._lines(self._cursor.read_on(path))

    def _lines(self, chunks: Iterable[Chunk]) -> Iterator[list[bytes]]:
        for chunk in chunks:
            if chunk.after_gap:
                self.skipped = True
                self._splitter.skip_line()
                yield [CROPPED]
            lines = self._splitter.feed(chunk.content)
            self._newest = next((line[:_STAMP] for line in reversed(lines) if _stamped(line)), self._newest)
            yield lines

    def _find_again(self) -> Iterator[list[bytes]]:
        """Our place is no longer where it was: the log was cut, moved away or replaced."""
        if self._has_lost_its_head():
            yield from self._read_on(self.path)
            return
        if self._is_cropped():
            yield from self._newer_than(self._newest)
            return
        if self._is_old():
            yield from self._read_on(self._old)
            yield self._next_file()
        elif self._files.mark(self.path) is None:
            return  # Removed, perhaps for a moment: what comes in its place will tell.
        else:
            yield self._next_file()
            if self._files.mark(self._old) != self._old_mark:  # Moved away twice since we looked.
                yield from self._whole_old()
        self._old_mark = self._files.mark(self._old)
        try:
            yield from self._read_on(self.path)
        except FileNotFoundError:
            return  # The next line makes it.

    def _whole_old(self) -> Iterator[list[bytes]]:
        try:
            yield from self._read_on(self._old)
        except FileNotFoundError:
            return
        yield self._next_file()
        self._old_mark = self._files.mark(self._old)

    def _newer_than(self, newest: bytes) -> Iterator[list[bytes]]:
        """A cut log in which the place is not found: leave out what has been read by its stamps. Where
        nothing of that is left, lines are missing.
        """
        yield self._next_file()
        known, gap = True, True
        for lines in self._read_on(self.path):
            kept = []
            for line in lines:
                if known and _stamped(line):
                    known = line[:_STAMP] <= newest
                    gap = gap and not known
                    kept += [CROPPED] if gap else []
                if not known:
                    kept.append(line)
            yield kept

    def _next_file(self) -> list[bytes]:
        """A line does not go on in another file. The lines that this ends."""
        self._cursor = Cursor(self._files)
        return self._splitter.flush()

    def _has_lost_its_head(self) -> bool:
        try:
            return self._cursor.find_in(self.path)
        except FileNotFoundError:
            return False

    def _is_cropped(self) -> bool:
        try:
            return self._files.read(self.path, 0, len(CROPPED)).content == CROPPED
        except FileNotFoundError:
            return False

    def _is_old(self) -> bool:
        try:
            return self._cursor.goes_on_in(self._old)
        except FileNotFoundError:
            return False


def _stamped(line: bytes) -> bool:
    return line.startswith(b"[2")
