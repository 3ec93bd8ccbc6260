"""Holds: runs that are a break or a manual pause, one file each.
Ending one is one unlink, whoever else is in the middle of what.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from .errors import Expected
from .model import FOCUS_RUN, Hold, Scope
from .state.documents import Broken, document_names, load_own, save

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .effects import Files
    from .state.folder import StateFolder


class HoldRefused(Expected):
    """A hold cannot be taken. The message says why."""


class Holds:
    """The holds in the state folder."""

    def __init__(self, state: StateFolder, files: Files, report: Callable[[str], None]) -> None:
        self._state = state
        self._files = files
        self._report = report

    def take(self, hold: Hold) -> None:
        """Write the hold's file; taking it again replaces it. Raises HoldRefused for the reserved id."""
        if hold.run == FOCUS_RUN or not hold.run:
            raise HoldRefused(f"{hold.run!r} cannot be the id of a hold: choose another one")
        save(self._files, self._state.hold(hold.run), _document(hold))

    def release(self, run: str) -> bool:
        """Remove the hold's file. Says whether it was there."""
        return self._files.remove(self._state.hold(run))

    def all(self) -> list[Hold]:
        """Every hold that has a file, in force or not, the oldest first."""
        folder = self._state.holds
        paths = [folder / f"{name}.json" for name in document_names(self._files, folder)]
        found = [load_own(self._files, path, partial(self._parse, path), self._report) for path in paths]
        return sorted((hold for hold in found if hold), key=lambda hold: (hold.started_ms, hold.run))

    def _parse(self, path: Path, document: dict[str, Any]) -> Hold:
        hold = _parse(document)
        if self._state.hold(hold.run) != path:
            raise Broken(f"{path} is the file of another run: {hold.run}")
        return hold

    def in_force(self, now_ms: int) -> list[Hold]:
        return [hold for hold in self.all() if hold.in_force(now_ms)]

    def remove_expired(self, now_ms: int) -> list[Hold]:
        """Remove the files of holds whose deadline is past, and return those that this call removed."""
        return [hold for hold in self.all() if not hold.in_force(now_ms) and self.release(hold.run)]


def _document(hold: Hold) -> dict[str, Any]:
    scope = hold.scope
    return {
        "run": hold.run,
        "kind": hold.kind,
        "source": hold.source,
        "scope": "all" if scope.everything else _panes(scope.panes),
        "except": _panes(scope.excluded),
        "started_ms": hold.started_ms,
        "deadline_ms": hold.deadline_ms,
        "last_active": hold.last_active and dict(zip(("session", "pane"), hold.last_active, strict=True)),
    }


def _parse(document: dict[str, Any]) -> Hold:
    scope, last = document["scope"], document.get("last_active")
    if scope != "all" and not isinstance(scope, list):
        raise Broken(f"scope is {scope!r}")
    return Hold(
        run=str(document["run"]),
        kind=str(document["kind"]),
        source=str(document.get("source") or ""),
        scope=Scope(
            scope == "all", _ids([] if scope == "all" else scope), _ids(document.get("except") or [])
        ),
        started_ms=int(document.get("started_ms") or 0),
        deadline_ms=None if document.get("deadline_ms") is None else int(document["deadline_ms"]),
        last_active=(str(last["session"]), str(last["pane"])) if last else None,
    )


def _panes(panes: frozenset[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"session": session, "pane": pane} for session, pane in sorted(panes)]


def _ids(entries: list[dict[str, str]]) -> frozenset[tuple[str, str]]:
    return frozenset((str(entry["session"]), str(entry["pane"])) for entry in entries)
