"""What must hold of the resident controller, of questions that wait for it, and of a break source that it follows, whatever
happens in whatever order, and whoever dies. Of one pane: `invariants`.

Stated once: the simulation (`tests/system`) describes what is the case as `Asked`, `Served` and `Told`, and asks here. Each
invariant is a function that gives a sentence if it is violated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

# Questions that wait.


class Asked(NamedTuple):
    """One question of an agent's hook, and how it stands with it."""

    said: str = ""
    """run, pause, unknown; empty as long as there is no answer."""
    granted: bool = True
    """There was a moment since it was asked at which the agent was allowed to run."""
    allowed: bool = False
    """Holds and focus allow the agent to run, and everybody knows."""
    over_ms: float = 0.0
    """So long its time has been over, with nobody stopped."""


ANSWERED_WITHIN_MS = 1_000
"""A cycle, and what one of a process that runs once may have it wait for."""


def no_run_that_was_never_right(asked: Asked) -> str:
    """`run` comes from a snapshot that was taken after the question, also after a controller has died over it."""
    return "told to run, which it never might" if asked.said == "run" and not asked.granted else ""


def never_unknown_where_all_is_known(asked: Asked) -> str:
    """Whoever asks a controller that dies, stops or takes over other settings asks again, or judges by itself."""
    return "told that nobody knows" if asked.said == "unknown" else ""


def answered_in_time(asked: Asked) -> str:
    over = not asked.said and asked.over_ms > ANSWERED_WITHIN_MS
    return f"no answer {asked.over_ms:.0f} ms after the end of its time" if over else ""


def no_question_waits_that_may_run(asked: Asked) -> str:
    return "waits although the agent may run" if asked.allowed and not asked.said else ""


# The resident controller.


class Served(NamedTuple):
    """What it has taken over from the settings, and what it keeps for others."""

    slots: int = 0
    """Places of questions that wait, as far as they are taken."""
    waiting: int = 0
    """Questions that wait."""
    right: bool = True
    """Its settings are what the file says; what it last said, where it is wrong now."""
    broken: bool = False
    """What stands in the settings file is wrong."""
    told: bool = False
    """Its status says so."""
    lease: str = ""
    """The mode in `reflex.json`; empty where there is none."""
    mode: str = ""
    """The mode in its settings."""
    workers: int = 0
    """Threads that run cycles."""
    watches: int = 0
    """Watches of the host's events that run, or are to be run again."""
    sessions: int = 0
    """Those that it follows."""


def no_slot_kept(served: Served) -> str:
    kept = served.slots - served.waiting
    return f"{kept} places of questions that do not wait any more are kept" if kept > 0 else ""


def the_lease_follows_the_mode(served: Served) -> str:
    other = served.lease not in ("", served.mode)
    return f"the lease says {served.lease}, the settings say {served.mode}" if other else ""


def a_broken_file_changes_nothing(served: Served) -> str:
    return "other settings came out of a broken file" if served.broken and not served.right else ""


def settings_are_taken_over(served: Served) -> str:
    return "" if served.right else "goes by other settings than the file's"


def a_broken_file_is_told(served: Served) -> str:
    if served.broken == served.told:
        return ""
    return (
        "the status tells nothing of broken settings"
        if served.broken
        else "tells of a mistake that is mended"
    )


def nothing_old_goes_on(served: Served) -> str:
    """Each session has one thread for its cycles and one watch, whatever settings there were before."""
    if (served.workers, served.watches) == (served.sessions, served.sessions):
        return ""
    return f"{served.workers} workers and {served.watches} watches for {served.sessions} sessions"


# A break source that is followed.


class Told(NamedTuple):
    """What a break source says, and the holds that were taken for it."""

    going: frozenset[str] = frozenset()
    """Runs that it says go on, and whose deadline has not come."""
    held: frozenset[str] = frozenset()
    """Runs that are in force for it."""
    ended: frozenset[str] = frozenset()
    """Runs that somebody else has ended: they may be taken again by a controller that was not there, or not."""
    overdue: frozenset[str] = frozenset()
    """Runs with a hold that ends after the deadline which the source has named."""
    dropped: frozenset[str] = frozenset()
    """Runs that go on and were in force when the source fell silent, and are not any more, though nobody has ended them."""
    answers: bool = True
    """It can be asked."""
    follows: bool = True
    """The resident controller does what it says, and has had the time to."""
    watched: bool = True
    """Its watch runs, or is said to be run again at a time that has not come."""
    hurried: bool = False
    """A watch that had ended was run again at once."""


def no_hold_past_its_deadline(told: Told) -> str:
    return f"{_names(told.overdue)} held past the deadline of the break" if told.overdue else ""


def no_hold_without_its_break(told: Told) -> str:
    """Skipped, or over: what the source tells no more holds nobody."""
    if not told.follows or not told.answers:
        return ""
    left = told.held - told.going
    return f"{_names(left)} held although the source says that it is over" if left else ""


def every_break_is_held(told: Told) -> str:
    if not told.follows or not told.answers:
        return ""
    missed = told.going - told.ended - told.held
    return f"the break {_names(missed)} is not held" if missed else ""


def silence_ends_no_break(told: Told) -> str:
    """Of a source that gives no answer nothing is known: its breaks last until their deadline."""
    return f"{_names(told.dropped)} let go because the source is silent" if told.dropped else ""


def a_dead_source_is_followed_again(told: Told) -> str:
    return "" if told.watched or not told.follows else "nobody follows the source again that has died"


def not_at_once(told: Told) -> str:
    return "a source that has died was followed again at once" if told.hurried else ""


def _names(runs: Iterable[str]) -> str:
    return ", ".join(sorted(runs))


ALWAYS_ASKED = (no_run_that_was_never_right, never_unknown_where_all_is_known)
ASKED_AT_REST = (answered_in_time, no_question_waits_that_may_run)
ALWAYS_SERVED = (no_slot_kept, the_lease_follows_the_mode, a_broken_file_changes_nothing)
SERVED_AT_REST = (settings_are_taken_over, a_broken_file_is_told, nothing_old_goes_on)
ALWAYS_TOLD = (no_hold_past_its_deadline, silence_ends_no_break, not_at_once)
TOLD_AT_REST = (no_hold_without_its_break, every_break_is_held, a_dead_source_is_followed_again)
