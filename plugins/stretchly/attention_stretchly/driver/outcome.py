"""What became of a break that was asked for, and when that is settled. Functions of values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..values import EndedBy

if TYPE_CHECKING:
    from .own import OwnBreak

GRACE_MS: Final = 2_000
"""A call that has failed is given so long to be proved wrong by the log."""
_ENDINGS: Final = {
    EndedBy.FINISHED: "finished",
    EndedBy.POSTPONED: "postponed",
    EndedBy.REPLACED: "another break was asked for in its place",
    EndedBy.RESET: "the breaks were reset",
    EndedBy.EXCLUDED: "closed for an application during which Stretchly shows no breaks",
    EndedBy.LOST: "Stretchly was ended, or a part of its log is missing",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    took_place: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known at one moment. Times are milliseconds."""

    since_start: float
    """Since just before the hold was taken."""
    since_asked: float
    """Since Stretchly was last asked, or has written that it was."""
    at_most: float
    start_within: float
    in_force: bool
    """Whether the hold is."""
    readable: bool
    """Whether there is a log whose silence means something."""
    log: str
    """The log for people, or why there is none."""
    failed: int | None = None
    """Exit code of a call that has failed."""


def outcome(own: OwnBreak, now: Moment) -> Outcome | None:
    """None while the agents have to be held."""
    if own.ended_by is not None:
        return _ended(own, own.ended_by)
    if now.since_start >= now.at_most:
        return _time_is_over(own, now)
    if not now.in_force:
        return Outcome(True, "somebody else ended the pause")
    if own.begun:
        return None
    if now.failed is not None and now.since_asked >= GRACE_MS and not own.asked:
        return Outcome(False, f"Stretchly could not be called: it ended with exit code {now.failed}")
    if now.readable and now.since_asked >= now.start_within:
        return _never_began(own, now)
    return None


def _ended(own: OwnBreak, by: EndedBy) -> Outcome:
    if not own.begun:
        return Outcome(False, f"it never began: {_ENDINGS[by]}")
    joined = " (one was going on already; Stretchly starts no second one)" if own.joined else ""
    return Outcome(True, _ENDINGS[by] + joined)


def _time_is_over(own: OwnBreak, now: Moment) -> Outcome:
    held = f"the agents were held for the whole {now.at_most / 1000:g} s"
    if own.begun:
        return Outcome(True, f"{held}: no end of it was logged in {now.log}")
    if not now.readable:
        return Outcome(False, f"{held}, without knowing whether there was a break: {now.log}")
    return Outcome(False, f"{held}: {_never_began(own, now).sentence}")


def _never_began(own: OwnBreak, now: Moment) -> Outcome:
    within = f"within {min(now.since_asked, now.start_within) / 1000:.0f} s of {'its answer' if own.asked else 'the call'}"
    if own.asked:
        why = "it was accepted, and Stretchly has shown no window since"
    elif own.app_starts:
        why = "Stretchly was not running, has started, and does not answer"
    else:
        why = "name the log with strategy.stretchly.log in the settings if Stretchly writes another one"
    return Outcome(False, f"Stretchly began no such break {within}, by {now.log}: {why}")
