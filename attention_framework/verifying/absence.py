"""What was seen of one absence: the time from leaving an agent to coming back to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model import Call

Span = tuple[float, float | None]
"""From and to, in ms since the epoch; no end: it goes on."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Times in ms since the epoch, all by the clock of this machine; None: not seen."""

    agent: str
    """`first` or `second`."""
    left_ms: float
    """When the key was pressed that moves the focus away."""
    moved_ms: float | None = None
    """When the host was first seen to say so: an upper bound."""
    braked_ms: float | None = None
    """When the agent's own reflex engaged its gate."""
    looked_ms: float | None = None
    """When the cycle that asked for the pause had looked."""
    asked_ms: float | None = None
    """When that cycle had handed over the request, at the latest: the agent may find it earlier."""
    transport: str = ""
    engaged_ms: float | None = None
    """When the agent engaged its gate for the pause screen, by its acknowledgement."""
    shown_ms: float | None = None
    """When its pause was on its screen, by its acknowledgement."""
    shown: str = ""
    """What was on the screen, in its own word."""
    held_ms: float | None = None
    """When it was first seen to be paused, by its status file or its screen: an upper bound."""
    confirmed_ms: float | None = None
    """When the cycle that saw the pause had looked."""
    back_ms: float | None = None
    """When the key was pressed that moves the focus back."""
    in_flight: tuple[Call, ...] = ()
    """Calls that the agent has named as running during the absence."""
    calls: tuple[Span, ...] = ()
    """What the calls themselves have left behind."""
    answers: tuple[Span, ...] = ()
    """Answers of its model in its conversation log: when each was asked for (or the same again) and written down."""
    stuck: str = ""
    """What was waited for in vain while it was away. What was seen until then counts all the same."""

    @property
    def gate_ms(self) -> float | None:
        """From when on nothing new may start."""
        known = [at_ms for at_ms in (self.braked_ms, self.engaged_ms) if at_ms is not None]
        return min(known, default=self.held_ms)

    def after_ms(self, at_ms: float | None) -> float | None:
        """A duration: how long after it was left."""
        return None if at_ms is None else at_ms - self.left_ms


class Grade(StrEnum):
    """What came of one step."""

    PASSED = "ok"
    FAILED = "FAILED"
    NOT_CHECKED = "not checked"


class Claim(StrEnum):
    """What the run says of the deterministic claim."""

    HOLDS = "holds"
    REFUSED = "refused"
    NOT_TESTED = "not tested"


@dataclass(frozen=True, slots=True)
class Step:
    """One of the ten, with what came of it. `saw` holds neither prompt text nor screen content."""

    number: int
    title: str
    grade: Grade
    saw: str
    private: str = ""
    """For the person alone: what a host has answered may hold anything."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft at one look. Only its length is told."""

    when: str
    wanted: bytes
    found: bytes | None
    """None: it could not be read."""
    exact: bool = True
    """Read byte for byte, not from the screen."""

    @property
    def kept(self) -> bool:
        return self.found == self.wanted
