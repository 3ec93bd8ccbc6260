"""Decides when a break that was asked for is over, and what became of it. All functions here depend on their arguments alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..values import EndedBy

if TYPE_CHECKING:
    from .own import OwnBreak

GRACE_MS: Final = 2_000
"""When a call has failed, wait so long before believing it: the log may show that Stretchly has received the call."""
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
    """What became of a break that was asked for."""

    took_place: bool
    """Whether there was a break: it had begun, or the pause was ended by somebody else."""
    sentence: str
    """What happened, for people."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is known at one moment, besides what the log tells of the break. All times are in milliseconds."""

    since_start: float
    """The time since the agents were asked to pause."""
    since_asked: float
    """The time since Stretchly was last called, or has written that it received the call (`Calls.since_last_ms`)."""
    at_most: float
    """The longest pause (`Plan.at_most_ms`)."""
    start_within: float
    """The longest time from the call to the start of the break (`Plan.start_within_ms`)."""
    in_force: bool
    """Whether the break still pauses agents (`BreakHold.in_force`)."""
    readable: bool
    """Whether a log exists and can be read (`FollowedLogs.readable`)."""
    log: str
    """For people: the path of the log, or why none can be read."""
    failed: int | None = None
    """The exit code of a call that has failed; None if none has."""


def outcome(own: OwnBreak, now: Moment) -> Outcome | None:
    """What became of the break, or None while it is not over: then the agents have to stay paused."""
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
