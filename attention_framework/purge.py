"""Removing the state folder, once nothing needs it any more."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from .installing import OwnedFiles
from .loading.entry_points import forget_cached
from .state.documents import Broken, load
from .state.folder import strangers
from .state.hellos import live_hellos
from .state.locks import is_held

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .app import App


def reasons_to_keep(app: App) -> list[str]:
    return [*_written(app), *_running(app), *_strangers(app)]


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


def _written(app: App) -> Iterator[str]:
    """Without the record in it nobody could tell any more that they are of setup's making."""
    for path in OwnedFiles(app.state.root, app.effects.files).written():
        yield f"{path}, which setup wrote, is still there"


def _running(app: App) -> Iterator[str]:
    for hello in live_hellos(app.state.root, app.effects, app.warn):
        yield (
            f"the {hello.agent} in pane {hello.pane} (process {hello.process.pid}) still runs with the extension and "
            "would write into it. End it, then run this again"
        )
    for lock, command in (("break-watch.lock", "attention break-watch"), ("serve.lock", "attention serve")):
        if is_held(app.effects.files, app.state.root / lock):
            yield f"`{command}` still runs. End it, then run this again"


def _strangers(app: App) -> Iterator[str]:
    names = strangers(app.state.root)
    if names:
        yield f"{', '.join(names)} in it {'is' if len(names) == 1 else 'are'} not of its making. Move it away first"
