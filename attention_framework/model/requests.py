"""What is asked of an agent, and how far that has come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

FOCUS_RUN: Final = "focus"
"""The run of a pane that has lost the focus. No hold file goes by this name."""


@dataclass(frozen=True, slots=True)
class Run:
    """One reason to keep a pane paused, as asked of its agent."""

    id: str
    """Of the hold, or `FOCUS_RUN`."""
    reason: str
    """For the person, and for the agent to show."""
    deadline_ms: int | None = None
    """When it is over by itself; None: never."""
    attended: int | None = None
    """For the focus run: the agent's count as read before the snapshot.
    It stands only while the count is the same.
    """


@dataclass(frozen=True, slots=True)
class PauseRequest:
    """The full set of runs that want one pane paused now. Without runs it withdraws what was asked before."""

    runs: tuple[Run, ...]
    """None of them twice."""


class DeliveryStatus(StrEnum):
    """How far a request has come."""

    SENT = "sent"
    """Handed to the terminal; nobody promises that it arrives."""
    ACCEPTED = "accepted"
    """Left where the agent finds it, whatever happens meanwhile."""
    REFUSED = "refused"
    """Not handed over: the next transport of the settings is tried."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of handing over a request. Never a claim that the agent has paused."""

    status: DeliveryStatus
    """How far it has come."""
    reason: str = ""
    """For the person: what was done, or why not. Needed where it was refused."""
    transport: str = ""
    """The transport's name; the cycle fills it in."""

    @classmethod
    def sent(cls, reason: str = "") -> Delivery:
        """Handed to the terminal."""
        return cls(DeliveryStatus.SENT, reason)

    @classmethod
    def accepted(cls, reason: str = "") -> Delivery:
        """Left where the agent finds it."""
        return cls(DeliveryStatus.ACCEPTED, reason)

    @classmethod
    def refused(cls, reason: str) -> Delivery:
        """Not handed over, with the reason."""
        return cls(DeliveryStatus.REFUSED, reason)
