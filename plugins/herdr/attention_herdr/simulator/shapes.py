"""The objects that Herdr answers with: keys in the order of its structs,
optional ones left out when empty (recorded from 0.8.2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from . import layout
from .state import summary_status

if TYPE_CHECKING:
    from .state import Pane, State, Tab, Workspace

VERSION = "0.8.2"
PROTOCOL = 20
FULL_LIFECYCLE = ("herdr:omp",)
"""Sources of reports after which Herdr no longer looks at the screen for the status."""


def pane(state: State, it: Pane) -> dict[str, Any]:
    columns, rows = layout.inner_size(it.tab, it)
    del columns
    return {
        "pane_id": it.id,
        "terminal_id": it.terminal_id,
        "workspace_id": it.workspace.id,
        "tab_id": it.tab.id,
        "focused": it is state.focused,
        "cwd": it.cwd,
        "foreground_cwd": it.cwd,
        **_present(label=it.label, agent=it.agent),
        **_described(it),
        "agent_status": it.status,
        **_present(state_labels=it.state_labels, tokens=it.tokens, agent_session=it.agent_session),
        "scroll": {"offset_from_bottom": 0, "max_offset_from_bottom": 0, "viewport_rows": rows},
        "revision": it.revision,
    }


def agent(state: State, it: Pane) -> dict[str, Any]:
    return {
        "terminal_id": it.terminal_id,
        **_present(name=it.name, agent=it.agent),
        **_described(it),
        "agent_status": it.status,
        **_present(
            screen_detection_skipped=it.reported_by in FULL_LIFECYCLE,
            state_labels=it.state_labels,
            tokens=it.tokens,
            agent_session=it.agent_session,
        ),
        "workspace_id": it.workspace.id,
        "tab_id": it.tab.id,
        "pane_id": it.id,
        "focused": it is state.focused,
        "state_change_seq": it.state_change_seq,
        "cwd": it.cwd,
        "foreground_cwd": it.cwd,
        "revision": it.revision,
    }


def tab(state: State, it: Tab) -> dict[str, Any]:
    return {
        "tab_id": it.id,
        "workspace_id": it.workspace.id,
        "number": it.number,
        "label": it.label,
        "focused": it.workspace is state.active and it is it.workspace.active,
        "pane_count": len(it.panes),
        "agent_status": summary_status(it.panes),
    }


def workspace(state: State, it: Workspace) -> dict[str, Any]:
    return {
        "workspace_id": it.id,
        "number": state.workspaces.index(it) + 1 if it in state.workspaces else 0,
        "label": it.label,
        "focused": it is state.active,
        "pane_count": len(it.panes),
        "tab_count": len(it.tabs),
        "active_tab_id": it.active.id if it.active else "",
        "agent_status": summary_status(it.panes),
        **_present(tokens=it.tokens),
    }


def pane_layout(it: Tab) -> dict[str, Any]:
    """`focused` in here is the focus within the tab, whatever tab is active."""
    places = layout.rects(it.root) if it.root else {}
    return {
        "workspace_id": it.workspace.id,
        "tab_id": it.id,
        "zoomed": it.zoomed,
        "area": layout.AREA.shape(),
        "focused_pane_id": it.focused.id if it.focused else "",
        "panes": [
            {"pane_id": pane.id, "focused": pane is it.focused, "rect": rect.shape()}
            for pane, rect in places.items()
        ],
        "splits": layout.splits(it.root) if it.root else [],
    }


def snapshot(state: State) -> dict[str, Any]:
    """The three `focused_*` keys are left out when nothing is active."""
    focused = state.focused
    keys = ("focused_workspace_id", "focused_tab_id", "focused_pane_id")
    where = (
        dict(zip(keys, (focused.workspace.id, focused.tab.id, focused.id), strict=True)) if focused else {}
    )
    tabs = [tab for workspace in state.workspaces for tab in workspace.tabs]
    return {
        "version": VERSION,
        "protocol": PROTOCOL,
        **where,
        "workspaces": [workspace(state, it) for it in state.workspaces],
        "tabs": [tab(state, it) for it in tabs],
        "panes": [pane(state, it) for it in state.panes()],
        "layouts": [pane_layout(it) for it in tabs],
        "agents": [agent(state, it) for it in state.agents()],
    }


def stripped_title(title: str) -> str:
    """The title without control characters and blanks around it."""
    return re.sub(r"[\x00-\x1f\x7f]", "", title).strip()


def _described(it: Pane) -> dict[str, Any]:
    title = it.screen.title
    return _present(
        title=it.metadata.get("title"),
        terminal_title=title,
        terminal_title_stripped=stripped_title(title),
        display_agent=it.metadata.get("display_agent"),
    )


def _present(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}
