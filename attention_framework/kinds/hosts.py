"""Hosts: where the focus is, and what can be done to a pane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..errors import Expected

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from ..model import Badge, Pane, Session, Snapshot, Workspace


class HostUnavailable(Expected):
    """The host did not give a usable answer. The message says
    what was asked, of which session, and what came back.
    """


class PaneGone(HostUnavailable):
    """The host no longer knows this pane, or its agent: a normal race."""


class PaneControl(Protocol):
    """What a host can do to a pane. All raise HostUnavailable,
    PaneGone where the pane or its agent is no longer there.

    What some hosts can besides are protocols of their own: `ShowsBadges`, `ShowsWorkspaceBadges`, `LocatesPanes`.
    """

    def read_screen(self, pane: Pane) -> str:
        """The visible screen, or the bottom of it: rows joined by newlines, no escape sequences."""
        ...

    def send_keys(self, pane: Pane, keys: Sequence[str]) -> None:
        """Press keys, named host-neutrally: `f12`, `ctrl+alt+p`,
        `enter`. Raises ValueError for a name that no host knows.
        """
        ...

    def send_prompt(self, pane: Pane, text: str) -> None:
        """Type a text into the agent's editor and submit it, whatever stood there."""
        ...


@runtime_checkable
class ShowsBadges(Protocol):
    """A pane control that can show a badge beside a pane."""

    def show_badge(self, pane: Pane, badge: Badge | None) -> None:
        """Show this beside the pane, in place of what was there; None takes it away. Raises HostUnavailable."""
        ...


@runtime_checkable
class ShowsWorkspaceBadges(Protocol):
    """A pane control that can show a badge beside a workspace of the snapshot: how many of its agents are paused."""

    def show_workspace_badge(self, workspace: Workspace, badge: Badge | None) -> None:
        """Show this beside the workspace, in place of what was there; None takes it away. Raises HostUnavailable."""
        ...


@runtime_checkable
class LocatesPanes(Protocol):
    """A pane control that knows the panes' earlier ids."""

    def locate(self, pane_id: str) -> str | None:
        """Today's id of a pane that had this id before it was moved; None if there is no such pane. Raises
        HostUnavailable.
        """
        ...


@runtime_checkable
class TellsFocus(Protocol):
    """A host that can be asked for its focus alone, which is quicker than a snapshot."""

    def focus_now(self, session: Session) -> frozenset[str] | None:
        """As in its snapshot: None where the host cannot tell. Raises HostUnavailable."""
        ...


class FocusSource(Protocol):
    """A host: its sessions, what they show, and what wakes the controller. What some can besides: `TellsFocus`,
    `KnowsEnded`, `OffersTrials`.
    """

    name: str
    """Of the host, as in `Session.host` and in `focus.sources` of the settings."""

    def sessions(self) -> Sequence[Session]:
        """The running sessions. One that does not answer is one too where its address is known; raises HostUnavailable
        where nobody can say whether one runs.
        """
        ...

    def snapshot(self, session: Session) -> Snapshot:
        """An authoritative read, in bounded time. Raises HostUnavailable."""
        ...

    def watch(self, session: Session, wake: Callable[[str], None], stop: Event) -> None:
        """Call `wake(reason)` when something may have changed, until `stop` is set or the session is over.
        May miss, double or invent wake-ups.
        """
        ...

    def control(self, session: Session) -> PaneControl:
        """What can be done to the panes of this session. Asks the host nothing."""
        ...


@runtime_checkable
class KnowsEnded(Protocol):
    """A focus source that can tell of a session that it does not list whether it has ended for good."""

    def has_ended(self, session: Session) -> bool:
        """True if no session of this address can run any more, so that what is kept of it can go."""
        ...
