"""Makes breaks of the lines of a log: a state machine that uses no clock and no file, and knows no durations.

Only the order of the lines in the file counts, not their time stamps: local time can jump, and some lines have a time from
another process.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from .lines import Sign
from .values import EndedBy, Kind, LoggedBreak

if TYPE_CHECKING:
    from datetime import datetime

    from .lines import Entry

_ENDS_ONE: Final = {
    Sign.FINISHED: EndedBy.FINISHED,
    Sign.EXCLUDED: EndedBy.EXCLUDED,
    Sign.POSTPONED: EndedBy.POSTPONED,
}
ENDS_ALL: Final = {
    Sign.SKIPPED_TO: EndedBy.REPLACED,
    Sign.RESET: EndedBy.RESET,
    Sign.APP_STARTED: EndedBy.LOST,
    Sign.GAP: EndedBy.LOST,
}
_PLANS: Final = (Sign.PLANNED, Sign.SKIPPED_TO, Sign.POSTPONED)
"""After one of these, the next start is a break of the kind that it names."""
_UNPLANS: Final = (Sign.RESET, Sign.APP_STARTED, Sign.GAP, Sign.UNPLANNED, Sign.ALREADY_RUNNING)
"""After one of these, it is not known which kind starts next."""


class BreakMachine:
    """Takes the entries of one log in order. A mini and a long break can be going on at the same time.

    Stretchly 1.1 to 1.7 write "Mini Break" at every start, also of a long break. Until a line shows that the version is a
    later one, the kind of a break is taken from the line before it that announces a break, and corrected by the line that
    ends it.
    """

    def __init__(self) -> None:
        self._open: dict[Kind, LoggedBreak] = {}
        self._planned: Kind | None = None
        self._names_kind = False
        """Whether the lines of starts name the right kind. While this is not known, the kind of an open break may be wrong."""
        self._count = 0

    @property
    def going_on(self) -> tuple[LoggedBreak, ...]:
        """The breaks that have not ended, the oldest first."""
        return tuple(sorted(self._open.values(), key=lambda each: each.number))

    def take(self, entry: Entry) -> list[LoggedBreak]:
        """The breaks that this entry begins, ends or corrects, each as it is now."""
        changed = self._learn_version() if entry.names_kind and not self._names_kind else []
        if entry.sign is Sign.STARTED and entry.kind is not None:
            changed += self._start(entry.kind, entry.stamp)
        elif entry.sign in _ENDS_ONE and entry.kind is not None:
            changed.append(self._end(entry.kind, entry.stamp, _ENDS_ONE[entry.sign]))
        elif entry.sign in ENDS_ALL:
            changed += self._end_all(entry.stamp, ENDS_ALL[entry.sign])
        if entry.sign in _PLANS:
            self._planned = entry.kind
        elif entry.sign in _UNPLANS:
            self._planned = None
        if entry.sign is Sign.APP_STARTED:
            self._names_kind = False  # It may have started as another version.
        return changed

    def _start(self, named: Kind, at: datetime | None) -> list[LoggedBreak]:
        kind = named if self._names_kind else self._planned or named
        self._planned = None
        changed = []
        if (left := self._open.pop(kind, None)) is not None:
            # Stretchly never shows two breaks of one kind, so the first has ended, and the line of its end is missing.
            changed.append(replace(left, ended_by=EndedBy.LOST))
        self._open[kind] = started = LoggedBreak(self._next_number(), kind, at)
        return [*changed, started]

    def _end(self, kind: Kind, at: datetime | None, by: EndedBy) -> LoggedBreak:
        found = self._open.pop(kind, None)
        if found is None and not self._names_kind:
            found = self._open.pop(kind.other, None)
        if found is None:
            found = LoggedBreak(self._next_number(), kind, None)
        return replace(found, kind=kind, end=at, ended_by=by)

    def _end_all(self, at: datetime | None, by: EndedBy) -> list[LoggedBreak]:
        ended = self.going_on
        self._open.clear()
        return [replace(each, end=None if by is EndedBy.LOST else at, ended_by=by) for each in ended]

    def _learn_version(self) -> list[LoggedBreak]:
        """A line shows that this version names the right kind. It has named every open break a mini break, so that is right."""
        self._names_kind = True
        if Kind.MINI in self._open or Kind.LONG not in self._open:
            return []
        self._open[Kind.MINI] = corrected = replace(self._open.pop(Kind.LONG), kind=Kind.MINI)
        return [corrected]

    def _next_number(self) -> int:
        self._count += 1
        return self._count
