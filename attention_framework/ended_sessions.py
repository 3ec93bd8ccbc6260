"""Removing the state folders of sessions that have ended."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from .kinds import KnowsEnded
from .model import ProcessIdentity, Session
from .state.documents import Broken, load, save
from .state.ended import Fate, Traces, fate
from .state.hellos import read_hellos, remove_dead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .app import App
    from .effects import Effects
    from .kinds import FocusSource
    from .state.folder import SessionFolder


def remove_ended(app: App) -> list[Session]:
    """Look at every session folder, and remove what is of the past. Those that were removed."""
    removed = []
    for folder, session, source in _known(app):
        match _fate(app, folder, session, source):
            case Fate.NOTE:
                save(app.effects.files, folder.ended, {"since_ms": app.effects.clock.wall_ms()})
            case Fate.FORGET:
                app.effects.files.remove(folder.ended)
            case Fate.REMOVE if _remove(app, folder, session, source):
                removed.append(session)
    return removed


def ended(app: App) -> list[tuple[SessionFolder, Session]]:
    """Those that `remove_ended` would remove now."""
    return [
        (folder, session)
        for folder, session, source in _known(app)
        if _fate(app, folder, session, source) is Fate.REMOVE
    ]


def _known(app: App) -> Iterator[tuple[SessionFolder, Session, FocusSource]]:
    """Session folders of the selected hosts."""
    for key in app.effects.files.names(app.state.sessions):
        folder = app.state.session_by_key(key)
        try:
            said = load(app.effects.files, folder.description) or {}
        except Broken as error:
            app.warn(str(error))
            continue
        host, address = said.get("host"), said.get("address")
        if isinstance(address, str) and isinstance(host, str) and host in app.sources:
            yield folder, Session(host, address), app.sources[host]


def _fate(app: App, folder: SessionFolder, session: Session, source: FocusSource) -> Fate:
    files = app.effects.files
    answer = app.configuration.call.call(source.name, source.sessions)
    running = {app.state.session(found).key for found in answer.value or ()}
    is_running = folder.key in running
    traces = Traces(
        listed=answer.value is not None,
        running=is_running,
        ended=None if is_running else _knows(app, session, source),
        live_agents=bool(read_hellos(folder, app.effects, app.warn)),
        wake_ups=bool(files.names(folder.wake)),
        noted_ms=_number(app, folder, "ended", "since_ms"),
        changed_ms=_number(app, folder, "focus", "changed_ms") or 0,
    )
    return fate(traces, app.effects.clock.wall_ms())


def _knows(app: App, session: Session, source: FocusSource) -> bool | None:
    """A host need not list a session that is at an address of its own: then it still answers there."""
    call = app.configuration.call
    if isinstance(source, KnowsEnded):
        return call.call(source.name, partial(source.has_ended, session)).value
    answers = call.call(source.name, partial(source.snapshot, session)).value is not None
    return False if answers else None


def _number(app: App, folder: SessionFolder, file: str, key: str) -> int | None:
    try:
        found = (load(app.effects.files, getattr(folder, file)) or {}).get(key)
    except Broken:
        return None
    return found if isinstance(found, int) else None


def _remove(app: App, folder: SessionFolder, session: Session, source: FocusSource) -> bool:
    """Under the locks of a cycle, and looked at once more: whoever comes now waits, and finds an empty folder."""
    files = app.effects.files
    place = files.try_lock(folder.line)
    if place is None:
        return False
    try:
        lock = files.try_lock(folder.lock)
        if lock is None:
            return False
        try:
            if _fate(app, folder, session, source) is not Fate.REMOVE:
                return False
            if not _empty(folder, app.effects, certain=_knows(app, session, source) is True):
                return False
        finally:
            lock.release()
    finally:
        place.release()
    for name in files.names(folder.root):
        if name.endswith(".lock"):
            files.remove(folder.root / name)
    return files.remove_folder(folder.root)


def _empty(folder: SessionFolder, effects: Effects, certain: bool) -> bool:
    """The wake-ups first: one that comes before that keeps the folder, one that comes later is in a new one. Of what
    agents have written only what is of dead ones goes.
    """
    files = effects.files
    if certain:  # Nobody comes any more whose wake-up this could be.
        for name in files.names(folder.wake):
            files.remove(folder.wake / name)
    if not files.remove_folder(folder.wake) and files.exists(folder.wake):
        return False
    remove_dead(folder, effects)
    for name in files.names(folder.mailboxes):
        pid = re.search(r"\.([1-9][0-9]{0,9})$", name)
        if pid is None or not effects.processes.alive(ProcessIdentity(int(pid[1]))):
            files.remove_tree(folder.mailbox(name))
    for inner in (folder.agents, folder.mailboxes):
        files.remove_folder(inner)
    files.remove_tree(folder.allowed)
    for path in (folder.focus, folder.deliveries, folder.ended, folder.description):
        files.remove(path)
    return True
