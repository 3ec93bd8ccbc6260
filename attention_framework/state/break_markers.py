"""What is left to be done after a break, one file for each in `breaks/`, until no hold is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..model import ProcessIdentity
from .documents import document_names, load_own, save

if TYPE_CHECKING:
    from ..app import App


@dataclass(frozen=True, slots=True)
class Marker:
    """A break whose agents have not been given back yet."""

    run: str
    last_active: tuple[str, str] | None = None
    """Session and pane that were active when it began."""
    resume: str | None = None
    """What its end resumes; None: what the settings say."""
    ended_ms: int = 0
    """0: it has not been ended; then its hold is there, or was past its deadline."""
    owner: ProcessIdentity | None = None
    """Who has ended it, and gives back."""


def save_marker(app: App, marker: Marker) -> None:
    """Raises OSError."""
    owner = marker.owner
    document = {
        "run": marker.run,
        "last_active": marker.last_active,
        "resume": marker.resume,
        "ended_ms": marker.ended_ms,
        "owner": owner and {"pid": owner.pid, "ticks": owner.ticks, "started_ms": owner.started_ms},
    }
    save(app.effects.files, app.state.break_marker(marker.run), document)


def markers(app: App) -> list[Marker]:
    files, folder = app.effects.files, app.state.break_markers
    found = [
        load_own(files, folder / f"{name}.json", _parse, app.warn) for name in document_names(files, folder)
    ]
    return [marker for marker in found if marker]


def _parse(document: dict[str, Any]) -> Marker:
    last, owner = document.get("last_active"), document.get("owner")
    return Marker(
        str(document["run"]),
        (str(last[0]), str(last[1])) if last else None,
        document.get("resume"),
        int(document.get("ended_ms") or 0),
        ProcessIdentity(int(owner["pid"]), owner.get("ticks"), int(owner.get("started_ms") or 0))
        if owner
        else None,
    )
