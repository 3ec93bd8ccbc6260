"""What was asked of which pane and is not yet confirmed, and which badges are shown: `deliveries.json`.

A crash may lose an entry: a mailbox says itself what is on its way, and a key is pressed once more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .documents import load_own, save

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..effects import Files
    from .documents import Known
    from .folder import SessionFolder


@dataclass(frozen=True, slots=True)
class Outstanding:
    """A request to one pane."""

    runs: tuple[str, ...]
    transport: str
    first_ms: int
    """When it was first asked for these runs."""
    last_ms: int
    """When it was last handed over."""
    attempts: int = 1


@dataclass(frozen=True, slots=True)
class PaneRecord:
    """What the controller remembers of one pane between cycles."""

    agent: str | None = None
    """Whom the request was made to, as `agent_identity` names it."""
    outstanding: Outstanding | None = None
    badge: str | None = None
    badge_ms: int = 0

    def of(self, agent: str | None) -> PaneRecord:
        """The record for the agent that is in the pane now: nothing has been asked of another one."""
        return self if agent == self.agent else replace(self, agent=agent, outstanding=None)


def load_records(
    folder: SessionFolder,
    files: Files,
    report: Callable[[str], None],
    known: Known[Mapping[str, PaneRecord]] | None = None,
) -> Mapping[str, PaneRecord]:
    return load_own(files, folder.deliveries, _parse, report, known) or {}


def save_records(folder: SessionFolder, files: Files, records: Mapping[str, PaneRecord]) -> None:
    save(files, folder.deliveries, {"panes": {pane: _document(record) for pane, record in records.items()}})


def _document(record: PaneRecord) -> dict[str, Any]:
    asked = record.outstanding
    return {
        "agent": record.agent,
        "badge": record.badge,
        "badge_ms": record.badge_ms,
        "outstanding": asked and {
            "runs": list(asked.runs), "transport": asked.transport, "first_ms": asked.first_ms, "last_ms": asked.last_ms,
            "attempts": asked.attempts,
        },
    }  # fmt: skip


def _parse(document: dict[str, Any]) -> Mapping[str, PaneRecord]:
    return {pane: _record(entry) for pane, entry in document["panes"].items()}


def _record(entry: dict[str, Any]) -> PaneRecord:
    asked = entry.get("outstanding")
    outstanding = asked and Outstanding(
        tuple(asked["runs"]),
        asked["transport"],
        int(asked["first_ms"]),
        int(asked["last_ms"]),
        int(asked["attempts"]),
    )
    return PaneRecord(
        entry.get("agent"), outstanding or None, entry.get("badge"), int(entry.get("badge_ms") or 0)
    )
