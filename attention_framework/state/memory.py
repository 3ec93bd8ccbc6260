"""What the last cycle of a session saw: `focus.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import FocusMemory, agent_identity
from .documents import load_own, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..effects import Files
    from ..model import Snapshot
    from .documents import Known
    from .folder import SessionFolder

HISTORY = 64


def load_memory(
    folder: SessionFolder,
    files: Files,
    report: Callable[[str], None],
    known: Known[FocusMemory] | None = None,
) -> FocusMemory | None:
    """None before the first cycle, and after a broken file."""
    return load_own(files, folder.focus, _parse, report, known)


def save_memory(folder: SessionFolder, files: Files, memory: FocusMemory) -> None:
    save(files, folder.focus, {
        "focused": sorted(memory.focused),
        "changes": memory.changes,
        "changed_ms": memory.changed_ms,
        "history": [{"changes": changes, "focused": sorted(focused)} for changes, focused in memory.history],
        "agents": sorted(memory.agents),
        "left": dict(memory.left),
        "again_at_ms": memory.again_at_ms,
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
    return FocusMemory(
        snapshot.focused, changes, now_ms, history, agents, _left(memory or FocusMemory(), snapshot, now_ms)
    )


def _left(memory: FocusMemory, snapshot: Snapshot, now_ms: int) -> tuple[tuple[str, int], ...]:
    """Of panes that are there: one that is gone takes its time with it. By today's
    ids, and those before: a pane may have been moved since it was left.
    """
    focused = snapshot.focused or frozenset()
    left = {
        **dict(memory.left),
        **dict.fromkeys(memory.focused - focused, now_ms),
    }
    there = {name for pane in snapshot.panes for name in pane.names} - focused
    return tuple(sorted((name, left_ms) for name, left_ms in left.items() if name in there))


def _parse(document: dict[str, Any]) -> FocusMemory:
    return FocusMemory(
        focused=frozenset(document.get("focused") or ()),
        changes=int(document.get("changes") or 0),
        changed_ms=int(document.get("changed_ms") or 0),
        history=tuple(
            (int(entry["changes"]), frozenset(entry["focused"])) for entry in document.get("history") or ()
        ),
        agents=frozenset(document.get("agents") or ()),
        left=tuple((str(name), int(left_ms)) for name, left_ms in (document.get("left") or {}).items()),
        again_at_ms=None if document.get("again_at_ms") is None else int(document["again_at_ms"]),
    )
