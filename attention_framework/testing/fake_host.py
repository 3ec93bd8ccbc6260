"""A host in memory: a test opens, moves, focuses and closes its panes, and looks at what was done to them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..kinds import HostUnavailable, PaneGone
from ..model import Pane, Session, Snapshot, Workspace
from .builders import SESSION

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from ..model import Badge

KNOWN_MODIFIERS = {"ctrl", "alt", "shift"}
KNOWN_KEYS = {"enter", "escape", "space", "tab", *(f"f{number}" for number in range(1, 13))}
WATCH_LOOK_S = 0.01


@dataclass(slots=True)
class FakePane:
    """A pane of a `FakeHost`, with what was sent to it."""

    pane: Pane
    """The pane as it is in snapshots. These set `focused` by `FakeHost.focused`."""
    screen: str = ""
    """What `read_screen` returns."""
    keys: list[str] = field(default_factory=list)
    """The keys that were pressed by `send_keys`, in order."""
    prompts: list[str] = field(default_factory=list)
    """The texts that were typed by `send_prompt`, in order."""
    badge: Badge | None = None
    """The badge that is shown beside it, or None."""
    on_key: Callable[[str], None] | None = None
    """Called with each key that is pressed, to do what a program in the pane would do."""


class FakeHost:
    """A `FocusSource` with one session. It is also the `PaneControl` of that session, with the methods of `ShowsBadges`,
    `ShowsWorkspaceBadges` and `LocatesPanes`. Panes `w1:p1` and `w1:p2` are in the workspace `w1`.
    """

    name = "fake"

    def __init__(self, *panes: Pane, session: Session = SESSION) -> None:
        self.session = session
        """Its only session."""
        self.panes = {pane.id: FakePane(replace(pane, session=session)) for pane in panes}
        """Its panes, by their present id."""
        self.focused: frozenset[str] = frozenset()
        """The ids of the panes that have the focus. `focus` sets it, and wakes those who watch."""
        self.focus_known = True
        """False: `Snapshot.focused` is None, as for a host that cannot tell the focus."""
        self.down = False
        """True: it does not answer. `sessions` is empty, a `watch` that runs returns, and all else that would ask the host
        raises HostUnavailable.
        """
        self.snapshots = 0
        """How many snapshots were read."""
        self.moved: dict[str, str] = {}
        """The id that a pane was moved to, by the id that it had before."""
        self.workspace_badges: dict[str, Badge | None] = {}
        """The badge that is shown beside each workspace, by the id of the workspace."""
        self.before_snapshot: Callable[[], None] | None = None
        """Called at the beginning of each `snapshot`. Here a test can change something in the last moment."""
        self._wakes: list[Callable[[str], None]] = []

    def add(self, pane: Pane) -> FakePane:
        """Open this pane in the session of the host. Wakes nobody."""
        entry = self.panes[pane.id] = FakePane(replace(pane, session=self.session))
        return entry

    def remove(self, pane_id: str) -> None:
        """Close the pane with this id. Wakes nobody."""
        del self.panes[pane_id]
        self.focused -= {pane_id}

    def move(self, pane_id: str, to: str) -> None:
        """Give the pane with this id the id `to`, as a host does that moves a pane. The old id becomes one of
        `Pane.aliases`; the process in the pane, such as a `FakeAgent`, keeps it. Wakes nobody.
        """
        entry = self.panes.pop(pane_id)
        entry.pane = replace(entry.pane, id=to, aliases=(*entry.pane.aliases, pane_id))
        self.panes[to] = entry
        self.moved[pane_id] = to
        self.focused = frozenset(to if name == pane_id else name for name in self.focused)

    def focus(self, *pane_ids: str) -> None:
        """Move the focus to these panes, and wake those who watch. Usually it is one pane; a host with several clients can
        have several, and none means that nobody looks at any.
        """
        self.focused = frozenset(pane_ids)
        self.wake("focus")

    def wake(self, reason: str) -> None:
        """Call the `wake` of every `watch` that runs, with this reason."""
        for wake in list(self._wakes):
            wake(reason)

    def sessions(self) -> Sequence[Session]:
        return [] if self.down else [self.session]

    def snapshot(self, session: Session) -> Snapshot:
        if self.before_snapshot is not None:
            self.before_snapshot()
        self._check(session)
        self.snapshots += 1
        focused = self.focused if self.focus_known else frozenset()
        panes = tuple(replace(entry.pane, focused=entry.pane.id in focused) for entry in self.panes.values())
        return Snapshot(
            session, panes, self.focused if self.focus_known else None, workspaces=self._workspaces()
        )

    def watch(self, session: Session, wake: Callable[[str], None], stop: Event) -> None:
        self._check(session)
        self._wakes.append(wake)
        try:
            while not stop.wait(WATCH_LOOK_S):
                if self.down:
                    return
        finally:
            self._wakes.remove(wake)

    def control(self, session: Session) -> FakeHost:
        return self

    def read_screen(self, pane: Pane) -> str:
        return self._entry(pane).screen

    def send_keys(self, pane: Pane, keys: Sequence[str]) -> None:
        for key in keys:
            _check_key(key)
        entry = self._entry(pane)
        for key in keys:
            entry.keys.append(key)
            if entry.on_key is not None:
                entry.on_key(key)

    def send_prompt(self, pane: Pane, text: str) -> None:
        self._entry(pane).prompts.append(text)

    def show_badge(self, pane: Pane, badge: Badge | None) -> None:
        self._entry(pane).badge = badge

    def show_workspace_badge(self, workspace: Workspace, badge: Badge | None) -> None:
        self._check(self.session)
        self.workspace_badges[workspace.id] = badge

    def locate(self, pane_id: str) -> str | None:
        if self.down:
            raise HostUnavailable("the fake host is down")
        return pane_id if pane_id in self.panes else self.moved.get(pane_id)

    def _workspaces(self) -> tuple[Workspace, ...]:
        """A pane is in the workspace that its id names before the colon."""
        shown = {name: badge.text for name, badge in self.workspace_badges.items() if badge is not None}
        names = dict.fromkeys(pane.partition(":")[0] for pane in self.panes)
        return tuple(
            Workspace(
                name,
                frozenset(pane for pane in self.panes if pane.partition(":")[0] == name),
                shown.get(name, ""),
            )
            for name in names
        )

    def _check(self, session: Session) -> None:
        # Not by the whole session: a hook gives the address, and knows no name.
        if self.down or (session.host, session.address) != (self.session.host, self.session.address):
            raise HostUnavailable(f"no fake host answers at {session.address}")

    def _entry(self, pane: Pane) -> FakePane:
        self._check(pane.session)
        if pane.id not in self.panes:
            raise PaneGone(f"the fake host has no pane {pane.id}")
        return self.panes[pane.id]


def _check_key(key: str) -> None:
    *modifiers, last = key.split("+")
    if not set(modifiers) <= KNOWN_MODIFIERS or not (last in KNOWN_KEYS or len(last) == 1):
        raise ValueError(f"{key!r} is no key")
