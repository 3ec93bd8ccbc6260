"""Policies say which pane may run, break sources say when there is a break, and observers are told what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from ..model import Break, Pane, Verdict, View


class Policy(Protocol):
    """Judges whether the agent in a pane may run. The policies are asked in the order of the settings.

    The first one that has an opinion decides. If it says pause, the next ones are asked too, up to the first that says run:
    the runs of those that also say pause are added to the request. If no policy has an opinion, the agent may run.
    """

    name: str
    """The name by which the settings select it: `use = "NAME"` in a table `[[policy]]`."""

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        """The opinion on this pane, or None for no opinion. It may depend on the arguments and the settings only, not on
        files, the clock or earlier calls: the same arguments give the same answer.
        """
        ...


class Observer(Protocol):
    """Is told what has happened, and cannot change it. It is called in the process in which it happened (the resident
    controller, or a command), after that process has let go of its locks. The settings need not select observers: all those of
    enabled plugins are called. An observer has at least one of these methods:

    - `decided(decision: Decision, report: CycleReport)`: a cycle has decided what to do about one pane.
    - `cycle_finished(report: CycleReport)`: a cycle is over.
    - `hold_changed(hold: Hold, change: str)`: the hold of a break or of a manual pause has changed; `change` is `taken`,
      `released` or `expired`.
    """

    name: str
    """The name under which its settings stand: `[strategy.NAME]`."""


class BreakSource(Protocol):
    """Tells which screen breaks are going on."""

    name: str
    """The name by which the settings select it: `breaks.sources`."""

    def current(self) -> Sequence[Break]:
        """The breaks that are going on now. A break must have the same id (`Break.run`) at each call and after a restart of
        the framework, and no other break may have it. Raises HostUnavailable if this cannot be found out; then the breaks
        told before last until their deadline.
        """
        ...

    def watch(self, wake: Callable[[str], None], stop: Event) -> None:
        """Call `wake(reason)` each time a break may have begun or ended. Runs in a thread of its own, and returns when
        `stop` is set. Exactness is not needed: `current` is asked after each wake-up, and now and then without one.
        """
        ...
