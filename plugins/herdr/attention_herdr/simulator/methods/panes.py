"""pane.*: a pane is found by its id of today or by one that it had before it was moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import keys, layout, moving, panes, shapes
from ..errors import ApiError, pane_not_found

if TYPE_CHECKING:
    from ..app import App
    from ..state import Pane


def list_panes(app: App, params: dict[str, Any]) -> dict[str, Any]:
    found = app.state.workspace(params["workspace_id"]).panes if params["workspace_id"] else app.state.panes()
    return {"type": "pane_list", "panes": [shapes.pane(app.state, pane) for pane in found]}


def current(app: App, params: dict[str, Any]) -> dict[str, Any]:
    caller = params["caller_pane_id"]
    pane = app.state.pane(caller) if caller else app.state.focused
    if pane is None:
        raise ApiError("pane_not_found", "no focused pane")
    return {"type": "pane_current", "pane": shapes.pane(app.state, pane)}


def get(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return _info(app, app.state.pane(params["pane_id"]))


def focus(app: App, params: dict[str, Any]) -> dict[str, Any]:
    pane = app.state.pane(params["pane_id"])
    panes.focus_pane(app, pane)
    return _info(app, pane)


def focus_direction(app: App, params: dict[str, Any]) -> dict[str, Any]:
    source = app.state.pane(params["pane_id"]) if params["pane_id"] else app.state.focused
    if source is None:
        raise ApiError("no_active_pane", "no active pane")
    target = layout.neighbour(source.tab, source, params["direction"])
    if target is not None:
        panes.focus_pane(app, target)
    return {
        "type": "pane_focus_direction",
        "focus": {
            "changed": target is not None,
            **({} if target else {"reason": "no_neighbor"}),
            "source_pane_id": source.id,
            "focused_pane_id": (target or source).id,
            "layout": shapes.pane_layout(source.tab),
        },
    }


def split(app: App, params: dict[str, Any]) -> dict[str, Any]:
    if params["target_pane_id"]:
        target = app.state.pane(params["target_pane_id"])
    else:
        near = (
            app.state.workspace(params["workspace_id"]).focused_pane
            if params["workspace_id"]
            else app.state.focused
        )
        if near is None:
            raise pane_not_found("")
        target = near
    ratio = float(params["ratio"] or 0.5)
    pane = panes.split(app, target, params["direction"], ratio, params["cwd"], focus=params["focus"])
    return _info(app, pane)


def move(app: App, params: dict[str, Any]) -> dict[str, Any]:
    pane = app.state.pane(params["pane_id"])
    moved = moving.move(app, pane, params["destination"], focus=params["focus"])
    source = {"source_layout": shapes.pane_layout(moved.tab)} if moved.tab.panes else {}
    result = {
        "changed": moved.changed,
        **({} if moved.changed else {"reason": "already_there"}),
        "previous_pane_id": moved.pane_id,
        "previous_workspace_id": moved.workspace.id,
        "previous_tab_id": moved.tab.id,
        "pane": shapes.pane(app.state, pane),
        **source,
        "target_layout": shapes.pane_layout(pane.tab),
        **moving.left_out(app, moved),
        "focused_pane_id": pane.tab.focused.id if pane.tab.focused else pane.id,
    }
    return {"type": "pane_move", "move_result": result}


def close(app: App, params: dict[str, Any]) -> dict[str, Any]:
    panes.close_pane(app, app.state.pane(params["pane_id"]))
    return {"type": "ok"}


def read(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return read_result(app.state.pane(params["pane_id"]), params)


def send_keys(app: App, params: dict[str, Any]) -> dict[str, Any]:
    """No look at who runs there; one write for each key."""
    pane = app.state.pane(params["pane_id"])
    for data in keys.encode_all(params["keys"]):
        if pane.program is not None and not pane.program.send(data):
            raise ApiError("pane_send_failed", f"pane {pane.id} does not take input")
    return {"type": "ok"}


def send_text(app: App, params: dict[str, Any]) -> dict[str, Any]:
    pane = app.state.pane(params["pane_id"])
    if pane.program is not None and not pane.program.send(params["text"].encode()):
        raise ApiError("pane_send_failed", f"pane {pane.id} does not take input")
    return {"type": "ok"}


def read_result(pane: Pane, params: dict[str, Any]) -> dict[str, Any]:
    """The revision is always 0 in here."""
    return {
        "type": "pane_read",
        "read": {
            "pane_id": pane.id,
            "workspace_id": pane.workspace.id,
            "tab_id": pane.tab.id,
            "source": params["source"],
            "format": params["format"] or "text",
            "text": pane.screen.text(params["lines"]),
            "revision": 0,
            "truncated": False,
        },
    }


def _info(app: App, pane: Pane) -> dict[str, Any]:
    return {"type": "pane_info", "pane": shapes.pane(app.state, pane)}


HANDLERS = {
    "pane.list": list_panes,
    "pane.current": current,
    "pane.get": get,
    "pane.focus": focus,
    "pane.focus_direction": focus_direction,
    "pane.split": split,
    "pane.move": move,
    "pane.close": close,
    "pane.read": read,
    "pane.send_keys": send_keys,
    "pane.send_text": send_text,
}
