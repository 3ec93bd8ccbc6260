"""The breaks and manual pauses in force, as a person and a program are told of them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from ..words.durations import in_words
from ..words.local_time import BEYOND, near_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import Hold
    from .panes import Named

    Known = Sequence[tuple[str, Named]]
    """Agents by names that tell them apart, as commands take them."""


def document(hold: Hold, now_ms: int) -> dict[str, Any]:
    """The keys are an interface (docs/reference/commands.md)."""
    return {
        "run": hold.run,
        "kind": hold.kind,
        "source": hold.source or None,
        "panes": None if hold.scope.everything else _ids(hold.scope.panes),
        "except": _ids(hold.scope.excluded),
        "deadline_ms": hold.deadline_ms,
        "left_ms": None if hold.deadline_ms is None else max(0, hold.deadline_ms - now_ms),
    }


def in_a_line(hold: Hold, agents: Known, now_ms: int) -> str:
    """Which it is, whom it holds, until when, and what ends it before."""
    what = "a manual pause" if hold.kind == "manual" else f"{hold.kind} {hold.run}{_by(hold)}"
    return f"in force: {what} for {_whom(hold, agents)}, {_until(hold, now_ms)}; {_ends(hold, agents)}"


def _by(hold: Hold) -> str:
    return f" by {hold.source}" if hold.source else ""


def _whom(hold: Hold, agents: Known) -> str:
    if not hold.scope.everything:
        return ", ".join(_covered(hold, agents)) or f"{_panes(hold.scope.panes)}, where no agent is now"
    spared = [name for name, one in agents if one.ids & hold.scope.excluded]
    return "every agent" + (f" but {', '.join(spared)}" if spared else "")


def _until(hold: Hold, now_ms: int) -> str:
    if hold.deadline_ms is None:
        return "until you end it"
    at = near_time(hold.deadline_ms, now_ms)
    return f"until {at}" + ("" if at == BEYOND else f" ({in_words(hold.deadline_ms - now_ms)} left)")


def _ends(hold: Hold, agents: Known) -> str:
    """A command of the person's own."""
    if hold.kind != "manual":
        return f"attention break-end --run-id {shlex.quote(hold.run)} ends it now"
    covered = [] if hold.scope.everything else _covered(hold, agents)
    return f"attention resume {' '.join(map(shlex.quote, covered)) or '--all'} ends it"


def _covered(hold: Hold, agents: Known) -> list[str]:
    return [name for name, one in agents if hold.scope.covers(one.look.view.key, one.candidate.pane.names)]


def _panes(panes: frozenset[tuple[str, str]]) -> str:
    """One pane has several ids, if it was moved."""
    return ", ".join(sorted({pane for _, pane in panes}))


def _ids(panes: frozenset[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"session": session, "pane": pane} for session, pane in sorted(panes)]
