"""Follows every log that Stretchly may write on this machine, from one moment on.

If several installations are there, it is not known which of them answers a call. So all their logs are followed. A log that
does not exist yet is followed from its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..files import RealLogFiles
from ..reader import EntryReader
from .own import OwnBreak

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..files import LogFiles
    from ..values import Kind


@dataclass(slots=True)
class FollowedLog:
    """One log, and what it has told so far."""

    path: Path
    reader: EntryReader
    own: OwnBreak
    """The break that was asked for, as this log tells of it."""
    problem: str = ""
    """Why it could not be read the last time; empty if it could."""
    there: bool = False
    """The file has existed at least once when it was read."""
    placed: bool = False
    """What was in the log at the moment of `set_out` has been read; what comes from now on is new."""
    mark: tuple[int, int, int] | None = None
    """`LogFiles.mark` of the file when it was last read. If it has not changed, the file need not be read again."""


class FollowedLogs:
    """Call `set_out` before Stretchly is called, and then `poll` again and again. No file stays open between the calls."""

    def __init__(self, paths: Sequence[Path], kind: Kind, files: LogFiles | None = None) -> None:
        self._files = files or RealLogFiles()
        self._logs = [FollowedLog(path, EntryReader(path, self._files), OwnBreak(kind)) for path in paths]

    def set_out(self) -> None:
        """Read to the end of every log: what is there now does not belong to the break that will be asked for. May be called
        again before the first `poll`.
        """
        for log in self._logs:
            log.placed = False
            self._try_read(log)

    def poll(self) -> None:
        """Read what is new in every log. Does not raise: a log that cannot be read has a `problem`, and is read again at the
        next `poll`.
        """
        for log in self._logs:
            self._try_read(log)

    @property
    def own(self) -> OwnBreak:
        """The break that was asked for, by the log that tells most about it."""
        return self._best.own

    @property
    def readable(self) -> bool:
        """Whether at least one log exists and can be read, so that a break which is not in the logs has not begun."""
        return any(log.there and not log.problem for log in self._logs)

    @property
    def path(self) -> Path:
        """The log that tells most about the break; if none tells anything, the one that was changed last."""
        return self._best.path

    @property
    def problem(self) -> str:
        """Why no log can be read, for people. Has a meaning only if `readable` is false."""
        found = [f"{log.path} cannot be read: {log.problem}" for log in self._logs if log.problem]
        return (
            "; ".join(found)
            or f"there is no log of Stretchly ({', '.join(str(log.path) for log in self._logs)})"
        )

    @property
    def _best(self) -> FollowedLog:
        return max(
            self._logs,
            key=lambda log: (
                log.own.ended_by is not None,
                log.own.begun,
                log.own.asked,
                log.own.app_starts,
                log.mark[2] if log.mark else 0,
            ),
        )

    def _try_read(self, log: FollowedLog) -> None:
        try:
            mark = self._files.mark(log.path)
            if mark != log.mark or not log.placed:
                self._read(log)
        except OSError as error:
            log.problem = error.strerror or str(error)
        else:
            # The mark from before the reading: if the file has grown since then, it differs next time, and is read again.
            log.mark, log.problem, log.there = mark, "", log.there or mark is not None

    def _read(self, log: FollowedLog) -> None:
        take = log.own.take if log.placed else log.own.remember
        for entry in log.reader.poll():
            take(entry)
        if not log.placed:
            log.reader.start_here()
            log.placed = True
