"""From Herdr's snapshot to the framework's values.
Unknown fields are passed over, missing optional ones are empty.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from attention_framework import HostUnavailable, Pane, Snapshot, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attention_framework import Session

SUPPORTED: Final[Mapping[int, str]] = {17: "0.7.5", 19: "0.8.0", 20: "0.8.2"}
"""Protocol numbers whose source was read, with the first version that speaks each (`protocol/wire.rs`).
Others work, as far as they resemble these; the person is told.
"""
OLDEST: Final = (0, 7, 5)
"""The first with `agent.send_keys`, startup hooks and one plugin registry for all sessions."""
SILENT: Final = (0, 9, 0)
"""Tells plugins and subscribers of no focus that was changed by keys; the next version does (its pull request 3850)."""
TOKEN: Final = "attention"
"""The metadata token of a pane or a workspace that is our badge. It is in Herdr's memory alone."""
NO_STATUS: Final = "unknown"
"""Herdr's word for a status that it cannot tell, as in the first seconds of an agent."""


def read_snapshot(session: Session, result: Mapping[str, Any]) -> Snapshot:
    """The result of `session.snapshot`. Raises HostUnavailable for one of another shape."""
    try:
        found = result["snapshot"]
        names = {agent.get("pane_id"): agent.get("name") for agent in found.get("agents") or ()}
        focused = _focused(found)
        panes = tuple(
            _pane(session, pane, focused or frozenset(), names.get(pane["pane_id"]))
            for pane in found["panes"]
        )
        return Snapshot(session, panes, focused, tuple(warnings(found)), _workspaces(found))
    except (KeyError, TypeError, AttributeError) as error:
        raise HostUnavailable(
            f"session.snapshot at {session.address}: the answer has another shape: {error!r}"
        ) from error


def _focused(found: Mapping[str, Any]) -> frozenset[str] | None:
    """The key is left out when nothing is active: an answer, not a gap, of a version that was read. Of another one it
    may be a gap, and then nobody may be paused for it.
    """
    if found.get("focused_pane_id"):
        return frozenset({str(found["focused_pane_id"])})
    focused = frozenset(str(pane["pane_id"]) for pane in found["panes"] if pane.get("focused"))
    if focused or not found["panes"] or found.get("protocol") in SUPPORTED:
        return focused
    return None


def warnings(found: Mapping[str, Any]) -> Iterator[str]:
    """What the person should know of this version."""
    protocol = found.get("protocol")
    if protocol not in SUPPORTED:
        known = ", ".join(f"{number} ({version})" for number, version in SUPPORTED.items())
        yield (
            f"Herdr {found.get('version', '?')} speaks protocol {protocol}, not one of those tried ({known})."
            " It is used as if it were one of these."
        )


def parse_version(text: str) -> tuple[int, ...] | None:
    """`0.8.2` as well as `herdr 0.8.2-nightly.3` as (0, 8, 2); None where there is no version."""
    numbers = re.search(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(number or 0) for number in numbers.groups()) if numbers else None


def dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _pane(session: Session, found: Mapping[str, Any], focused: frozenset[str], name: str | None) -> Pane:
    """From a `PaneInfo`. `name` is the agent's own, from its `AgentInfo`."""
    agent = found.get("agent") or None
    return Pane(
        session=session,
        id=str(found["pane_id"]),
        focused=str(found["pane_id"]) in focused,
        agent=agent,
        status=_status(found) if agent else None,
        label=found.get("label") or name or "",
        title=found.get("title") or found.get("terminal_title_stripped") or found.get("terminal_title") or "",
        cwd=found.get("foreground_cwd") or found.get("cwd") or "",
        conversation=_conversation(found.get("agent_session")),
        badge=_badge(found),
    )


def _workspaces(found: Mapping[str, Any]) -> tuple[Workspace, ...]:
    panes: defaultdict[str, list[str]] = defaultdict(list)
    for pane in found["panes"]:
        panes[str(pane.get("workspace_id"))].append(str(pane["pane_id"]))
    return tuple(
        Workspace(str(it["workspace_id"]), frozenset(panes[str(it["workspace_id"])]), _badge(it))
        for it in found.get("workspaces") or ()
        if it.get("workspace_id")
    )


def _badge(found: Mapping[str, Any]) -> str:
    """From a `PaneInfo` or a `WorkspaceInfo`."""
    return str((found.get("tokens") or {}).get(TOKEN) or "")


def _status(found: Mapping[str, Any]) -> str | None:
    status = found.get("agent_status")
    return None if status in (None, NO_STATUS) else str(status)


def _conversation(found: Mapping[str, Any] | None) -> str | None:
    return str(found["value"]) if found and found.get("value") else None
