"""What a timeline proves. Pure functions: each returns sentences that say what is wrong, none for all is well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .absence import Absence, Claim, Grade

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .absence import Draft, Span

ROUNDING_MS: Final = 2.0
"""Times are whole milliseconds of one clock, written down by different processes."""
FILE_TIME_MS: Final = 10.0
"""Linux stamps files by a clock that moves with its tick: up to 10 ms behind."""
UNDER_WAY: Final = 1
"""Answers of the model that may still come: a request that had passed the agent's own check is not stopped. Its
tools are.
"""


def not_held(absence: Absence) -> list[str]:
    """Whether the pause was there at all, and on the screen."""
    if absence.held_ms is None:
        return [f"the {absence.agent} agent was left and never paused"]
    if absence.engaged_ms is not None and absence.shown_ms is None:
        return [f"the {absence.agent} agent's gate was engaged, and nothing was on its screen"]
    return []


def not_controlled(absence: Absence) -> list[str]:
    """Whether the controller has asked for it. An agent that brakes by itself is asked all the same."""
    if absence.asked_ms is None:
        return [f"the journal has no request to the {absence.agent} agent after it was left"]
    return []


def unordered(absence: Absence) -> list[str]:
    """Whether the clocks of focus, dispatch, overlay and journal tell one story."""
    found = []
    for earlier, later in ORDER:
        before, after = getattr(absence, earlier), getattr(absence, later)
        if before is not None and after is not None and after < before - ROUNDING_MS:
            found.append(
                f"{absence.agent}: {WORDS[later]} {before - after:.0f} ms before {WORDS[earlier]}: these times tell no story"
            )
    return found


ORDER: Final = (
    ("left_ms", "moved_ms"), ("left_ms", "braked_ms"), ("left_ms", "looked_ms"), ("left_ms", "engaged_ms"),
    ("looked_ms", "asked_ms"), ("looked_ms", "engaged_ms"), ("engaged_ms", "shown_ms"), ("braked_ms", "engaged_ms"),
    ("shown_ms", "confirmed_ms"), ("held_ms", "back_ms"), ("moved_ms", "back_ms"),
)  # fmt: skip
"""What cannot come before what. A request is found as soon as it is there, so before the cycle has ended."""
WORDS: Final = {
    "left_ms": "the key", "moved_ms": "the focus moved", "braked_ms": "the brake", "looked_ms": "the controller's look",
    "asked_ms": "the request", "engaged_ms": "the gate", "shown_ms": "the overlay",
    "confirmed_ms": "the confirmation", "held_ms": "the pause was seen", "back_ms": "the return",
}  # fmt: skip


def late_calls(absence: Absence) -> list[float]:
    """When tool calls began that may not have: after the gate was engaged, and before the person was back.

    A call that the agent had begun before its gate was engaged runs to its end, and may leave its first trace
    after it: each such call explains one trace. One that the agent names and that has left no trace counts, too.
    """
    gate_ms = absence.gate_ms
    if gate_ms is None:
        return []
    named = sorted(float(call.since_ms) for call in absence.in_flight)
    late = []
    for began_ms in sorted(began for began, _ in absence.calls):
        reason_ms = next((since_ms for since_ms in named if since_ms <= began_ms + FILE_TIME_MS), None)
        if reason_ms is not None:
            named.remove(reason_ms)
        first_ms = began_ms if reason_ms is None else reason_ms
        if _inside(first_ms, gate_ms, absence):
            late.append(first_ms)
    return sorted([*late, *(since_ms for since_ms in named if _inside(since_ms, gate_ms, absence))])


def before_the_gate(absence: Absence) -> int:
    """How many tool calls began after the key and before the gate: nobody has promised that there are none."""
    end_ms = absence.back_ms if absence.gate_ms is None else absence.gate_ms + ROUNDING_MS
    return sum(absence.left_ms < began <= (end_ms or began) for began, _ in absence.calls)


def late_answers(absence: Absence) -> list[float]:
    """When answers were written down beyond the one that may have been under way."""
    gate_ms = absence.gate_ms
    if gate_ms is None:
        return []
    written = sorted(
        end if end is not None else began
        for began, end in absence.answers
        if _inside(end if end is not None else began, gate_ms, absence)
    )
    return written[UNDER_WAY:]


def _inside(at_ms: float, gate_ms: float, absence: Absence) -> bool:
    return gate_ms + ROUNDING_MS < at_ms and (absence.back_ms is None or at_ms < absence.back_ms)


def safe_boundary_ms(absence: Absence) -> float | None:
    """When the last call had ended that was in flight when the gate was engaged. None: never, or not seen."""
    gate_ms = absence.gate_ms
    if gate_ms is None:
        return None
    running = [(began, end) for began, end in absence.calls if began <= gate_ms and _ends_after(end, gate_ms)]
    ends = [end for _, end in running if end is not None]
    return max((gate_ms, *ends)) if len(ends) == len(running) else None


def _ends_after(end_ms: float | None, gate_ms: float) -> bool:
    return end_ms is None or end_ms > gate_ms


def was_busy(absence: Absence) -> bool:
    """Whether there was work that could have gone on: without, an absence proves nothing."""
    gate_ms = absence.gate_ms
    if gate_ms is None:
        return bool(absence.in_flight or absence.calls)
    crossing = any(began <= gate_ms and _ends_after(end, gate_ms) for began, end in absence.calls)
    return crossing or any(call.since_ms <= gate_ms + ROUNDING_MS for call in absence.in_flight)


def new_work(absence: Absence) -> list[str]:
    """What has started after the safe boundary."""
    return [
        *_told(absence, late_calls(absence), "a tool call began"),
        *_told(absence, late_answers(absence), "an answer of its model, and not the first, was written down"),
    ]


def _told(absence: Absence, late: Sequence[float], what: str) -> list[str]:
    if not late:
        return []
    after_ms = late[0] - (absence.gate_ms or 0.0)
    more = f", and {len(late) - 1} more in the same absence" if len(late) > 1 else ""
    return [f"{absence.agent}: {what} {after_ms:.0f} ms after its gate was engaged{more}"]


def changed_drafts(drafts: Iterable[Draft]) -> list[str]:
    found = []
    for draft in drafts:
        if draft.found is None:
            found.append(f"{draft.when}: the draft cannot be read")
        elif not draft.kept:
            there = _first_difference(draft.wanted, draft.found)
            found.append(
                f"{draft.when}: the draft has changed: {len(draft.wanted)} bytes before, {len(draft.found)} now, "
                f"the first difference at byte {there}"
            )
    return found


def _first_difference(one: bytes, other: bytes) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def claim(absences: Sequence[Absence], drafts: Sequence[Draft]) -> tuple[Grade, list[str]]:
    """May it be said that nothing starts after the safe boundary? With the reasons if not.

    One thing that was seen to be wrong refuses it, whatever else was not seen.
    """
    if not (absences or drafts):
        return Grade.NOT_CHECKED, ["no agent was left"]
    wrong = [sentence for absence in absences for sentence in (*not_held(absence), *new_work(absence))]
    wrong += changed_drafts(drafts)
    wrong += [sentence for absence in absences for sentence in unordered(absence)]
    if wrong:
        return Grade.FAILED, wrong
    if not any(was_busy(absence) for absence in absences):
        return Grade.NOT_CHECKED, ["no agent was left with a tool call in flight, so nothing is proved"]
    return Grade.PASSED, []


def claim_after(steps: Sequence[Grade], claimed: Grade) -> Claim:
    """Of the grades of all steps, and of what `claim` makes of all that was seen.

    What was seen to be wrong refuses the claim whichever steps failed before; nothing wrong makes it only if no step failed.
    """
    if claimed is Grade.NOT_CHECKED:
        return Claim.NOT_TESTED
    if claimed is Grade.FAILED or Grade.FAILED in steps:
        return Claim.REFUSED
    return Claim.HOLDS


def inside(spans: Iterable[Span], absence: Absence) -> tuple[Span, ...]:
    """Those of an agent's spans that touch an absence."""
    end_ms = float("inf") if absence.back_ms is None else absence.back_ms
    return tuple(
        (began, end) for began, end in spans if began < end_ms and (end is None or end >= absence.left_ms)
    )
