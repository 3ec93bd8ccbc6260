"""Reads the breaks in a log file, once, or again and again while it grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .files import RealLogFiles
from .lines import GAP, OTHER, read_line
from .machine import BreakMachine
from .tail import LogTail

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from .files import LogFiles
    from .lines import Entry
    from .values import LoggedBreak


class EntryReader:
    """Reads a log from its beginning, then what is added to it, and tells what the lines mean."""

    def __init__(self, path: Path, files: LogFiles | None = None) -> None:
        self._tail = LogTail(path, files or RealLogFiles())
        self.recognized = 0
        """How many lines so far have the form of Stretchly's log."""

    @property
    def skipped(self) -> bool:
        """Whether the log was too long to be read from its beginning."""
        return self._tail.skipped

    def poll(self) -> Iterator[Entry]:
        """The entries of what was written since the last poll, without those that say nothing about breaks. The first poll
        reads what is there. Raises OSError; the next poll then goes on where this one stopped.
        """
        for lines in self._tail.poll():
            yield from self._entries(lines)

    def finish(self) -> Iterator[Entry]:
        """The entry of the last line if it has no line end. Call it only when no more is expected."""
        yield from self._entries(self._tail.flush())

    def start_here(self) -> None:
        """If the last line has no line end yet, leave that line out: only lines that begin later count."""
        self._tail.drop_half()

    def _entries(self, lines: Iterable[bytes]) -> Iterator[Entry]:
        entries = [entry for entry in map(read_line, lines) if entry is not None]
        self.recognized += sum(entry is not GAP for entry in entries)
        return (entry for entry in entries if entry is not OTHER)


class BreakReader:
    """Reads a log from its beginning, then what is added to it, and tells which breaks have changed."""

    def __init__(self, path: Path, files: LogFiles | None = None) -> None:
        self._entries = EntryReader(path, files)
        self._machine = BreakMachine()
        self._changed: dict[int, LoggedBreak] = {}
        """The breaks that changed and were not returned yet, by number. Kept when a poll fails."""

    @property
    def recognized(self) -> int:
        """How many lines so far have the form of Stretchly's log."""
        return self._entries.recognized

    @property
    def skipped(self) -> bool:
        """Whether the log was too long to be read from its beginning."""
        return self._entries.skipped

    @property
    def going_on(self) -> tuple[LoggedBreak, ...]:
        """The breaks that have not ended, the oldest first."""
        return self._machine.going_on

    def poll(self) -> list[LoggedBreak]:
        """The breaks that have begun, ended or been corrected since the last poll: each once, as it is now, the oldest
        first. Raises OSError; the next poll then goes on where this one stopped.
        """
        self._take(self._entries.poll())
        return self._told()

    def finish(self) -> list[LoggedBreak]:
        """The breaks that the last line changes if it has no line end. Call it only when no more is expected."""
        self._take(self._entries.finish())
        return self._told()

    def _told(self) -> list[LoggedBreak]:
        told, self._changed = _in_order(self._changed), {}
        return told

    def _take(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            for each in self._machine.take(entry):
                self._changed[each.number] = each


def read_breaks(reader: BreakReader) -> list[LoggedBreak]:
    """All breaks of a log as it is now. Raises OSError."""
    found = {each.number: each for each in [*reader.poll(), *reader.finish()]}
    return _in_order(found)


def _in_order(breaks: dict[int, LoggedBreak]) -> list[LoggedBreak]:
    return [breaks[number] for number in sorted(breaks)]
