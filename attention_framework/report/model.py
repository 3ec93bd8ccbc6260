"""What a report says. The names are an interface: `attention report --json` prints them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FOCUS: Final = "focus"
BREAK: Final = "break"
MANUAL: Final = "manual"
OTHER: Final = "other"
KINDS: Final = (BREAK, MANUAL, FOCUS, OTHER)
"""Why a pause was wanted. Of several reasons the first of these counts."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Durations in milliseconds."""

    count: int
    p50: float
    p99: float
    longest: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """At least one; each percentile is one of the values."""
        ranked = sorted(values)
        return cls(len(ranked), _ranked(ranked, 0.5), _ranked(ranked, 0.99), ranked[-1])


def _ranked(ranked: Sequence[float], share: float) -> float:
    return ranked[max(0, ceil(share * len(ranked)) - 1)]


@dataclass(frozen=True, slots=True)
class Stretches:
    """Breaks, or manual pauses."""

    count: int = 0
    going_on: int = 0
    total_ms: float = 0.0
    longest_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class PaneFigures:
    """One pane of a session."""

    session: str
    pane: str
    label: str | None
    agent: str | None
    pauses: int
    paused_ms: float
    """From the cycle that saw it paused to the one that saw it no more."""


@dataclass(frozen=True, slots=True)
class Bucket:
    """Confirmed pauses in a part of the time, by kind."""

    from_ms: float
    pauses: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """From `from_ms` to `until_ms`, milliseconds since the epoch."""

    from_ms: float
    until_ms: float
    entries: int
    not_understood: int
    """Entries of another version, or of nobody."""
    cycles: int
    failed_cycles: int
    coalesced: int
    asked: int
    """Pauses that were asked for; the same one again counts once."""
    confirmed: int
    unconfirmed: int
    """Pauses that were asked for and reported as not confirmed."""
    refused: int
    spared: int
    """Pauses that were about to be asked for when the focus was back."""
    by_kind: Mapping[str, int]
    by_policy: Mapping[str, int]
    steps: Mapping[str, Spread]
    """Of each step of a cycle, and `confirm`: from the first request to the cycle that saw the pause."""
    breaks: Stretches
    manual: Stretches
    panes: tuple[PaneFigures, ...]
    """Those that were paused the longest first."""
    buckets: tuple[Bucket, ...]
    bucket_ms: float
