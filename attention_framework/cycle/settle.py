"""`focus.settle_ms`: an absence that is shorter asks for no pause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import FOCUS_RUN, Action

if TYPE_CHECKING:
    from ..model import FocusMemory, Verdict


def settling_ms(names: frozenset[str], memory: FocusMemory, settle_ms: int, now_ms: int) -> int:
    """How many milliseconds are left until the absence of the pane with these names counts; 0: it counts.

    A loss that lies in the future is from before the clock was set back: how long ago it is, nobody knows.
    """
    left_ms = memory.left_ms(names)
    if left_ms is None or left_ms > now_ms:
        return 0
    return max(0, left_ms + settle_ms - now_ms)


def waits(verdict: Verdict, settling_ms: int) -> bool:
    """Whether the pause that is wanted is to wait: only one for the lost focus alone does, never a hold."""
    runs = {run.id for run in verdict.runs}
    return settling_ms > 0 and verdict.action is Action.PAUSE and runs == {FOCUS_RUN}
