"""What the last cycle of a session saw: `focus.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import FocusMemory, agent_identity
from .documents import load_own, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..effects import Files
    from ..model import Snapshot
    from .folder import SessionFolder

HISTORY = 64


def load_memory(folder: SessionFolder, files: Files, report: Callable[[str], None]) -> FocusMemory | None:
    """None before the first cycle, and after a broken file."""
    return load_own(files, folder.focus, _parse, report)


def save_memory(folder: SessionFolder, files: Files, memory: FocusMemory) -> None:
    save(files, folder.focus, {
        "focused": sorted(memory.focused),
        "changes": memory.changes,
        "changed_ms": memory.changed_ms,
        "history": [{"changes": changes, "focused": sorted(focused)} for changes, focused in memory.history],
        "agents": sorted(memory.agents),
    })  # fmt: skip


def remember(memory: FocusMemory | None, snapshot: Snapshot, now_ms: int) -> FocusMemory:
    """The memory after this snapshot. A host that cannot tell the focus changes nothing."""
    if snapshot.focused is None:
        return memory or FocusMemory()
    if memory is not None and memory.focused == snapshot.focused:
        return memory
    changes = memory.changes + 1 if memory else 0
    history = ((changes, snapshot.focused), *(memory.history if memory else ()))[:HISTORY]
    agents = frozenset(agent_identity(pane) for pane in snapshot.panes if pane.agent)
    return FocusMemory(snapshot.focused, changes, now_ms, history, agents)


def _parse(document: dict[str, Any]) -> FocusMemory:
    return FocusMemory(
        focused=frozenset(document.get("focused") or ()),
        changes=int(document.get("changes") or 0),
        changed_ms=int(document.get("changed_ms") or 0),
        history=tuple(
            (int(entry["changes"]), frozenset(entry["focused"])) for entry in document.get("history") or ()
        ),
        agents=frozenset(document.get("agents") or ()),
    )
