"""Which holds to take and to release, decided from what is held and what the sources tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..breaks import latest_end

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..model import Break, Hold


@dataclass(frozen=True, slots=True)
class Plan:
    take: tuple[tuple[str, Break], ...]
    """`(source, break)`."""
    release: tuple[Hold, ...]
    seen: frozenset[str]
    """Runs that go on and have had their hold: `seen` of the next plan."""


def plan(
    holds: Sequence[Hold], told: Mapping[str, Sequence[Break] | None], seen: frozenset[str], now_ms: int
) -> Plan:
    """What makes the holds of these sources the breaks that they tell of.

    None stands for a source that does not answer: nothing is known, so its holds stand until their deadline.
    A run that was `seen` and is held no more was ended by somebody else, and is not taken again.
    """
    live = {
        (source, found.run): found
        for source, breaks in told.items()
        for found in breaks or ()
        if now_ms < latest_end(found)
    }
    release = tuple(hold for hold in holds if _is_over(hold, told, live, now_ms))
    held = {hold.run for hold in holds}
    take: dict[str, tuple[str, Break]] = {}
    for (source, run), found in live.items():
        if run not in held and run not in seen:
            take.setdefault(run, (source, found))
    return Plan(tuple(take.values()), release, _still_seen(told, live, held, seen) | frozenset(take))


def _is_over(
    hold: Hold,
    told: Mapping[str, Sequence[Break] | None],
    live: Mapping[tuple[str, str], Break],
    now_ms: int,
) -> bool:
    if hold.kind != "break" or hold.source not in told:
        return False
    if not hold.in_force(now_ms):
        return True
    return told[hold.source] is not None and (hold.source, hold.run) not in live


def _still_seen(
    told: Mapping[str, Sequence[Break] | None],
    live: Mapping[tuple[str, str], Break],
    held: set[str],
    seen: frozenset[str],
) -> frozenset[str]:
    """A source that is silent for a moment must not make us forget."""
    going_on = frozenset(run for _, run in live)
    return (going_on & (seen | held)) | (seen if None in told.values() else frozenset())
