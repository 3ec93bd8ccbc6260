"""Which session folders are of sessions that have ended and will not come back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

DAY_MS: Final = 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Traces:
    """What tells of a session whose folder is there."""

    listed: bool
    """The host has told which of its sessions run."""
    running: bool
    ended: bool | None
    """What the host knows for sure: that a session of this address cannot run any more, or that it may; None if the
    host cannot tell the two apart."""
    live_agents: bool
    wake_ups: bool
    noted_ms: int | None
    """Since when it has been seen not to run."""
    changed_ms: int = 0
    """When its focus changed last."""


class Fate(Enum):
    KEEP = "keep"
    NOTE = "note that it does not run"
    FORGET = "forget that it did not run"
    REMOVE = "remove"


def fate(traces: Traces, now_ms: int) -> Fate:
    """A session may come back under its address, and a host that is just starting lists none: so one is removed
    when it has not run for a day, or when the host knows that it cannot come back.
    """
    if traces.running:
        return Fate.KEEP if traces.noted_ms is None else Fate.FORGET
    if not traces.listed or traces.live_agents or traces.ended is False:
        return Fate.KEEP
    if traces.ended:
        return Fate.REMOVE
    if traces.wake_ups:
        return Fate.KEEP
    if traces.noted_ms is None or not traces.changed_ms <= traces.noted_ms <= now_ms:
        return Fate.NOTE
    return Fate.REMOVE if now_ms - traces.noted_ms >= DAY_MS else Fate.KEEP
