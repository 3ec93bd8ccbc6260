"""What the journal tells of one absence."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .absence import Absence

BEFORE_THE_CYCLE: Final = ("process-start", "mark", "line", "load", "wait")
"""Steps that are over when a cycle notes its time."""


def with_journal(absence: Absence, entries: Iterable[dict[str, Any]], session: str, pane: str) -> Absence:
    """The absence with the times of its request and of its confirmation."""
    for entry in entries:
        if not _concerns(entry, session, pane) or entry["at_ms"] < int(absence.left_ms):
            continue
        if absence.back_ms is not None and entry["at_ms"] > absence.back_ms:
            break
        if entry["outcome"] == "pause-sent" and absence.asked_ms is None:
            absence = _asked(absence, entry)
        elif entry["outcome"] == "paused" and absence.confirmed_ms is None:
            absence = replace(absence, confirmed_ms=float(entry["at_ms"]))
    return absence


def _asked(absence: Absence, entry: dict[str, Any]) -> Absence:
    took_ms = sum(ms for step, ms in entry["steps"].items() if step not in BEFORE_THE_CYCLE)
    at_ms = float(entry["at_ms"])
    return replace(absence, cycle_ms=at_ms, asked_ms=at_ms + took_ms, transport=str(entry["transport"] or ""))


def _concerns(entry: dict[str, Any], session: str, pane: str) -> bool:
    return entry.get("type") == "decision" and entry.get("session") == session and entry.get("pane") == pane
