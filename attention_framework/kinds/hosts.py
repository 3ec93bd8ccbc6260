"""Hosts: where the focus is, and what can be done to a pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..errors import Expected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from ..model import Badge, Pane, Session, Snapshot, Workspace


class HostUnavailable(Expected):
    """The host did not give a usable answer. Say in the message what was asked, in which session, and what came back."""


class PaneGone(HostUnavailable):
    """The pane, or the agent in it, is no longer there. This is normal: a person may close a pane at any moment."""


class PaneControl(Protocol):
    """What a host can do to a pane. Every method raises HostUnavailable if the host gives no usable answer, and its subclass
    PaneGone if the pane or its agent is no longer there.

    Give the same class the methods of `ShowsBadges`, `ShowsWorkspaceBadges` and `LocatesPanes` if the host can do that too.
    """

    def read_screen(self, pane: Pane) -> str:
        """The text that is visible in the pane, or the last rows of it. Rows are joined by newlines; there are no escape
        sequences.
        """
        ...

    def send_keys(self, pane: Pane, keys: Sequence[str]) -> None:
        """Press these keys, one after the other. Names are the same for all hosts: `f12`, `ctrl+alt+p`, `enter`; the host
        translates them. Raises ValueError, with the name, for a key that it does not know.
        """
        ...

    def send_prompt(self, pane: Pane, text: str) -> None:
        """Type a text into the agent's prompt editor and submit it, together with whatever the person had typed there."""
        ...


@runtime_checkable
class ShowsBadges(Protocol):
    """A pane control of a host that can show a badge (a few characters) beside a pane."""

    def show_badge(self, pane: Pane, badge: Badge | None) -> None:
        """Show this badge beside the pane, in place of the one before; None removes it. Raises HostUnavailable."""
        ...


@runtime_checkable
class ShowsWorkspaceBadges(Protocol):
    """A pane control of a host that can show a badge beside a workspace of its snapshots (`Snapshot.workspaces`). The badge
    says how many agents in the workspace are paused.
    """

    def show_workspace_badge(self, workspace: Workspace, badge: Badge | None) -> None:
        """Show this badge beside the workspace, in place of the one before; None removes it. Raises HostUnavailable."""
        ...


@runtime_checkable
class LocatesPanes(Protocol):
    """A pane control of a host that gives a pane another id when it is moved, and still knows the earlier ids."""

    def locate(self, pane_id: str) -> str | None:
        """The present id of the pane that has this id, or had it before it was moved. None if there is no such pane.
        Raises HostUnavailable.
        """
        ...


@runtime_checkable
class TellsFocus(Protocol):
    """A focus source whose host can be asked for the focus alone, which is quicker than a snapshot."""

    def focus_now(self, session: Session) -> frozenset[str] | None:
        """The ids of the focused panes, the same as `Snapshot.focused`: None if the host cannot tell. Raises
        HostUnavailable.
        """
        ...


class FocusSource(Protocol):
    """A host: a program that has terminal panes. It tells its sessions, their panes and which pane has the focus, and wakes
    the controller when that may have changed.

    Give the same class the methods of `TellsFocus`, `KnowsEnded` and `OffersTrials` if the host can do that too.
    """

    name: str
    """The name of the host, as in `Session.host` and in `focus.sources` of the settings."""

    def sessions(self) -> Sequence[Session]:
        """The sessions that run now. A session whose address is known belongs to them even if it does not answer. Empty
        means that certainly none runs; if that cannot be found out, raises HostUnavailable.
        """
        ...

    def snapshot(self, session: Session) -> Snapshot:
        """Read the session's panes and focus from the host now, not from anything remembered. Must come back within the
        time limit of strategies (5 s). Leave `Pane.hello` None: the cycle fills it in. Raises HostUnavailable.
        """
        ...

    def watch(self, session: Session, wake: Callable[[str], None], stop: Event) -> None:
        """Call `wake(reason)` each time the focus or the panes may have changed. Runs in a thread of its own, and returns
        when `stop` is set or the session has ended. Exactness is not needed: the controller reads a snapshot after each
        wake-up, and now and then without one. May raise HostUnavailable; it is then called again later.
        """
        ...

    def control(self, session: Session) -> PaneControl:
        """The pane control for this session. Only makes the object: it must not connect to the host, and must not raise."""
        ...


@runtime_checkable
class KnowsEnded(Protocol):
    """A focus source that can say of a session which it does not list whether that session may ever run again."""

    def has_ended(self, session: Session) -> bool:
        """True if no session can ever run at this address again: then its folder in the state folder is removed. False
        keeps the folder. Without this method the folder is removed when the session has not run for a day.
        """
        ...
