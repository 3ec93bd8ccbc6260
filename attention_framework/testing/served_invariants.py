"""What must always be true of the resident controller, of the questions that wait for its answer, and of a break source that
it follows, in whatever order things happen, and whichever process dies. For one pane see `invariants`.

The simulation (`tests/system`) describes the present situation as `Asked`, `Served` and `Told`, and checks it here. Each
invariant is a function that returns an empty text if all is well, else a sentence that says what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

# Questions that wait.


class Asked(NamedTuple):
    """One question of an agent's hook ("may I run?"), and what has become of it."""

    said: str = ""
    """The answer: `run`, `pause` or `unknown`. Empty as long as there is none."""
    granted: bool = True
    """At some moment since the question was asked, the agent was allowed to run."""
    allowed: bool = False
    """Holds and focus allow the agent to run now, and every process knows it."""
    over_ms: float = 0.0
    """How long ago there should have been an answer. Counted only while no process is stopped."""


ANSWERED_WITHIN_MS = 1_000
"""How late an answer may be. The controller may first need a cycle, and that may have to wait for the cycle of another
process.
"""


def no_run_that_was_never_right(asked: Asked) -> str:
    """`run` is answered only if the agent was allowed to run at some moment after it asked. So the snapshot must be newer
    than the question, also if the controller has died and another one answers.
    """
    return "told to run, which it never might" if asked.said == "run" and not asked.granted else ""


def never_unknown_where_all_is_known(asked: Asked) -> str:
    """If the controller dies, stops or changes its settings, the one who asked asks again, or judges by itself."""
    return "told that nobody knows" if asked.said == "unknown" else ""


def answered_in_time(asked: Asked) -> str:
    over = not asked.said and asked.over_ms > ANSWERED_WITHIN_MS
    return f"no answer {asked.over_ms:.0f} ms after the end of its time" if over else ""


def no_question_waits_that_may_run(asked: Asked) -> str:
    return "waits although the agent may run" if asked.allowed and not asked.said else ""


# The resident controller.


class Served(NamedTuple):
    """The resident controller: the settings that it uses, and what it keeps for its clients and sessions."""

    slots: int = 0
    """How many of the limited places for waiting questions are taken."""
    waiting: int = 0
    """How many questions wait."""
    right: bool = True
    """It uses the settings that are in the file, or, if the file is wrong now, those that were in it before."""
    broken: bool = False
    """The settings file is wrong."""
    told: bool = False
    """The status of the controller says that the file is wrong."""
    lease: str = ""
    """The mode that `reflex.json` allows; empty if there is no such file."""
    mode: str = ""
    """The mode in the settings that it uses."""
    workers: int = 0
    """How many threads run cycles."""
    watches: int = 0
    """How many watches of the host's events run, or will be started again."""
    sessions: int = 0
    """How many sessions it follows."""


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
    """Each session has exactly one thread for its cycles and one watch: none is left from earlier settings."""
    if (served.workers, served.watches) == (served.sessions, served.sessions):
        return ""
    return f"{served.workers} workers and {served.watches} watches for {served.sessions} sessions"


# A break source that is followed.


class Told(NamedTuple):
    """What a break source says, and the holds that exist because of it."""

    going: frozenset[str] = frozenset()
    """The breaks that go on according to the source, and whose deadline has not come."""
    held: frozenset[str] = frozenset()
    """The breaks whose hold is in force."""
    ended: frozenset[str] = frozenset()
    """The breaks that somebody else has ended. A controller that was not running then may hold them again; it need not."""
    overdue: frozenset[str] = frozenset()
    """The breaks whose hold would last longer than the deadline that the source has given."""
    dropped: frozenset[str] = frozenset()
    """The breaks that go on and were held when the source stopped answering, and are not held now, though nobody has ended
    them.
    """
    answers: bool = True
    """Whether the source answers when it is asked."""
    follows: bool = True
    """The resident controller follows the source, and has had the time to act on what it says."""
    watched: bool = True
    """The source's `watch` runs, or waits to be started again later."""
    hurried: bool = False
    """A `watch` that had ended was started again at once, without a pause."""


def no_hold_past_its_deadline(told: Told) -> str:
    return f"{_names(told.overdue)} held past the deadline of the break" if told.overdue else ""


def no_hold_without_its_break(told: Told) -> str:
    """When the source no longer names a break (it is over, or was skipped), no agent is held for it."""
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
    """A source that does not answer says nothing about its breaks: they last until their deadline."""
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
