"""What has to hold at the end. Each function gives the ways in which it does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .evidence import Evidence, Span, Work

ALIVE_MS: Final = 1500.0
"""A working agent starts a call every 50 ms; on a busy machine it may take longer."""
ARRIVAL_MS: Final = 1000.0
"""An agent may take so long to read that the focus has come back. A pause that was painted by then is no late one."""


@dataclass(frozen=True, slots=True)
class Finding:
    promise: str
    broken: tuple[str, ...] = ()


def check(evidence: Evidence) -> list[Finding]:
    return [Finding(promise, tuple(look(evidence))) for promise, look in PROMISES]


def every_scene_was_reached(evidence: Evidence) -> Iterator[str]:
    if evidence.stuck:
        yield evidence.stuck


def the_focused_agent_runs(evidence: Evidence) -> Iterator[str]:
    for work in evidence.agents:
        if work.focused and work.paused:
            yield f"{work.name} has the focus and is paused"
        elif work.focused and not _starts_within(work, evidence.end_ms - ALIVE_MS, None):
            yield f"{work.name} has the focus, is not paused, and has started nothing for {ALIVE_MS / 1000:g} s"


def the_others_are_paused(evidence: Evidence) -> Iterator[str]:
    for work in evidence.agents:
        if not work.focused and not work.paused:
            yield f"{work.name} has no focus and runs"


def nothing_starts_in_a_pause(evidence: Evidence) -> Iterator[str]:
    for work in evidence.agents:
        for began, ended in work.pauses:
            late = _starts_within(work, began, ended)
            if late:
                yield f"{work.name} started {late} calls while its pause was on its screen"


def nobody_pauses_under_your_eyes(evidence: Evidence) -> Iterator[str]:
    for work in evidence.agents:
        for began, _ in work.pauses:
            for came, left in work.visits:
                if came + ARRIVAL_MS < began < (left or float("inf")):
                    yield f"{work.name} was paused {(began - came) / 1000:.1f} s after you had come to it"


def drafts_are_untouched(evidence: Evidence) -> Iterator[str]:
    for work in evidence.agents:
        if work.draft != work.draft_wanted:
            yield f"{work.name}: the draft was {work.draft_wanted!r} and is {work.draft!r}"
        for prompt in work.prompts:
            yield f"{work.name}: {prompt!r} was submitted, and nobody did that"


def every_request_has_ended(evidence: Evidence) -> Iterator[str]:
    for work in evidence.agents:
        left = [name for name in work.mailbox if name != "ack.json"]
        if left:
            yield f"{work.name}: {', '.join(left)} is left in its mailbox"
        if ("ack.json" in work.mailbox) != work.paused:
            yield f"{work.name}: its acknowledgement and its screen disagree"


def every_hook_ran_well(evidence: Evidence) -> Iterator[str]:
    yield from evidence.failed_hooks
    for entry in evidence.journal:
        if entry["type"] == "cycle" and entry.get("error"):
            yield f"a cycle failed: {entry['error']}"


def every_pause_is_in_the_journal(evidence: Evidence) -> Iterator[str]:
    asked = sum(1 for entry in evidence.journal if entry.get("outcome") == "pause-sent")
    paused = sum(len(work.pauses) for work in evidence.agents)
    if asked < paused:
        yield f"{paused} pauses, and {asked} requests in the journal"


PROMISES: Final[tuple[tuple[str, Callable[[Evidence], Iterator[str]]], ...]] = (
    ("Every switch had its effect in time", every_scene_was_reached),
    ("The agent that you look at runs", the_focused_agent_runs),
    ("All the others are paused", the_others_are_paused),
    ("No call starts in a pause", nothing_starts_in_a_pause),
    ("Nobody is paused under your eyes", nobody_pauses_under_your_eyes),
    ("Drafts are the same, byte for byte", drafts_are_untouched),
    ("Every request has come to an end", every_request_has_ended),
    ("Every hook of Herdr's ran well", every_hook_ran_well),
    ("The journal has every pause", every_pause_is_in_the_journal),
)


def delays_ms(evidence: Evidence) -> list[float]:
    """From leaving an agent to its pause on its screen, for those that were not visited again before it."""
    return sorted(delay for work in evidence.agents for delay in _delays(work))


def _delays(work: Work) -> Iterator[float]:
    for number, (_, left) in enumerate(work.visits):
        if left is None:
            continue
        back = work.visits[number + 1][0] if number + 1 < len(work.visits) else float("inf")
        began = next((began for began, _ in work.pauses if left <= began < back), None)
        if began is not None:
            yield began - left


def _starts_within(work: Work, from_ms: float, to_ms: float | None) -> int:
    return sum(
        from_ms < start < (to_ms if to_ms is not None else float("inf")) for start in _starts(work.calls)
    )


def _starts(calls: tuple[Span, ...]) -> Iterator[float]:
    return (start for start, _ in calls)
