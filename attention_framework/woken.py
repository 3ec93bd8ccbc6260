"""What the person is told of wake-ups, by a command or by the resident controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def _line(decision: Decision) -> str:
    more = "".join(
        f" {name}={value}"
        for name, value in (("policy", decision.policy), ("transport", decision.transport))
        if value
    )
    why = f": {decision.reason}" if decision.outcome in UNDONE else ""
    return f"{decision.outcome} pane={decision.pane}{more}{why}"
