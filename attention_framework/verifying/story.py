"""What the journal tells of one absence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .absence import Absence

UNTIL_SEEN: Final = ("hellos", "snapshot", "judge", "observe")
"""Steps of a cycle, from the time that it notes on, until it knows what the agents do."""
UNTIL_ASKED: Final = (*UNTIL_SEEN, "recheck", "deliver")


def with_journal(absence: Absence, entries: Iterable[dict[str, Any]], session: str, pane: str) -> Absence:
    """The absence with the times of its request and of its confirmation."""
    for entry in entries:
        if not _concerns(entry, session, pane) or _after(entry, UNTIL_SEEN) < absence.left_ms - 1:
            continue  # It had looked before the key; one that has only begun before it is no such cycle.
        if absence.back_ms is not None and entry["at_ms"] > absence.back_ms:
            break
        if entry["outcome"] == "pause-sent" and absence.asked_ms is None:
            absence = _asked(absence, entry)
        elif entry["outcome"] == "paused" and absence.confirmed_ms is None:
            absence = replace(absence, confirmed_ms=_after(entry, UNTIL_SEEN))
    return absence


def _asked(absence: Absence, entry: dict[str, Any]) -> Absence:
    return replace(
        absence,
        looked_ms=_after(entry, UNTIL_SEEN),
        asked_ms=_after(entry, UNTIL_ASKED),
        transport=str(entry["transport"] or ""),
    )


def _after(entry: dict[str, Any], steps: tuple[str, ...]) -> float:
    return float(entry["at_ms"]) + sum(float(entry["steps"].get(step, 0.0)) for step in steps)


def _concerns(entry: dict[str, Any], session: str, pane: str) -> bool:
    return entry.get("type") == "decision" and entry.get("session") == session and entry.get("pane") == pane
