"""Status files: what each agent process says of itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..model import Call, Hello, ProcessIdentity, Reflex
from .documents import Broken, document_names, load, parsed
from .folder import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ..effects import Effects, Files
    from .folder import SessionFolder
    from .known_hellos import HelloLook

REFLEX_MODES = ("off", "brake", "strict")


def live_hellos(state: Path, effects: Effects, report: Callable[[str], None]) -> list[Hello]:
    """Those of live processes in every session of the state folder, for checks."""
    folder = StateFolder(state)
    keys = effects.files.names(folder.sessions)
    return [hello for key in keys for hello in read_hellos(folder.session_by_key(key), effects, report)]


def read_hellos(
    folder: SessionFolder,
    effects: Effects,
    report: Callable[[str], None],
    unread: list[str] | None = None,
    look: HelloLook | None = None,
) -> list[Hello]:
    """Those of live processes. A broken one is reported and left
    to its owner, which writes it anew at the next change.

    `unread` gets the names of those that are broken or whose process is gone, for `remove_dead`. With a `look`
    what it knows is not read again.
    """
    hellos = []
    unread = [] if unread is None else unread
    for name in look.names if look else document_names(effects.files, folder.agents):
        try:
            hello = look.hello(name) if look else read_hello(folder, effects.files, name)
        except Broken as error:
            report(str(error))
            unread.append(name)
            continue
        if hello is not None and effects.processes.alive(hello.process):
            hellos.append(hello)
        else:
            unread.append(name)
    return hellos


def read_hello(folder: SessionFolder, files: Files, file: str) -> Hello | None:
    """One status file; None if it is gone. Raises Broken."""
    path = folder.agent(file)
    document = load(files, path)
    if document is None:
        return None
    return parsed(path, document, lambda found: parse_hello(file, found))


def remove_dead(folder: SessionFolder, effects: Effects, names: Iterable[str] | None = None) -> list[str]:
    """Remove status files and mailboxes of processes that are gone, of all or of these names.
    For the holder of the lock only.
    """
    removed = []
    for name in document_names(effects.files, folder.agents) if names is None else names:
        process = _process(folder, effects.files, name)
        if process is not None and not effects.processes.alive(process):
            effects.files.remove_tree(folder.mailbox(name))
            effects.files.remove(folder.agent(name))
            removed.append(name)
    return removed


def _process(folder: SessionFolder, files: Files, name: str) -> ProcessIdentity | None:
    """Whose file it is; of a broken one its name still tells the pid. None if nothing tells."""
    try:
        hello = read_hello(folder, files, name)
    except Broken:
        pid = name.rpartition(".")[2]
        return ProcessIdentity(int(pid)) if re.fullmatch("[1-9][0-9]{0,9}", pid) else None
    return None if hello is None else hello.process


def parse_hello(file: str, document: dict[str, Any]) -> Hello:
    """Raises KeyError, TypeError or ValueError for a document that is none."""
    started = document.get("started") or {}
    ticks = started.get("ticks")
    pid = int(document["pid"])
    if pid <= 0:
        raise ValueError(f"{pid} is the pid of no process")
    problem = document.get("problem") or {}
    return Hello(
        file=file,
        agent=str(document["agent"]),
        pane=str(document["pane"]),
        process=ProcessIdentity(pid, None if ticks is None else int(ticks), int(started.get("ms") or 0)),
        tty=document.get("tty"),
        conversation=document.get("session_file"),
        state=str(document["state"]),
        by=document.get("by"),
        shown=document.get("shown"),
        attended=int(document.get("attended") or 0),
        runs=frozenset(map(str, document.get("runs") or ())),
        waived=frozenset(map(str, document.get("waived") or ())),
        engagement=document.get("engagement"),
        calls=tuple(Call(str(call["name"]), int(call["since_ms"])) for call in document.get("calls") or ()),
        problem=f"{problem.get('code')}: {problem.get('text')}" if problem else None,
        versions=tuple(sorted((str(k), str(v)) for k, v in (document.get("versions") or {}).items())),
        reflex=_reflex(document.get("reflex")),
        written_ms=_whole(document.get("written_ms")) or 0,
    )


def _reflex(said: object) -> Reflex:
    """Nothing of it decides whether the agent can be paused, so nonsense in it is none of the file's errors."""
    if not isinstance(said, dict):
        return Reflex()
    mode = said.get("mode")
    return Reflex(
        mode=mode if mode in REFLEX_MODES else "off",
        reports=said.get("reports") is True,
        away=said.get("away") is True,
        silent=max(0, _whole(said.get("silent")) or 0),
        since_ms=_whole(said.get("since_ms")),
    )


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
