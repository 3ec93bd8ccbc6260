"""The breaks that a log tells of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class Kind(StrEnum):
    MINI = "mini"
    LONG = "long"

    @property
    def other(self) -> Kind:
        return Kind.LONG if self is Kind.MINI else Kind.MINI


class EndedBy(StrEnum):
    FINISHED = "finished"
    """Its time was over, or the person skipped it, paused Stretchly or locked the screen: the log writes all
    of these alike.
    """
    POSTPONED = "postponed"
    REPLACED = "replaced"
    """The person asked for another break in its place."""
    RESET = "reset"
    EXCLUDED = "excluded"
    """An application was started during which Stretchly shows no breaks."""
    LOST = "lost"
    """The log does not tell when: Stretchly was ended or killed, or a part of the log is missing."""
    OPEN = "open"
    """It goes on, as far as the log has been read."""


@dataclass(frozen=True, slots=True)
class LoggedBreak:
    """A break as far as the log has told of it. A later value with the same number takes its place.

    Times are Stretchly's: local, without a zone, in milliseconds. With a clock that was set back the end may
    lie before the start.
    """

    number: int
    """Counts the breaks of one reading in the order in which they began, or first show up."""
    kind: Kind
    start: datetime | None
    """None: it began before the part of the log that was read."""
    end: datetime | None = None
    """None: not known (`lost`), or not yet (`open`)."""
    ended_by: EndedBy = EndedBy.OPEN
