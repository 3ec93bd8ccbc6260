"""What the agent's side of the mailbox decides, as functions of values (docs/reference/state-files.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import mailbox_files

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

FOCUS = "focus"


@dataclass(frozen=True, slots=True)
class Hold:
    """A break or a manual pause. `scope` is None for all panes; a pane is (session key, pane id)."""

    run: str
    deadline_ms: int | None
    scope: frozenset[tuple[str, str]] | None
    excluded: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class View:
    """What is so at the moment of a decision."""

    attended: int
    waived: frozenset[str]
    holds: tuple[Hold, ...]
    place: tuple[str, str]
    now_ms: int


@dataclass(frozen=True, slots=True)
class Request:
    """The runs that a pending request names:
    for a lost focus the count that it counts on, else None; the holds.
    """

    focus: int | None
    holds: frozenset[str]


def parse_request(document: dict[str, Any]) -> Request:
    """Raises ValueError, TypeError or KeyError for a document of another shape."""
    runs = document["runs"]
    focus = int(runs[FOCUS]["attended"]) if FOCUS in runs else None
    return Request(focus, frozenset(runs) - {FOCUS})


def holds_in(folder: Path) -> tuple[Hold, ...]:
    """The holds whose files are there. One that cannot be read is no hold; its owner mends it."""
    try:
        names = sorted(
            path for path in folder.iterdir() if path.suffix == ".json" and not path.name.startswith(".")
        )
    except FileNotFoundError:
        return ()
    found = []
    for path in names:
        try:
            document = mailbox_files.read(path)
            if document is not None:
                found.append(_hold(document))
        except (ValueError, TypeError, KeyError, OSError):
            continue
    return tuple(found)


def stands(hold: Hold, view: View, *, named: bool) -> bool:
    """A pane may be known by another id by now, so a request that names the hold vouches for its scope."""
    if hold.run in view.waived or (hold.deadline_ms is not None and view.now_ms >= hold.deadline_ms):
        return False
    if view.place in hold.excluded:
        return False
    return named or hold.scope is None or view.place in hold.scope


def standing(request: Request, view: View) -> list[str]:
    """The runs of a request that stand now."""
    focus = [FOCUS] if request.focus is not None and request.focus == view.attended else []
    return focus + [
        hold.run for hold in view.holds if hold.run in request.holds and stands(hold, view, named=True)
    ]


def holding(view: View, named: Collection[str] = ()) -> list[str]:
    """The holds that want this agent paused now, asked for or not."""
    return [hold.run for hold in view.holds if stands(hold, view, named=hold.run in named)]


def kept(request: Request, view: View) -> list[str]:
    """What a pause is for once it is on the screen. Nothing: it is taken back."""
    return list(dict.fromkeys(standing(request, view) + holding(view)))


def still_there(view: View) -> frozenset[str]:
    """The waived holds whose files are there still."""
    return view.waived & {hold.run for hold in view.holds}


def _hold(document: dict[str, Any]) -> Hold:
    scope, deadline_ms = document["scope"], document.get("deadline_ms")
    return Hold(
        str(document["run"]),
        None if deadline_ms is None else int(deadline_ms),
        None if scope == "all" else _places(scope),
        _places(document.get("except") or []),
    )


def _places(entries: list[dict[str, str]]) -> frozenset[tuple[str, str]]:
    return frozenset((entry["session"], entry["pane"]) for entry in entries)
