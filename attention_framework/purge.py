"""Removing the state folder, once nothing needs it any more."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .installing import OwnedFiles
from .loading.entry_points import forget_cached
from .serve.client import follows_breaks
from .state.documents import Broken, load
from .state.folder import strangers
from .state.hellos import live_hellos
from .state.locks import is_held

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from .app import App


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What is there when the state folder is to go."""

    left: frozenset[Path]
    """Files that setup has written."""
    stopped: bool = False
    """Whether the controller that runs now is over by then."""
    gone: frozenset[Path] = frozenset()
    """Of what is `beside` them: what is over by then, too."""


def reasons_to_keep(app: App, foreseen: Foreseen | None = None) -> list[str]:
    """As it is now, or as it is `foreseen` to be once uninstall has done what it will do."""
    owned = OwnedFiles(app.state.root, app.effects.files)
    foreseen = foreseen or Foreseen(owned.left())
    written = owned.written()
    gone = (frozenset(written) - foreseen.left) | foreseen.gone
    return [
        *(
            f"{path}, which setup wrote, is still there"
            # Without the record nobody could tell any more that they are of setup's making.
            for path in written
            if path in foreseen.left
        ),
        *_running(app, foreseen.stopped),
        *_strangers(app, gone),
    ]


def beside(app: App) -> frozenset[Path]:
    """Files in the state folder that are neither of its own making nor recorded by setup, such as notes of installers."""
    root = app.state.root
    found = [path for name in strangers(root) for path in _files_in(root / name)]
    return frozenset(found) - frozenset(OwnedFiles(root, app.effects.files).written())


def say_it_stays(app: App, reasons: Sequence[str]) -> None:
    for reason in reasons:
        print(f"attention: the state folder {app.state.root} stays: {reason}", file=sys.stderr)


def purge(app: App) -> None:
    """Also the folders above that were made for it, as far as nothing else is in them by now."""
    state, files = app.state, app.effects.files
    try:
        made = (load(files, state.made) or {}).get("made")
    except Broken:
        made = None
    files.remove_tree(state.root)
    with suppress(OSError):  # A cache that is of no use any more.
        forget_cached()
    for folder in made if isinstance(made, list) else ():
        path = type(state.root)(str(folder))
        if state.root.is_relative_to(path):
            files.remove_folder(path)


def _running(app: App, stopped: bool) -> Iterator[str]:
    for hello in live_hellos(app.state.root, app.effects, app.warn):
        yield (
            f"the {hello.agent} in pane {hello.pane} (process {hello.process.pid}) still runs with the extension and "
            "would write into it. End it, then run this again"
        )
    files, state = app.effects.files, app.state
    serves = is_held(files, state.serve_lock)
    followed = is_held(files, state.break_watch_lock)
    # Where the controller follows the breaks, that lock goes with it.
    with_controller = serves and follows_breaks(state, app.effects)
    if followed and not with_controller:
        who = "`attention break-watch`" if with_controller is False else "`attention break-watch` or `serve`"
        yield f"{who} still runs and follows breaks. End it, then run this again"
    if serves and not stopped:
        yield "`attention serve` still runs. End it, then run this again"


def _strangers(app: App, gone: frozenset[Path]) -> Iterator[str]:
    names = [name for name in strangers(app.state.root) if not _goes(app.state.root / name, gone)]
    if names:
        yield f"{', '.join(names)} in it {'is' if len(names) == 1 else 'are'} not of its making. Move it away first"


def _goes(path: Path, gone: frozenset[Path]) -> bool:
    """Whether nothing of it is left once these files are gone. Folders that setup has made go with what is in them."""
    inside = _files_in(path)
    return bool(inside) and all(one in gone for one in inside)


def _files_in(path: Path) -> list[Path]:
    """Or the path itself where it is no folder. A link is a file, wherever it leads."""
    return [one for one in (path, *path.rglob("*")) if one.is_symlink() or not one.is_dir()]
