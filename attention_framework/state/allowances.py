"""`attention allow`: one file per pane that may run in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import Allowance
from .documents import document_names, load_own, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..effects import Files
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


def _parse(document: dict[str, Any]) -> Allowance:
    return Allowance(str(document["pane"]), document["until_ms"], int(document["granted_at"]))
