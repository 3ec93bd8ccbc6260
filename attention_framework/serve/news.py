"""Which cycles the journal is to have: looks that find what the last one found would fill it in a few days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .worker import LOOK

if TYPE_CHECKING:
    from ..model import CycleReport

ASK = "ask:"
"""What the trigger of a question begins with."""


class News:
    """Remembers what the last cycle of each session has found."""

    def __init__(self) -> None:
        self._last: dict[str, object] = {}

    def is_news(self, report: CycleReport) -> bool:
        """A cycle that something has caused is; one that only looked or was only asked, if it found something else."""
        found = (
            report.error,
            tuple((one.pane, one.outcome, one.runs, one.observed.state) for one in report.decisions),
        )
        before = self._last.get(report.key)
        self._last[report.key] = found
        return before != found or not all(_is_quiet(trigger) for trigger in report.trigger.split(", "))


def _is_quiet(trigger: str) -> bool:
    return trigger == LOOK or trigger.startswith(ASK)
