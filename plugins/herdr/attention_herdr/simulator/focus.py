"""The one place that notices a change of focus (Herdr 0.8.2,
`sync_focus_events`): gestures and requests only change the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hub import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from .state import Pane, State

GAINED = b"\x1b[I"
LOST = b"\x1b[O"


class FocusDiffer:
    """Compares (index of the workspace, focused pane) with what it saw last.
    The index is part of it, so a workspace that moves up emits again.
    """

    def __init__(self, state: State, emit: Callable[[Event], None]) -> None:
        self._state = state
        self._emit = emit
        self._last: tuple[int, Pane] | None = None
        self._outer = True

    def look(self) -> None:
        now, before = self._now(), self._last
        self._last = now
        if now == before:
            return
        if self._outer and (before and before[1]) is not (now and now[1]):
            _report(before and before[1], LOST)
            _report(now and now[1], GAINED)
        if now is not None:
            self._tell(now[1])

    def outer(self, focused: bool) -> None:
        """The terminal window around everything:
        no event and no field, only reports to the focused pane's program.
        """
        if focused != self._outer:
            self._outer = focused
            _report(self._state.focused, GAINED if focused else LOST)

    def _now(self) -> tuple[int, Pane] | None:
        pane = self._state.focused
        return None if pane is None else (self._state.workspaces.index(pane.workspace), pane)

    def _tell(self, pane: Pane) -> None:
        pane.seen = True
        workspace = {"workspace_id": pane.workspace.id}
        self._emit(Event("workspace.focused", workspace))
        self._emit(Event("tab.focused", {"tab_id": pane.tab.id, **workspace}))
        self._emit(Event("pane.focused", {"pane_id": pane.id, **workspace}))


def _report(pane: Pane | None, report: bytes) -> None:
    if pane is not None and pane.program is not None and pane.screen.focus_reports:
        pane.program.send(report)
