"""Breaks and manual pauses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import Run, Verdict

if TYPE_CHECKING:
    from attention_framework import Context, Hold, Pane, View


class Holds:
    """Pauses a pane while a hold covers it, except where the person has resumed it during that hold."""

    name = "holds"

    def __init__(self, settings: None, context: Context) -> None:
        pass

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        if not view.holds:
            return None
        waived = pane.hello.waived if pane.hello else frozenset()
        covering = [hold for hold in view.holds if hold.scope.covers(view.key, pane.names)]
        standing = [hold for hold in covering if hold.run not in waived]
        if not standing:
            return None
        runs = [Run(hold.run, _reason(hold), hold.deadline_ms) for hold in standing]
        return Verdict.pause("; ".join(dict.fromkeys(run.reason for run in runs)), *runs)


def _reason(hold: Hold) -> str:
    return f"{hold.kind} from {hold.source}" if hold.source else hold.kind
