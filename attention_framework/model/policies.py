"""What a policy looks at, and what it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .holds import Hold
    from .panes import Snapshot
    from .requests import Run


class Action(StrEnum):
    """What a policy wants of a pane."""

    RUN = "run"
    """It may run."""
    PAUSE = "pause"
    """It is to be paused."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A policy's opinion on one pane."""

    action: Action
    """What is wanted."""
    reason: str
    """For the person; never empty."""
    runs: tuple[Run, ...] = ()
    """With PAUSE: the runs that want it, at least one; each is `FOCUS_RUN` or a hold in force."""
    give_back: frozenset[str] = frozenset()
    """With RUN: resume the agent if it is paused for none but these runs (and not by the person)."""
    policy: str = ""
    """The policy's name; the cycle fills it in."""

    def of(self, policy: str) -> Verdict:
        """With the name of whose it is. Spelled out: a cycle does it for every pane."""
        return Verdict(self.action, self.reason, self.runs, self.give_back, policy)

    @classmethod
    def run(cls, reason: str, give_back: frozenset[str] = frozenset()) -> Verdict:
        """It may run."""
        return cls(Action.RUN, reason, give_back=give_back)

    @classmethod
    def pause(cls, reason: str, *runs: Run) -> Verdict:
        """It is to be paused for these runs."""
        return cls(Action.PAUSE, reason, runs=runs)


@dataclass(frozen=True, slots=True)
class FocusMemory:
    """What the last cycle of a session saw; the memory of the policies."""

    focused: frozenset[str] = frozenset()
    """Ids of the focused panes."""
    changes: int = 0
    """How often the set of focused panes has changed. Clocks are set back; this is not."""
    changed_ms: int = 0
    """When they changed last."""
    history: tuple[tuple[int, frozenset[str]], ...] = ()
    """`(changes, focused)`, the newest first, the present one included."""
    agents: frozenset[str] = frozenset()
    """Agents that were there at the last change, as `agent_identity` names them."""
    left: tuple[tuple[str, int], ...] = ()
    """`(pane id, when it lost the focus)` of the panes that have had it and have it no more."""
    again_at_ms: int | None = None
    """When to look again at a pane whose absence was too short yet; None: nothing waits."""

    def left_ms(self, names: frozenset[str]) -> int | None:
        """When the pane with these names lost the focus; None if it has it, or is not known to have had it."""
        if names & self.focused:
            return None
        return max((left_ms for name, left_ms in self.left if name in names), default=None)


@dataclass(frozen=True, slots=True)
class Allowance:
    """`attention allow`: a pane may run in the background until
    `until_ms`, or until it has been focused and left again.
    """

    pane: str
    """Its id."""
    until_ms: int | None
    """When it is over at the latest; None: no such time."""
    granted_at: int
    """Number of the focus change (`FocusMemory.changes`) at which it was granted."""

    def over(self, names: frozenset[str], focus: FocusMemory, now_ms: int) -> bool:
        """Whether it has ended for a pane with these names. One that was focused when
        it was granted has only been left once. A number that is still to come is from
        before the memory was lost: then all that is remembered came after it.
        """
        if self.until_ms is not None and now_ms >= self.until_ms:
            return True
        granted_at = self.granted_at if self.granted_at <= focus.changes else -1
        focused_since = any(changes > granted_at and names & focused for changes, focused in focus.history)
        return focused_since and not names & focus.focused


@dataclass(frozen=True, slots=True)
class View:
    """All that a policy may look at, besides the pane."""

    snapshot: Snapshot
    """The session as it was read."""
    key: str
    """The session's key, as in hold scopes."""
    now_ms: int
    """The time of this cycle."""
    holds: tuple[Hold, ...] = ()
    """Those in force."""
    allowances: tuple[Allowance, ...] = ()
    """What `attention allow` has granted and is not over."""
    focus: FocusMemory = field(default_factory=FocusMemory)
    """Already updated with this snapshot."""
    away: frozenset[str] = frozenset()
    """Panes that have the focus in the host and count as not focused, because the window around them is not
    in front. Empty unless `reflex.away` is `pause`.
    """
