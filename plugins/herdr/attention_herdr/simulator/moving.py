"""Moving a pane: beside another one, to a new tab, or to a new workspace."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from . import layout, panes, shapes
from .errors import ApiError
from .hub import Event
from .state import Pane, Tab, Workspace

if TYPE_CHECKING:
    from .app import App


@dataclass(frozen=True, slots=True)
class Moved:
    """What a move left behind, beside the pane itself."""

    changed: bool
    pane_id: str
    tab: Tab
    workspace: Workspace
    created_workspace: Workspace | None = None
    created_tab: Tab | None = None
    closed_tab: bool = False
    closed_workspace: bool = False


def move(app: App, pane: Pane, destination: dict[str, object], *, focus: bool = False) -> Moved:
    """To another workspace with a new id, the old one staying as an alias
    for `pane.*`; within its workspace it keeps its id.
    """
    old_id, old_tab = pane.id, pane.tab
    target = _target(app, destination)
    if target is pane or (target is pane.workspace and len(old_tab.panes) == 1):
        return Moved(False, old_id, old_tab, old_tab.workspace)
    panes.take_out(app, pane)
    created_workspace, created_tab = None, None
    if isinstance(target, Pane):
        _put_beside(pane, target, destination)
    else:
        created_workspace = None if target else _new_workspace(app, pane, destination)
        label = destination.get("tab_label" if created_workspace else "label")
        created_tab = _put_in_new_tab(pane, target or created_workspace, label)
    if pane.workspace is not old_tab.workspace:
        pane.former_ids.append(old_id)
        pane.id = pane.workspace.next_pane_id()
    panes.resize(pane.tab)
    if focus:
        panes.focus_pane(app, pane)
    closed_tab, closed_workspace = not old_tab.panes, not old_tab.workspace.tabs
    created = (created_workspace, created_tab)
    moved = Moved(True, old_id, old_tab, old_tab.workspace, *created, closed_tab, closed_workspace)
    app.emit(Event("pane.moved", _event(app, pane, moved)))
    return moved


def left_out(app: App, moved: Moved) -> dict[str, object]:
    """The optional part that the reply and the event of a move have in common."""
    part: dict[str, object] = {}
    if moved.created_workspace:
        part["created_workspace"] = shapes.workspace(app.state, moved.created_workspace)
    if moved.created_tab:
        part["created_tab"] = shapes.tab(app.state, moved.created_tab)
    if moved.closed_workspace:
        part["closed_workspace_id"] = moved.workspace.id
    if moved.closed_tab:
        part["closed_tab_id"] = moved.tab.id
    return part


def _event(app: App, pane: Pane, moved: Moved) -> dict[str, object]:
    return {
        "previous_pane_id": moved.pane_id,
        "previous_workspace_id": moved.workspace.id,
        "previous_tab_id": moved.tab.id,
        "pane": shapes.pane(app.state, pane),
        **left_out(app, moved),
    }


def _target(app: App, destination: dict[str, object]) -> Pane | Workspace | None:
    """The pane to stand beside, the workspace to get a new tab, or None for a new workspace."""
    if destination.get("type") == "tab":
        tab = app.state.tab(str(destination.get("tab_id")))
        beside = destination.get("target_pane_id")
        pane = app.state.pane(str(beside)) if beside else tab.focused
        if pane is None or pane.tab is not tab:
            raise ApiError("target_pane_not_found", f"pane {beside} not found in tab {tab.id}")
        return pane
    if destination.get("type") == "new_tab":
        workspace_id = destination.get("workspace_id")
        return app.state.workspace(str(workspace_id)) if workspace_id else app.state.active
    return None


def _put_beside(pane: Pane, target: Pane, destination: dict[str, object]) -> None:
    direction, ratio = str(destination.get("split") or "right"), destination.get("ratio")
    assert target.tab.root is not None
    target.tab.root = layout.split(target.tab.root, target, pane, direction, float(str(ratio or 0.5)))
    pane.tab = target.tab


def _put_in_new_tab(pane: Pane, workspace: Workspace | None, label: object) -> Tab:
    assert workspace is not None
    tab = workspace.add_tab(str(label) if label else None)
    tab.root, tab.focused, pane.tab = layout.Leaf(pane), pane, tab
    return tab


def _new_workspace(app: App, pane: Pane, destination: dict[str, object]) -> Workspace:
    label = str(destination.get("label") or Path(pane.cwd).name)
    workspace = Workspace(app.state.next_workspace_id(), label)
    app.state.workspaces.append(workspace)
    app.state.active = app.state.active or workspace
    return workspace
