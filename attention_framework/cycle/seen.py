"""One session as a cycle has seen it, and what it wants of each agent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..model import UNKNOWN, Observation, Verdict
from .judge import NO_OPINION
from .settle import waits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..model import FocusMemory, Pane, View


@dataclass(frozen=True, slots=True)
class Candidate:
    """An agent that this cycle decides about."""

    pane: Pane
    verdict: Verdict = NO_OPINION
    seen: Observation = UNKNOWN
    conflict: str = ""
    settling_ms: int = 0
    """How long its absence is still too short to count."""

    @property
    def waiting(self) -> bool:
        """A pause for the lost focus is wanted, and not asked for yet."""
        return waits(self.verdict, self.settling_ms) and not self.seen.held and not self.conflict


@dataclass(frozen=True, slots=True)
class Seen:
    """One session as it was seen, before anything is wanted of it."""

    view: View
    conflicts: Mapping[str, str]
    """Why it is not clear which process speaks for a pane, by the pane's id."""
    unread: Sequence[str] = ()
    """Names of status files that are broken or whose process is gone."""
    remembered: FocusMemory | None = None
    """As the last cycle has left it."""


@dataclass(frozen=True, slots=True)
class Look:
    """One session with the verdict on each candidate and what was seen of it."""

    view: View
    candidates: Sequence[Candidate]

    @property
    def again_ms(self) -> int | None:
        """A duration: when to look again, for the first pane whose absence is too short yet."""
        waiting = (candidate.settling_ms for candidate in self.candidates if candidate.waiting)
        return min(waiting, default=None)

    @property
    def memory(self) -> FocusMemory:
        """What the next cycle is to find."""
        at_ms = None if self.again_ms is None else self.view.now_ms + self.again_ms
        return replace(self.view.focus, again_at_ms=at_ms)
