"""`attention allow`: one file per pane that may run in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import Allowance
from .documents import document_names, load_own, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..effects import Files
    from ..model import View
    from .folder import SessionFolder


def load_allowances(
    folder: SessionFolder, files: Files, report: Callable[[str], None]
) -> tuple[Allowance, ...]:
    paths = (folder.allowed / f"{name}.json" for name in document_names(files, folder.allowed))
    found = (load_own(files, path, _parse, report) for path in paths)
    return tuple(allowance for allowance in found if allowance is not None)


def save_allowance(folder: SessionFolder, files: Files, allowance: Allowance) -> None:
    save(files, folder.allowance(allowance.pane), {
        "pane": allowance.pane, "until_ms": allowance.until_ms, "granted_at": allowance.granted_at,
    })  # fmt: skip


def remove_allowance(folder: SessionFolder, files: Files, pane: str) -> bool:
    return files.remove(folder.allowance(pane))


def remove_over(folder: SessionFolder, files: Files, view: View) -> None:
    """Remove those that have ended. They must not be judged for ever:
    the history that ended them is cut. For the holder of the lock only.
    """
    for allowance in view.allowances:
        names = next(
            (pane.names for pane in view.snapshot.panes if allowance.pane in pane.names), frozenset()
        )
        if allowance.over(names, view.focus, view.now_ms) and _unchanged(folder, files, allowance):
            remove_allowance(folder, files, allowance.pane)


def _unchanged(folder: SessionFolder, files: Files, allowance: Allowance) -> bool:
    """The person may have granted it anew meanwhile."""
    return load_own(files, folder.allowance(allowance.pane), _parse, lambda _: None) == allowance


def _parse(document: dict[str, Any]) -> Allowance:
    until_ms = document["until_ms"]
    return Allowance(
        str(document["pane"]), None if until_ms is None else int(until_ms), int(document["granted_at"])
    )
