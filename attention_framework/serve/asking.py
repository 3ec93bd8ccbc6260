"""`ask`: may this pane's agent go on? Answered from what is seen after the question arrived."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from ..kinds import HostUnavailable
from ..model import Action

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from ..cycle import Controller, Seen
    from ..kinds import FocusSource
    from ..model import Pane, Session, View

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to one question: `run`, `pause`, or `unknown` where nothing is known."""

    word: str
    reason: str


class Rounds(Generic[T]):
    """Runs a function, one at a time, for all who ask. Everyone gets
    the result of a run that began after the question was there.
    """

    def __init__(
        self, function: Callable[[], T], one_at_a_time: AbstractContextManager[object] | None = None
    ) -> None:
        self._function = function
        self._one_at_a_time = one_at_a_time or threading.Lock()
        self._next: _Round[T] = _Round()

    def ask(self) -> T:
        """Raises what the function raises."""
        mine = self._next
        with self._one_at_a_time:
            if not mine.over:
                self._next = _Round()  # Whoever comes now is too late for this one.
                mine.run(self._function)
        return mine.result()


class _Round(Generic[T]):
    def __init__(self) -> None:
        self.over = False
        self._results: list[T] = []
        self._error: Exception | None = None

    def run(self, function: Callable[[], T]) -> None:
        try:
            self._results.append(function())
        except Exception as error:
            self._error = error
        self.over = True

    def result(self) -> T:
        if self._error is not None:
            raise self._error
        return self._results[0]


def answer(
    controller: Controller,
    source: FocusSource,
    session: Session,
    look: Callable[[], Seen],
    pane_id: str,
    pid: int | None,
) -> Said:
    """What the policies say of one pane now."""
    try:
        seen = _at_one_moment(controller, look)
    except HostUnavailable as error:
        return Said("unknown", str(error))
    pane = asked_pane(seen.view, pane_id, pid, lambda name: controller.locate(source, session, name))
    if pane is None:
        return Said("unknown", f"{session.host} has no pane {pane_id}")
    if pane.id in seen.conflicts:
        return Said("unknown", seen.conflicts[pane.id])
    verdict = controller.judge(seen, pane)
    if verdict.action is Action.PAUSE:
        return Said("pause", verdict.reason)
    if seen.view.snapshot.focused is None:
        return Said("unknown", f"{session.host} cannot tell which pane has the focus")
    return Said("run", verdict.reason)


def _at_one_moment(controller: Controller, look: Callable[[], Seen]) -> Seen:
    """The holds are read after the snapshot. Of a break that ends between the two, while the focus goes too, both would
    allow what neither moment has: so whoever sees a hold end looks again.
    """
    while True:
        before = {hold.run for hold in controller.holds.in_force(controller.effects.clock.wall_ms())}
        seen = look()
        if before <= {hold.run for hold in seen.view.holds}:
            return seen


def asked_pane(view: View, pane_id: str, pid: int | None, locate: Callable[[str], str | None]) -> Pane | None:
    """The pane that is meant: by the process that asks, which knows only the id that it inherited; then by
    that id; then by what the pane is called today; then by the agent in it, which has inherited that id too.
    """
    panes = view.snapshot.panes
    if pid is not None:
        mine = next((pane for pane in panes if pane.hello and pane.hello.process.pid == pid), None)
        if mine is not None:
            return mine
    named = next((pane for pane in panes if pane_id in (pane.id, *pane.aliases)), None)
    if named is None:
        today = locate(pane_id)
        named = next((pane for pane in panes if pane.id == today), None)
    return named or next((pane for pane in panes if pane_id in pane.names), None)
