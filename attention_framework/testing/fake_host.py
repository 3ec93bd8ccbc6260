"""A host in memory: panes that a test moves, and what was done to them."""

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
    """One pane with what has arrived in it."""

    pane: Pane
    """As a snapshot gives it, but for the focus."""
    screen: str = ""
    """What `read_screen` gives."""
    keys: list[str] = field(default_factory=list)
    """Those that were pressed, in order."""
    prompts: list[str] = field(default_factory=list)
    """Those that were typed, in order."""
    badge: Badge | None = None
    """The one that is shown."""
    on_key: Callable[[str], None] | None = None
    """What the program in the pane does with a key."""


class FakeHost:
    """A `FocusSource` that is its own `PaneControl`; it also keeps `ShowsBadges`, `ShowsWorkspaceBadges` and
    `LocatesPanes`.
    """

    name = "fake"

    def __init__(self, *panes: Pane, session: Session = SESSION) -> None:
        self.session = session
        """Its only one."""
        self.panes = {pane.id: FakePane(replace(pane, session=session)) for pane in panes}
        """By id."""
        self.focused: frozenset[str] = frozenset()
        """Ids of the panes that have the focus; `focus` sets it."""
        self.focus_known = True
        """False: its snapshots cannot tell the focus."""
        self.down = False
        """True: it gives no answer, and everything raises HostUnavailable."""
        self.snapshots = 0
        """How many were read."""
        self.moved: dict[str, str] = {}
        """Today's ids of panes by the ids that they had before."""
        self.workspace_badges: dict[str, Badge | None] = {}
        """By the id of the workspace."""
        self.before_snapshot: Callable[[], None] | None = None
        """Called before each: what happens in the last moment."""
        self._wakes: list[Callable[[str], None]] = []

    def add(self, pane: Pane) -> FakePane:
        """Open a pane."""
        entry = self.panes[pane.id] = FakePane(replace(pane, session=self.session))
        return entry

    def remove(self, pane_id: str) -> None:
        """Close a pane."""
        del self.panes[pane_id]
        self.focused -= {pane_id}

    def move(self, pane_id: str, to: str) -> None:
        """Give a pane another id; its processes keep the old one, and the host still knows it as an alias."""
        entry = self.panes.pop(pane_id)
        entry.pane = replace(entry.pane, id=to, aliases=(*entry.pane.aliases, pane_id))
        self.panes[to] = entry
        self.moved[pane_id] = to
        self.focused = frozenset(to if name == pane_id else name for name in self.focused)

    def focus(self, *pane_ids: str) -> None:
        """What the person does; one pane for each client that is attached."""
        self.focused = frozenset(pane_ids)
        self.wake("focus")

    def wake(self, reason: str) -> None:
        """Tell everybody who watches."""
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
        """What stands before the colon of a pane's id is the workspace that it is shown under."""
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
        # A hook knows the address and no name.
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
