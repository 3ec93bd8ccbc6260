"""`attention allow`: panes that may run in the background for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import Verdict

if TYPE_CHECKING:
    from attention_framework import Context, Pane, View


class Allowed:
    """Lets a pane run until its time is over, or until it has been focused and left again."""

    name = "allowed"

    def __init__(self, settings: None, context: Context) -> None:
        pass

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        for allowance in view.allowances:
            if allowance.pane in pane.names and not allowance.over(pane.names, view.focus, view.now_ms):
                return Verdict.run(_reason(allowance.until_ms, view.now_ms))
        return None


def _reason(until_ms: int | None, now_ms: int) -> str:
    until = "" if until_ms is None else f", for {(until_ms - now_ms) / 60_000:.0f} min more at most"
    return f"allowed to run in the background until it has been focused and left again{until}"
