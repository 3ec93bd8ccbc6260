"""What a Herdr server knows: workspaces, tabs, panes, and the one focus. Changed on the loop's thread only."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import ids
from .errors import agent_not_found, pane_not_found, tab_not_found, workspace_not_found
from .screen import Screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .layout import Node
    from .programs import Program

_STATUS_ORDER = ("blocked", "working", "done", "idle", "unknown")


@dataclass(slots=True, eq=False)
class Pane:
    id: str
    terminal_id: str
    tab: Tab
    cwd: str
    screen: Screen = field(default_factory=Screen)
    former_ids: list[str] = field(default_factory=list)
    label: str | None = None
    name: str | None = None
    program: Program | None = None
    agent: str | None = None
    state: str = "unknown"
    seen: bool = True
    reported_by: str | None = None
    agent_session: dict[str, str] | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    state_labels: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    token_ends: dict[str, float] = field(default_factory=dict)
    state_change_seq: int = 0
    revision: int = 0

    @property
    def workspace(self) -> Workspace:
        return self.tab.workspace

    @property
    def status(self) -> str:
        """`done` is an idle agent that nobody has looked at since it became idle."""
        if self.state == "idle" and not self.seen:
            return "done"
        return self.state


@dataclass(slots=True, eq=False)
class Tab:
    id: str
    number: int
    workspace: Workspace
    label: str
    root: Node | None = None
    focused: Pane | None = None
    zoomed: bool = False

    @property
    def panes(self) -> list[Pane]:
        return [] if self.root is None else list(self.root.panes())


@dataclass(slots=True, eq=False)
class Workspace:
    id: str
    label: str
    tabs: list[Tab] = field(default_factory=list)
    active: Tab | None = None
    last_tab: int = 0
    last_pane: int = 0
    tokens: dict[str, str] = field(default_factory=dict)
    token_ends: dict[str, float] = field(default_factory=dict)

    @property
    def panes(self) -> list[Pane]:
        return [pane for tab in self.tabs for pane in tab.panes]

    @property
    def focused_pane(self) -> Pane | None:
        return self.active.focused if self.active else None

    def next_pane_id(self) -> str:
        self.last_pane += 1
        return f"{self.id}:p{ids.numeral(self.last_pane)}"

    def add_tab(self, label: str | None = None) -> Tab:
        self.last_tab += 1
        number = self.last_tab
        tab = Tab(f"{self.id}:t{ids.numeral(number)}", number, self, label or str(number))
        self.tabs.append(tab)
        self.active = self.active or tab
        return tab


class State:
    """All workspaces, and which one is active. The focus follows from it:
    the focused pane of the active workspace's active tab.
    """

    def __init__(self, seed: int = 0) -> None:
        self.workspaces: list[Workspace] = []
        self.active: Workspace | None = None
        self._last_workspace = 0
        self._changes = itertools.count(1)
        self._random = random.Random(seed)

    def next_workspace_id(self) -> str:
        self._last_workspace += 1
        return f"w{ids.numeral(self._last_workspace)}"

    def next_change(self) -> int:
        return next(self._changes)

    def new_terminal_id(self) -> str:
        return f"term_{self._random.getrandbits(56):014x}"

    def restore(self) -> None:
        """After a restart what was reported of a pane is forgotten, and workspaces are counted on from the highest
        that is left, so the id of a closed one can come again.
        """
        self._last_workspace = max((ids.value(workspace.id[1:]) for workspace in self.workspaces), default=0)
        for workspace in self.workspaces:
            workspace.tokens, workspace.token_ends = {}, {}
        for pane in self.panes():
            pane.terminal_id = self.new_terminal_id()
            pane.former_ids.clear()
            pane.metadata, pane.state_labels, pane.tokens, pane.token_ends = {}, {}, {}, {}

    def panes(self) -> Iterator[Pane]:
        for workspace in self.workspaces:
            yield from workspace.panes

    @property
    def focused(self) -> Pane | None:
        return self.active.focused_pane if self.active else None

    def pane(self, pane_id: str) -> Pane:
        """By its id of today, or one that it had before it was moved."""
        panes = list(self.panes())
        for pane in panes:
            if pane.id == pane_id:
                return pane
        for pane in panes:
            if pane_id in pane.former_ids:
                return pane
        raise pane_not_found(pane_id)

    def agent(self, target: str) -> Pane:
        """By its id of today or a name that is unique, and only a pane with an agent."""
        for pane in self.panes():
            if pane.agent and pane.id == target:
                return pane
        named = [pane for pane in self.panes() if pane.agent and pane.name == target]
        if len(named) != 1:
            raise agent_not_found(target)
        return named[0]

    def agents(self) -> list[Pane]:
        return [pane for pane in self.panes() if pane.agent]

    def tab(self, tab_id: str) -> Tab:
        for workspace in self.workspaces:
            for tab in workspace.tabs:
                if tab.id == tab_id:
                    return tab
        raise tab_not_found(tab_id)

    def workspace(self, workspace_id: str) -> Workspace:
        for workspace in self.workspaces:
            if workspace.id == workspace_id:
                return workspace
        raise workspace_not_found(workspace_id)


def summary_status(panes: list[Pane]) -> str:
    """What a tab or workspace shows: the most pressing status of its panes."""
    found = {pane.status for pane in panes}
    return next((status for status in _STATUS_ORDER if status in found), "unknown")
