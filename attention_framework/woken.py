"""What the person is told of wake-ups, by a command or by the resident controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .model import Decision
    from .runner import Woken

UNDONE = (Outcome.REFUSED, Outcome.NOT_CONFIRMED, Outcome.READ_FAILED)
"""Outcomes that leave the person asking why."""


def error_lines(woken: Woken) -> Iterator[str]:
    """For standard error."""
    if woken.error:
        yield f"failed: {woken.error}"


def decision_lines(woken: Woken) -> Iterator[str]:
    """For standard output: one line a decision."""
    if woken.report is None and not woken.error:
        yield Outcome.COALESCED
    for decision in woken.report.decisions if woken.report else ():
        yield _line(decision)


def nothing_runs(sources: Iterable[str], unanswered: Mapping[str, str]) -> str:
    """A host that did not answer (name and reason) may well run."""
    answered = [name for name in sources if name not in unanswered]
    parts = [f"whether a session of {name} runs is not known: {why}" for name, why in unanswered.items()]
    if answered or not unanswered:
        parts.insert(0, f"no running session of {', '.join(answered) or 'any host: none is selected'}")
    return "; ".join(parts)


def _line(decision: Decision) -> str:
    more = "".join(
        f" {name}={value}"
        for name, value in (("policy", decision.policy), ("transport", decision.transport))
        if value
    )
    why = f": {decision.reason}" if decision.outcome in UNDONE else ""
    return f"{decision.outcome} pane={decision.pane}{more}{why}"
