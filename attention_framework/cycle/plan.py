"""What to do about one pane, as a function of what is wanted, what was seen and what was asked before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ..model import FOCUS_RUN, Action, AgentState, Outcome
from .settle import waits

if TYPE_CHECKING:
    from ..model import Observation, Pane, Run, Verdict
    from ..state.deliveries import Outstanding


class Deed(Enum):
    """What is to be done about a pane."""

    LEAVE = "leave"
    PAUSE = "pause"
    WITHDRAW = "withdraw"
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class Intent:
    """What this cycle means to do about one pane; with LEAVE, the outcome is final."""

    deed: Deed
    outcome: Outcome
    reason: str
    runs: tuple[Run, ...] = ()
    engagement: str | None = None
    confirmed: bool = False
    """The pause that was asked for before is there."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of one pane besides the verdict."""

    seen: Observation
    asked: Outstanding | None = None
    """The request that has not been confirmed yet."""
    on_its_way: bool = False
    """A transport has something in the mailbox that nobody remembers having asked for."""
    eligible: bool = True
    """The host's status of the agent is one of those that may be paused."""
    waived: frozenset[str] = frozenset()
    """Holds in force that cover the pane and that the person has waived for it."""
    settling_ms: int = 0
    """How long its absence is still too short to count."""


def plan(pane: Pane, verdict: Verdict, found: Found) -> Intent:
    if verdict.action is Action.PAUSE:
        return _plan_pause(pane, verdict, found)
    return _plan_run(verdict, found)


def _plan_pause(pane: Pane, verdict: Verdict, found: Found) -> Intent:
    seen = found.seen
    if seen.held:
        if found.asked:
            return Intent(Deed.LEAVE, Outcome.PAUSED, verdict.reason, verdict.runs, confirmed=True)
        by = "by the person" if seen.by_person else f"for {_names(seen.runs)}" if seen.runs else ""
        return Intent(Deed.LEAVE, Outcome.ALREADY_PAUSED, f"paused {by}".strip(), verdict.runs)
    if not verdict.runs:  # Handed over, a request without runs would withdraw the one before.
        return Intent(Deed.LEAVE, Outcome.LEFT_RUNNING, f"{verdict.policy} names no run to pause it for")
    if not found.eligible:
        return Intent(
            Deed.LEAVE,
            Outcome.LEFT_RUNNING,
            f"the host says it is {pane.status}, which the settings leave alone",
        )
    if waits(verdict, found.settling_ms):
        return _wait(verdict, found)
    until = "; it is braked until then" if seen.state is AgentState.BRAKED else ""
    return Intent(Deed.PAUSE, Outcome.PAUSE_SENT, verdict.reason + until, verdict.runs)


def _wait(verdict: Verdict, found: Found) -> Intent:
    """What was asked before, for a hold that has ended or an absence that is over, is wanted no more."""
    reason = f"{verdict.reason}; it is asked in {found.settling_ms / 1000:.2f} s, unless it is back by then"
    if found.asked or found.on_its_way:
        return Intent(Deed.WITHDRAW, Outcome.RELEASED, reason)
    return Intent(Deed.LEAVE, Outcome.LEFT_RUNNING, reason, verdict.runs)


def _plan_run(verdict: Verdict, found: Found) -> Intent:
    seen = found.seen
    if seen.held:
        if may_give_back(verdict, seen):
            return Intent(Deed.RESUME, Outcome.RESUMED, verdict.reason, engagement=seen.engagement)
        return Intent(
            Deed.LEAVE,
            Outcome.PAUSED if found.asked else Outcome.ALREADY_PAUSED,
            f"{verdict.reason}; it stays paused until the person resumes it",
            confirmed=found.asked is not None,
        )
    if found.asked or found.on_its_way:
        return Intent(Deed.WITHDRAW, Outcome.RELEASED, verdict.reason)
    if seen.state is AgentState.BRAKED:
        reason = f"{verdict.reason}; it is braked, and lets go by itself when it hears that it may run"
        return Intent(Deed.LEAVE, Outcome.LEFT_RUNNING, reason)
    if found.waived:
        return Intent(Deed.LEAVE, Outcome.WAIVED, f"the person resumed it in spite of {_names(found.waived)}")
    return Intent(Deed.LEAVE, Outcome.LEFT_RUNNING, verdict.reason)


def may_give_back(verdict: Verdict, seen: Observation) -> bool:
    """Only what these runs alone have paused, and never a pause of the person's."""
    return bool(seen.engagement and seen.runs and seen.runs <= verdict.give_back and not seen.by_person)


def after_recheck(intent: Intent, focused_now: bool | None) -> Intent:
    """The intent in the light of a second look at the focus,
    just before acting. None: the host can no longer tell.
    """
    if intent.deed is Deed.PAUSE and focused_now is not False:
        runs = tuple(run for run in intent.runs if run.id != FOCUS_RUN)
        if not runs:
            return Intent(
                Deed.LEAVE,
                Outcome.NOW_FOCUSED,
                "it has the focus again" if focused_now else "the focus is no longer known",
            )
        return Intent(Deed.PAUSE, intent.outcome, intent.reason, runs)
    if intent.deed is Deed.RESUME and not focused_now:
        return Intent(Deed.LEAVE, Outcome.ALREADY_PAUSED, "it has lost the focus again")
    return intent


def _names(runs: frozenset[str]) -> str:
    return ", ".join(sorted(runs))
