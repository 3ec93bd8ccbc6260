"""What can be done to workspaces, tabs and panes. Runs on the loop;
the focus differ notices what moved the focus.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from . import layout, shapes
from .hub import Event
from .screen import Screen
from .state import Pane, Tab, Workspace

if TYPE_CHECKING:
    from .app import App

T = TypeVar("T")


def create_workspace(
    app: App, cwd: str | None = None, label: str | None = None, *, focus: bool = False, tell: bool = True
) -> Pane:
    """A workspace with one tab and one pane.
    Herdr tells nothing of the one that it makes by itself at the start.
    """
    cwd = cwd or str(Path.cwd())
    workspace = Workspace(app.state.next_workspace_id(), label or Path(cwd).name or cwd)
    app.state.workspaces.append(workspace)
    app.state.active = app.state.active or workspace
    pane = _fill(app, workspace.add_tab(), cwd)
    if focus:
        focus_pane(app, pane)
    if tell:
        app.emit(Event("workspace.created", {"workspace": shapes.workspace(app.state, workspace)}))
        _tell_created(app, pane, new_tab=True)
    return pane


def create_tab(
    app: App, workspace: Workspace, cwd: str | None = None, label: str | None = None, *, focus: bool = False
) -> Pane:
    near = workspace.focused_pane
    pane = _fill(app, workspace.add_tab(label), cwd or (near.cwd if near else str(Path.cwd())))
    if focus:
        focus_pane(app, pane)
    _tell_created(app, pane, new_tab=True)
    return pane


def split(
    app: App,
    target: Pane,
    direction: str = "right",
    ratio: float = 0.5,
    cwd: str | None = None,
    *,
    focus: bool = False,
) -> Pane:
    tab = target.tab
    assert tab.root is not None
    pane = Pane(tab.workspace.next_pane_id(), app.state.new_terminal_id(), tab, cwd or target.cwd, Screen())
    tab.root = layout.split(tab.root, target, pane, direction, ratio)
    resize(tab)
    if focus:
        focus_pane(app, pane)
    _tell_created(app, pane)
    return pane


def focus_pane(app: App, pane: Pane) -> None:
    """Also where the focus is here already: then nothing is told, but the pane counts as seen."""
    pane.tab.focused = pane
    focus_tab(app, pane.tab)
    pane.seen = True


def focus_tab(app: App, tab: Tab) -> None:
    tab.workspace.active = tab
    app.state.active = tab.workspace


def close_pane(app: App, pane: Pane, *, exited: bool = False) -> None:
    """`exited`: its program ended, and only that is told, even if the tab or workspace goes with it."""
    where = {"pane_id": pane.id, "workspace_id": pane.workspace.id}
    take_out(app, pane)
    _end_program(pane)
    app.emit(Event("pane.exited" if exited else "pane.closed", where))
    if pane.tab.panes:
        app.emit(Event("layout.updated", {"layout": shapes.pane_layout(pane.tab)}))


def close_tab(app: App, tab: Tab) -> None:
    """Told as one closed tab, without its panes."""
    for pane in tab.panes:
        take_out(app, pane)
        _end_program(pane)
    app.emit(Event("tab.closed", {"tab_id": tab.id, "workspace_id": tab.workspace.id}))


def close_workspace(app: App, workspace: Workspace) -> None:
    """Told as one closed workspace, without its tabs and panes."""
    for pane in workspace.panes:
        take_out(app, pane)
        _end_program(pane)
    app.emit(Event("workspace.closed", {"workspace_id": workspace.id}))


def resize(tab: Tab) -> None:
    for pane in tab.panes:
        _, pane.screen.rows = layout.inner_size(tab, pane)


def _fill(app: App, tab: Tab, cwd: str) -> Pane:
    pane = Pane(tab.workspace.next_pane_id(), app.state.new_terminal_id(), tab, cwd, Screen())
    tab.root, tab.focused = layout.Leaf(pane), pane
    resize(tab)
    return pane


def _tell_created(app: App, pane: Pane, *, new_tab: bool = False) -> None:
    if new_tab:
        app.emit(Event("tab.created", {"tab": shapes.tab(app.state, pane.tab)}))
    app.emit(Event("pane.created", {"pane": shapes.pane(app.state, pane)}))
    app.emit(Event("layout.updated", {"layout": shapes.pane_layout(pane.tab)}))


def take_out(app: App, pane: Pane) -> None:
    """Remove a pane, its tab if that was the last one, its workspace likewise;
    the next one of each kind gets its place.
    """
    tab, workspace = pane.tab, pane.workspace
    panes, tabs, workspaces = tab.panes, list(workspace.tabs), list(app.state.workspaces)
    assert tab.root is not None
    tab.root = layout.without(tab.root, pane)
    if tab.focused is pane:
        tab.focused = _successor(panes, pane)
    resize(tab)
    if tab.root is None:
        workspace.tabs.remove(tab)
        if workspace.active is tab:
            workspace.active = _successor(tabs, tab)
    if not workspace.tabs:
        app.state.workspaces.remove(workspace)
        if app.state.active is workspace:
            app.state.active = _successor(workspaces, workspace)


def _successor(things: list[T], gone: T) -> T | None:
    place = things.index(gone)
    left = things[:place] + things[place + 1 :]
    return left[max(0, place - 1)] if left else None


def _end_program(pane: Pane) -> None:
    if pane.program is not None:
        pane.program.hang_up()
