"""What must always be true of one pane, in whatever order things happen, and whichever process dies. For the resident
controller and its clients see `served_invariants`.

The exhaustive model (`tests/model`) and the simulation (`tests/system`) both describe the present situation as a `Scene`,
and check it here. Each invariant is a function of a `Scene`: it returns an empty text if all is well, else a sentence that
says what is wrong. The "gate" is the switch inside the agent that lets nothing new start while it is engaged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

S = TypeVar("S")
OURS = ("brake", "boundary")
"""Those who engage the gate before the controller has decided: the agent itself, by its reflex."""
ASKED_FOR = ("overlay", "person")
"""Those who engage the gate with the agent's own pause screen: a request of the controller, or the person."""


class Scene(NamedTuple):
    """The situation of one pane, as seen by an observer who knows everything at once."""

    due: tuple[str, ...] = ()
    """The runs for which the agent should be paused now: holds in force that the person has not waived, and `focus`."""
    gate: str = ""
    """Who has engaged the agent's gate: `brake`, `boundary`, `overlay` or `person`. Empty: the gate is open."""
    sign: str = ""
    """How the screen shows that the agent is stopped: `line`, `overlay`, or empty for not at all."""
    way_out: bool = True
    """Whether a key of the person's, once the agent reads it, opens the gate or ends the pause screen."""
    present: bool = False
    """The person looks at the pane, and the agent has read something that proves it."""
    known: bool = False
    """No focus report, cycle or wake-up is still on its way: every process knows the present situation."""
    promised: bool = False
    """While the reflex was on, the agent has read that it lost the focus (or has come to a boundary), and nothing since then
    allows it to go on. It may go on after a right answer to its last question, the person's return, no answer in time, or
    the end of the lease.
    """
    lease_over: bool = False
    """The lease in `reflex.json` has ended, and the time within which the agent must notice that is over too."""
    braked_unheard: bool = False
    """It has braked although too many of its questions in a row were not answered."""
    settling: bool = False
    """The lost focus is the only reason for the request that goes out, and as far as the last cycles have seen, the focus has
    been away for less than `focus.settle_ms`.
    """
    claims: int = 0
    """How many requests it has taken out of its mailbox and not finished."""
    draft: str = ""
    """What is in the prompt editor besides the text that the person has typed. Empty if all is well."""


# Always.


def nothing_starts_after_the_report(scene: Scene) -> str:
    """After the agent has read that it lost the focus, no tool starts until something allows it."""
    return "the gate is open after the report of the lost focus" if scene.promised and not scene.gate else ""


def never_held_in_silence(scene: Scene) -> str:
    """An engaged gate is always shown on the screen, and the person can always get out of it by a key."""
    if scene.gate in OURS and scene.sign != "line":
        return "braked without a line that says so"
    if scene.gate and not scene.sign:
        return f"the gate is engaged by {scene.gate} with nothing on the screen"
    return "no way out" if scene.gate and not scene.way_out else ""


def never_braked_under_the_eyes(scene: Scene) -> str:
    """When the agent has read that the person is back, it is not braked any more."""
    return "a brake under the person's eyes" if scene.present and scene.gate == "brake" else ""


def no_brake_outlives_its_lease(scene: Scene) -> str:
    return f"{scene.gate} although the lease is over" if scene.lease_over and scene.gate in OURS else ""


def no_brake_for_a_deaf_controller(scene: Scene) -> str:
    """If nobody ever answers the agent's questions, it must not go on braking at every switch of the focus."""
    return "braked again although nobody answers" if scene.braked_unheard and scene.gate in OURS else ""


def draft_untouched(scene: Scene) -> str:
    return f"the draft was touched: {scene.draft!r}" if scene.draft else ""


# When a request goes out.


def a_short_absence_asks_for_nothing(scene: Scene) -> str:
    """No pause is asked for only because the focus was lost a moment ago. A hold is asked for at once."""
    return "asked to pause for an absence that is too short" if scene.settling else ""


# When the agent says that it is paused: in its acknowledgement, or in its status file.


def acknowledged_only_when_shown(scene: Scene) -> str:
    """The agent says "paused" only with the gate engaged and the pause screen on the terminal."""
    if scene.gate in ASKED_FOR and scene.sign == "overlay":
        return ""
    return f"says that it is paused, with the gate {scene.gate or 'open'} and {scene.sign or 'nothing'} shown"


# When a pause becomes final: the last check before the agent says so.


def no_late_pause(scene: Scene) -> str:
    """The agent is not paused when it has read that the person is back, nor for a run that has ended."""
    if scene.due:
        return ""
    if scene.present:
        return "late pause: under the person's eyes"
    return "late pause: nothing stands, and everybody knows" if scene.known else ""


# When the gate lets go.


def no_foreign_release(before: Scene, by: str) -> str:
    """The extension opens the gate only if it may: not the person's own pause, and not while a hold is in force. `by` says
    who opened it: `person`, `extension`, `failure` (no screen, a full disk) or `stranger` (a bug in other software).
    """
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
    """A brake does not last: it becomes a pause, or ends."""
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
    """The sentence of the first of these invariants that is violated; empty if none is."""
    return next(filter(None, (invariant(scene) for invariant in invariants)), "")
