"""workspace.* and tab.*"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import panes, shapes
from ..errors import workspace_not_found

if TYPE_CHECKING:
    from ..app import App


def create_workspace(app: App, params: dict[str, Any]) -> dict[str, Any]:
    pane = panes.create_workspace(app, params["cwd"], params["label"], focus=params["focus"])
    return {
        "type": "workspace_created",
        "workspace": shapes.workspace(app.state, pane.workspace),
        "tab": shapes.tab(app.state, pane.tab),
        "root_pane": shapes.pane(app.state, pane),
    }


def list_workspaces(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "workspace_list",
        "workspaces": [shapes.workspace(app.state, it) for it in app.state.workspaces],
    }


def focus_workspace(app: App, params: dict[str, Any]) -> dict[str, Any]:
    workspace = app.state.workspace(params["workspace_id"])
    app.state.active = workspace
    return {"type": "workspace_info", "workspace": shapes.workspace(app.state, workspace)}


def close_workspace(app: App, params: dict[str, Any]) -> dict[str, Any]:
    panes.close_workspace(app, app.state.workspace(params["workspace_id"]))
    return {"type": "ok"}


def create_tab(app: App, params: dict[str, Any]) -> dict[str, Any]:
    workspace = app.state.workspace(params["workspace_id"]) if params["workspace_id"] else app.state.active
    if workspace is None:
        raise workspace_not_found("")
    pane = panes.create_tab(app, workspace, params["cwd"], params["label"], focus=params["focus"])
    return {
        "type": "tab_created",
        "tab": shapes.tab(app.state, pane.tab),
        "root_pane": shapes.pane(app.state, pane),
    }


def focus_tab(app: App, params: dict[str, Any]) -> dict[str, Any]:
    tab = app.state.tab(params["tab_id"])
    panes.focus_tab(app, tab)
    return {"type": "tab_info", "tab": shapes.tab(app.state, tab)}


def close_tab(app: App, params: dict[str, Any]) -> dict[str, Any]:
    panes.close_tab(app, app.state.tab(params["tab_id"]))
    return {"type": "ok"}


HANDLERS = {
    "workspace.create": create_workspace,
    "workspace.list": list_workspaces,
    "workspace.focus": focus_workspace,
    "workspace.close": close_workspace,
    "tab.create": create_tab,
    "tab.focus": focus_tab,
    "tab.close": close_tab,
}
