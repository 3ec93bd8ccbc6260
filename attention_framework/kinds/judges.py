"""Who says which pane may run and when there is a break, and who is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from ..model import Break, Pane, Verdict, View


class Policy(Protocol):
    """Judges panes. In the order of the settings the first opinion decides;
    the runs of the pause opinions that follow it directly are added.
    """

    name: str
    """By which `[[policy]]` selects it: `use = "NAME"`."""

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        """An opinion on this pane, or None for none. Computed from the arguments alone: the same ones give the same
        answer.
        """
        ...


class Observer(Protocol):
    """Is told what has happened, in every process that does something, after its locks have been let go; it cannot
    change it. Each observer of an enabled plugin is told. It has at least one of these methods:

    - `decided(decision: Decision, report: CycleReport)`: a cycle has decided on one pane.
    - `cycle_finished(report: CycleReport)`: a cycle is over.
    - `hold_changed(hold: Hold, change: str)`: a hold has been `taken`, `released` or has `expired`.
    """

    name: str
    """Of its settings: `[strategy.NAME]`."""


class BreakSource(Protocol):
    """Tells which screen breaks are going on."""

    name: str
    """By which `breaks.sources` selects it."""

    def current(self) -> Sequence[Break]:
        """The breaks going on now, with ids that a restart computes alike."""
        ...

    def watch(self, wake: Callable[[str], None], stop: Event) -> None:
        """Call `wake(reason)` when a break may have begun or ended, until `stop` is set. May miss, double or invent
        wake-ups.
        """
        ...
