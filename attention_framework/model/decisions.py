"""What a cycle has decided, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from .agents import UNKNOWN

if TYPE_CHECKING:
    from .agents import Observation
    from .panes import Session
    from .policies import Action


class Outcome(StrEnum):
    """How a cycle left one candidate. The names are part of the journal's interface."""

    PAUSE_SENT = "pause-sent"
    """It was asked for; nothing is known yet."""
    PAUSED = "paused"
    """What was asked for earlier is confirmed: the agent says so, or its screen does."""
    ALREADY_PAUSED = "already-paused"
    """It is paused, and nothing had to be done."""
    NOW_FOCUSED = "now-focused"
    """It was about to be asked, and the second look at the focus said no."""
    READ_FAILED = "read-failed"
    """Something was about to be done, and the second look failed: nothing was done."""
    COALESCED = "coalesced"
    """Of a wake-up: the cycle of another process, begun later, has covered it."""
    REFUSED = "refused"
    """No transport took the request, or two processes claim the pane; the reason has every refusal."""
    NOT_CONFIRMED = "not-confirmed"
    """Asked repeatedly, for longer than `report_unconfirmed_after_s`, and no pause was seen."""
    WAIVED = "waived"
    """A hold covers it, and the person resumed it in spite of that."""
    EXPIRED = "expired"
    """Of a hold: its deadline is past."""
    RELEASED = "released"
    """A request that had not been carried out yet was withdrawn."""
    RESUMED = "resumed"
    """It was asked to resume."""
    LEFT_RUNNING = "left-running"
    """It may run, or its absence is too short yet."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What one cycle decided for one candidate, and what came of it."""

    session: str
    """The session's key."""
    pane: str
    """Its id."""
    agent: str
    """Kind of the agent."""
    outcome: Outcome
    """What came of it."""
    reason: str
    """For the person."""
    action: Action | None = None
    """What the policy wanted; None where none was asked."""
    policy: str = ""
    """Whose verdict it was; empty: no policy had an opinion."""
    runs: tuple[str, ...] = ()
    """Ids of the runs that want it paused."""
    observed: Observation = UNKNOWN
    """What the detector saw."""
    transport: str = ""
    """By which it was asked; empty if it was not."""
    label: str = ""
    """What the person calls the pane."""
    steps: tuple[tuple[str, float], ...] = ()
    """Milliseconds of the steps that were this pane's alone, such as `deliver` and `confirm`."""


@dataclass(frozen=True, slots=True)
class CycleReport:
    """One pass over one session."""

    cycle: str
    """Its id."""
    trigger: str
    """Which wake-up it came of."""
    session: Session
    """The one that was looked at."""
    key: str
    """The session's key."""
    started_ms: int
    """When it began."""
    decisions: tuple[Decision, ...] = ()
    """One for each pane with an agent that is controlled."""
    steps: tuple[tuple[str, float], ...] = ()
    """`(step, milliseconds)` in order: process-start, snapshot, judge, observe, recheck, deliver."""
    error: str = ""
    """Why it could not be done; empty if it could."""
    warnings: tuple[str, ...] = ()
    """For the person."""
    again_ms: int | None = None
    """A duration: another cycle is due this many milliseconds after this
    one, because an absence is too short yet (`focus.settle_ms`).
    """

    @property
    def failed(self) -> bool:
        """Whether it could not be done."""
        return bool(self.error)
