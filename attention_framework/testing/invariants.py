"""What must hold of one pane, whatever happens in whatever order, and whoever dies. Of the resident controller and of
those who deal with it: `served_invariants`.

Stated once: the exhaustive model (`tests/model`) and the simulation (`tests/system`) both describe what is the
case as a `Scene`, and ask here. Each invariant is a function that gives a sentence if it is violated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

S = TypeVar("S")
OURS = ("brake", "boundary")
"""Owners of the gate before the controller has decided."""
ASKED_FOR = ("overlay", "person")
"""Owners that show the agent's own pause screen."""


class Scene(NamedTuple):
    """What is the case in one pane, as somebody would say it who sees everything at once."""

    due: tuple[str, ...] = ()
    """Runs that want it paused by the truth: holds in force that the person has not overruled, and `focus`."""
    gate: str = ""
    """Who has engaged the agent's gate: brake, boundary, overlay, person; empty where it is open."""
    sign: str = ""
    """What the screen says of it: line, overlay, or nothing."""
    way_out: bool = True
    """A key of the person's, once read, lets go, or ends the pause screen."""
    present: bool = False
    """The person looks at the pane, and the agent has read the proof of that."""
    known: bool = False
    """No report, cycle or wake-up is on its way: everybody knows how things stand."""
    promised: bool = False
    """The agent has read the loss of its focus (or come to a boundary) while the reflex was on, and nothing
    since then allows it to go on: no right answer to its last question, no return, no silence, no end of the lease.
    """
    lease_over: bool = False
    """The lease has run out for longer than the agent's bound for noticing."""
    braked_unheard: bool = False
    """It was braked after too many questions in a row that nobody has answered."""
    settling: bool = False
    """What a request goes out for is the lost focus alone, and by what the last cycles have seen the absence is shorter
    than `focus.settle_ms`.
    """
    claims: int = 0
    """Requests that it has taken out of its mailbox and not finished."""
    draft: str = ""
    """What stands in the prompt editor beside what the person has typed there: nothing, if all is well."""


# Always.


def nothing_starts_after_the_report(scene: Scene) -> str:
    """Once the agent has read that it lost the focus, no tool starts before something allows it."""
    return "the gate is open after the report of the lost focus" if scene.promised and not scene.gate else ""


def never_held_in_silence(scene: Scene) -> str:
    """An engaged gate says so on the screen, and a key of the person's is a way out."""
    if scene.gate in OURS and scene.sign != "line":
        return "braked without a line that says so"
    if scene.gate and not scene.sign:
        return f"the gate is engaged by {scene.gate} with nothing on the screen"
    return "no way out" if scene.gate and not scene.way_out else ""


def never_braked_under_the_eyes(scene: Scene) -> str:
    """A person who is back, and whose return the agent has read, sees no brake."""
    return "a brake under the person's eyes" if scene.present and scene.gate == "brake" else ""


def no_brake_outlives_its_lease(scene: Scene) -> str:
    return f"{scene.gate} although the lease is over" if scene.lease_over and scene.gate in OURS else ""


def no_brake_for_a_deaf_controller(scene: Scene) -> str:
    """Somebody who is never answered must not be stopped at every switch."""
    return "braked again although nobody answers" if scene.braked_unheard and scene.gate in OURS else ""


def draft_untouched(scene: Scene) -> str:
    return f"the draft was touched: {scene.draft!r}" if scene.draft else ""


# When a request goes out.


def a_short_absence_asks_for_nothing(scene: Scene) -> str:
    """Nobody is sent a pause for a focus that was lost a moment ago; a hold waits for nothing."""
    return "asked to pause for an absence that is too short" if scene.settling else ""


# When the agent says that it is paused: in its acknowledgement, or in its status file.


def acknowledged_only_when_shown(scene: Scene) -> str:
    """Sent is not paused: what says so has the gate engaged and the pause screen on the terminal."""
    if scene.gate in ASKED_FOR and scene.sign == "overlay":
        return ""
    return f"says that it is paused, with the gate {scene.gate or 'open'} and {scene.sign or 'nothing'} shown"


# When a pause becomes final: the last check before the agent says so.


def no_late_pause(scene: Scene) -> str:
    """Nobody is paused under the eyes of a person whose return the agent has read, nor for what is over."""
    if scene.due:
        return ""
    if scene.present:
        return "late pause: under the person's eyes"
    return "late pause: nothing stands, and everybody knows" if scene.known else ""


# When the gate lets go.


def no_foreign_release(before: Scene, by: str) -> str:
    """`by`: person, stranger (a bug of others), failure (no screen, a full disk), or extension."""
    if by != "extension":
        return ""
    if before.gate == "person":
        return "the person's own pause was undone"
    held = [run for run in before.due if run != "focus"]
    if before.gate == "overlay" and held:
        return f"let go while {', '.join(held)} is in force"
    return ""


# When nothing more happens by itself.


def no_lost_pause(scene: Scene) -> str:
    if scene.due and scene.gate not in ASKED_FOR:
        return f"lost pause: {', '.join(scene.due)} in force, and the agent is {scene.gate or 'running'}"
    return ""


def every_claim_ends(scene: Scene) -> str:
    return "a claim was left behind" if scene.claims else ""


def every_brake_ends(scene: Scene) -> str:
    """A brake becomes a pause, or lets go."""
    return f"{scene.gate} for ever" if scene.gate in OURS else ""


ALWAYS = (
    nothing_starts_after_the_report,
    never_held_in_silence,
    never_braked_under_the_eyes,
    no_brake_outlives_its_lease,
    no_brake_for_a_deaf_controller,
    draft_untouched,
)
WHEN_ASKED = (a_short_absence_asks_for_nothing,)
WHEN_SAID = (acknowledged_only_when_shown,)
WHEN_FINAL = (no_late_pause,)
AT_REST = (no_lost_pause, every_claim_ends, every_brake_ends)


def violated(scene: S, invariants: Iterable[Callable[[S], str]]) -> str:
    """The first violation, or nothing."""
    return next(filter(None, (invariant(scene) for invariant in invariants)), "")
