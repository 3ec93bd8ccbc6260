"""The context that an invocation of a plugin gets (recorded from Herdr 0.8.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import ApiError

if TYPE_CHECKING:
    from ..hub import Event
    from ..state import Pane, State


def context_of(
    state: State, event: Event | None, source: str = "api", correlation: str | None = None
) -> dict[str, Any]:
    """Around the pane that the event is about: for a focus change the new one, for
    what happens to a pane that pane, although the key is called `focused_pane_id`.
    Without an event: the startup of the server, or an action with its own source.
    """
    if event is None:
        source = "startup" if correlation is None else source
        return {**_around(state.focused), **_how(source, correlation or "plugin.startup")}
    if event.name == "pane.closed":
        where = {"workspace_id": event.data["workspace_id"], "focused_pane_id": event.data["pane_id"]}
        return {**where, **_how(source, event.name)}
    return {**_around(_subject(state, event)), **_how(source, event.name)}


def _subject(state: State, event: Event) -> Pane | None:
    """The pane; where it is gone already, the focused one of its workspace;
    for tabs and workspaces their focused one.
    """
    data = event.data
    pane_id = data.get("pane_id") or data.get("pane", {}).get("pane_id")
    tab_id = data.get("tab_id") or data.get("tab", {}).get("tab_id")
    workspace_id = data.get("workspace_id") or data.get("workspace", {}).get("workspace_id")
    try:
        if pane_id:
            return state.pane(pane_id)
        if tab_id:
            return state.tab(tab_id).focused
    except ApiError:
        pass
    try:
        return state.workspace(workspace_id).focused_pane if workspace_id else None
    except ApiError:
        return None


def _around(pane: Pane | None) -> dict[str, Any]:
    if pane is None:
        return {}
    near = pane.workspace.focused_pane or pane
    return {
        "workspace_id": pane.workspace.id,
        "workspace_label": pane.workspace.label,
        "workspace_cwd": near.cwd,
        "tab_id": pane.tab.id,
        "tab_label": pane.tab.label,
        "focused_pane_id": pane.id,
        "focused_pane_cwd": pane.cwd,
        **({"focused_pane_agent": pane.agent} if pane.agent else {}),
        "focused_pane_status": pane.status,
    }


def _how(source: str, correlation: str) -> dict[str, str]:
    return {"invocation_source": source, "correlation_id": correlation}
