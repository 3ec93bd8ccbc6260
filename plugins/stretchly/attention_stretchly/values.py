"""The breaks that are found in a log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class Kind(StrEnum):
    """The two kinds of break that Stretchly shows."""

    MINI = "mini"
    LONG = "long"

    @property
    def other(self) -> Kind:
        return Kind.LONG if self is Kind.MINI else Kind.MINI


class EndedBy(StrEnum):
    """How a break ended."""

    FINISHED = "finished"
    """Its time was over, or the person skipped it, paused Stretchly or locked the screen: the log has the same line for all
    of these.
    """
    POSTPONED = "postponed"
    """The person postponed it; another one follows."""
    REPLACED = "replaced"
    """The person asked for another break in its place."""
    RESET = "reset"
    """The person reset the breaks."""
    EXCLUDED = "excluded"
    """An application was started during which Stretchly shows no breaks."""
    LOST = "lost"
    """The log does not tell its end: Stretchly was ended or killed, or a part of the log is missing."""
    OPEN = "open"
    """It goes on, as far as the log has been read."""


@dataclass(frozen=True, slots=True)
class LoggedBreak:
    """A break, as far as the log has told about it. When the log tells more, there is a new value with the same number.

    Times are those in the log: local time without a zone, exact to the millisecond. If the clock was set back during the
    break, the end may come before the start.
    """

    number: int
    """Counts the breaks of one log, from 1, in the order in which they began. One whose start is not in the log is counted
    where it first appears.
    """
    kind: Kind
    """Mini or long. Logs of Stretchly 1.1 to 1.7 may show only at the end which one it was."""
    start: datetime | None
    """When it began; None if it began before the part of the log that was read."""
    end: datetime | None = None
    """When it ended. None: not known (`lost`), or it has not ended (`open`)."""
    ended_by: EndedBy = EndedBy.OPEN
    """How it ended, or `open`."""
