"""Looks that nobody asks for, where no controller is resident: has what was asked for come about?

The wake-up of an agent that has paused is a process of its own, which may come late or not at all; an agent that
is asked by a key sends none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..serve.work import Agenda

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ..model import Session
    from ..runner import Woken

NEVER = float("inf")


class Looks:
    """Of every session that runs. Pure: the time is given."""

    def __init__(self) -> None:
        self._agendas: dict[Session, Agenda] = {}

    @property
    def due_ms(self) -> float:
        return min((agenda.due_ms for agenda in self._agendas.values()), default=NEVER)

    def note(self, woken: Sequence[Woken], now_ms: float, silent: Collection[str] = ()) -> None:
        """What became of a wake-up of every session; one that is not among them has ended, unless its host is one of
        the `silent`, which do not say which sessions run.
        """
        reports = {one.session: one.report for one in woken}
        before = self._agendas
        waiting = {one: None for one in before if one.host in silent and before[one].due_ms < NEVER}
        reports = {**waiting, **reports}
        self._agendas = {session: before.get(session) or Agenda(NEVER) for session in reports}
        for session, report in reports.items():
            self._agendas[session].ended(now_ms, report)
