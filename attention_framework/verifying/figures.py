"""A run in figures, and as the object that is attached to a bug report: neither prompt text nor screen content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..report import Spread
from .judging import before_the_gate, late_answers, late_calls, safe_boundary_ms, was_busy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .absence import Absence, Draft, Step

MEASURED: Final = (
    ("braked_ms", "key to brake"),
    ("gate_ms", "key to gate"),
    ("asked_ms", "key to request handed over, at most"),
    ("shown_ms", "key to pause on the screen"),
    ("confirmed_ms", "key to confirmation in the journal"),
)


def measured(absences: Sequence[Absence]) -> dict[str, Spread]:
    """Durations from the key that moved the focus away."""
    found = {}
    for field, title in MEASURED:
        values = [
            after for absence in absences if (after := absence.after_ms(getattr(absence, field))) is not None
        ]
        if values:
            found[title] = Spread.of(values)
    return found


def absence_figures(absence: Absence) -> dict[str, Any]:
    """Milliseconds after the key."""
    times = (
        "moved_ms",
        "braked_ms",
        "looked_ms",
        "asked_ms",
        "engaged_ms",
        "shown_ms",
        "held_ms",
        "confirmed_ms",
        "back_ms",
    )
    return {
        "agent": absence.agent,
        "transport": absence.transport,
        "shown": absence.shown,
        **{name: _rounded(absence.after_ms(getattr(absence, name))) for name in times},
        "safe_boundary_ms": _rounded(absence.after_ms(safe_boundary_ms(absence))),
        "busy": was_busy(absence),
        "in_flight": [{"since_ms": _rounded(absence.after_ms(call.since_ms))} for call in absence.in_flight],
        "calls": _spans(absence, absence.calls),
        "answers": _spans(absence, absence.answers),
        "before_the_gate": before_the_gate(absence),
        "late_calls": [_rounded(absence.after_ms(at_ms)) for at_ms in late_calls(absence)],
        "late_answers": [_rounded(absence.after_ms(at_ms)) for at_ms in late_answers(absence)],
    }


def draft_figures(draft: Draft) -> dict[str, Any]:
    found = None if draft.found is None else len(draft.found)
    return {
        "when": draft.when,
        "kept": draft.kept,
        "exact": draft.exact,
        "bytes_wanted": len(draft.wanted),
        "bytes_found": found,
    }


def step_figures(step: Step) -> dict[str, Any]:
    return {"number": step.number, "title": step.title, "outcome": str(step.grade), "saw": step.saw}


def _spans(absence: Absence, spans: Sequence[tuple[float, float | None]]) -> list[list[float | None]]:
    return [[_rounded(absence.after_ms(began)), _rounded(absence.after_ms(end))] for began, end in spans]


def _rounded(after_ms: float | None) -> float | None:
    return None if after_ms is None else round(after_ms, 1)
