"""Follows the lines of a log while it grows, and is renamed, cut or replaced. It begins at the start of the log, or, if that is
very long, 16 MiB before its end.

Facts from electron-log's source and behaviour: when a log has more than 1 MiB, it is renamed to `main.old.log` before the next
line is written. If that fails, the file is emptied; then `[log cropped]` and the last 256 KiB, which may begin in the middle of
a line, are written into it.
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
    """Follows one log. No file stays open between polls, and after a poll that failed the next one goes on."""

    def __init__(self, path: Path, files: LogFiles) -> None:
        self.path = path
        self._old = old_name(path)
        self._files = files
        self._cursor = Cursor(files)
        self._splitter = LineSplitter()
        self._begun = False
        self.skipped = False
        """Whether lines were left out, because more than 16 MiB had to be read at once."""
        self._old_mark: tuple[int, int, int] | None = None
        """`LogFiles.mark` of `main.old.log` when it was last looked at."""
        self._newest = b""
        """The time stamp of the last line that has one."""

    def poll(self) -> Iterator[list[bytes]]:
        """The lines that have become complete since the last poll, in lists. The first poll begins with the lines of
        `main.old.log`. No lines if there is no file. Raises OSError. Where lines are missing, there is a line
        `[log cropped]`.
        """
        try:
            yield from self._poll()
        except Moved:
            # The file was changed once more while we looked for our place in it: the next poll looks again.
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
        """If the last line has no line end yet, leave it out."""
        self._splitter.drop_half()

    def flush(self) -> list[bytes]:
        """The last line if it has no line end: in a list, or an empty list."""
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
        """Go on reading when our place is not in the log any more: the log was cut, renamed or replaced."""
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
            return  # The log is gone, perhaps for a moment only: decide when there is a file again.
        else:
            yield self._next_file()
            if self._files.mark(self._old) != self._old_mark:  # It was renamed twice since then.
                yield from self._whole_old()
        self._old_mark = self._files.mark(self._old)
        try:
            yield from self._read_on(self.path)
        except FileNotFoundError:
            return  # After a renaming there is no log until the next line is written.

    def _whole_old(self) -> Iterator[list[bytes]]:
        try:
            yield from self._read_on(self._old)
        except FileNotFoundError:
            return
        yield self._next_file()
        self._old_mark = self._files.mark(self._old)

    def _newer_than(self, newest: bytes) -> Iterator[list[bytes]]:
        """The lines of a cut log in which our place was not found. Lines with a stamp up to `newest` were read before, and are
        left out. If there are none of these, lines are missing, and a line `[log cropped]` says so.
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
        """Begin with another file. Returns the last line of the file before, if it had no line end: it will get none."""
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
