"""Every log that Stretchly may write, followed from one moment on.

Which of several installations is asked is not known, so all of them are looked at, and a log that is not there
yet has its beginning for a place.
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
    path: Path
    reader: EntryReader
    own: OwnBreak
    problem: str = ""
    """Why it cannot be read now."""
    there: bool = False
    """It has been read at least once."""
    placed: bool = False
    """Everything up to the moment has been read."""
    mark: tuple[int, int, int] | None = None
    """Of the file when it was last read, as `LogFiles.mark` tells it."""


class FollowedLogs:
    """`set_out` before Stretchly is asked, then `poll` again and again. No file stays open in between."""

    def __init__(self, paths: Sequence[Path], kind: Kind, files: LogFiles | None = None) -> None:
        self._files = files or RealLogFiles()
        self._logs = [FollowedLog(path, EntryReader(path, self._files), OwnBreak(kind)) for path in paths]

    def set_out(self) -> None:
        """What stands there now is not ours. May be said again, as long as nothing has been polled."""
        for log in self._logs:
            log.placed = False
            self._try_read(log)

    def poll(self) -> None:
        for log in self._logs:
            self._try_read(log)

    @property
    def own(self) -> OwnBreak:
        """Of the log that tells most of our break."""
        return self._best.own

    @property
    def readable(self) -> bool:
        """Whether there is a log whose silence means something."""
        return any(log.there and not log.problem for log in self._logs)

    @property
    def path(self) -> Path:
        return self._best.path

    @property
    def problem(self) -> str:
        """Why none of them is readable."""
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
            # Not before: lines that come after the mark was taken are read next time.
            log.mark, log.problem, log.there = mark, "", log.there or mark is not None

    def _read(self, log: FollowedLog) -> None:
        take = log.own.take if log.placed else log.own.remember
        for entry in log.reader.poll():
            take(entry)
        if not log.placed:
            log.reader.start_here()
            log.placed = True
