"""Functions that build values for tests. Everything has a default, so a test names only what matters to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..model import (
    FOCUS_RUN,
    Hello,
    Hold,
    Pane,
    PauseRequest,
    ProcessIdentity,
    Run,
    Scope,
    Session,
    Snapshot,
    View,
)
from ..state.memory import remember
from ..state.names import encode, session_key
from .memory import START_MS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..model import FocusMemory

SESSION = Session("fake", "/run/fake.sock", "fake")
"""The session of `FakeHost`, and of every pane that `pane` builds."""


def session(address: str = SESSION.address, **changes: Any) -> Session:
    """A session like `SESSION` at another address; `changes` are other fields of `Session`."""
    return replace(SESSION, address=address, **changes)


def hello(pane: str = "w1:p1", pid: int = 100, **changes: Any) -> Hello:
    """The status file of a running agent (OMP, in a supported version) in this pane; `changes` are fields of `Hello`. Its
    process is the one that `MemoryProcesses.start(pid)` starts.
    """
    said = Hello(
        file=f"{encode(pane)}.{pid}",
        agent="omp",
        pane=pane,
        process=ProcessIdentity(pid, pid * 10, START_MS),
        engagement=f"{pid}-0",
        versions=(("agent", "18.2.3"), ("extension", __version__), ("protocol", "1")),
    )
    return replace(said, **changes)


def pane(id: str = "w1:p1", *, agent: str | None = "omp", **changes: Any) -> Pane:
    """A pane of `SESSION` with an agent of kind `omp`; `changes` are fields of `Pane`. For an agent that has written its
    status file, give `hello=hello(id)`.
    """
    return replace(Pane(SESSION, id, agent=agent), **changes)


def snapshot(*panes: Pane, focused: Iterable[str] | None = ()) -> Snapshot:
    """A snapshot of these panes, with `Pane.focused` set in each. `focused` has the ids of the focused panes; None: the host
    cannot tell. The session is that of the first pane, else `SESSION`.
    """
    ids = None if focused is None else frozenset(focused)
    found = tuple(replace(pane, focused=bool(ids and pane.id in ids)) for pane in panes)
    return Snapshot(panes[0].session if panes else SESSION, found, ids)


def view(
    seen: Snapshot, *, memory: FocusMemory | None = None, now_ms: int = START_MS, **changes: Any
) -> View:
    """What a policy gets as `view` for this snapshot; `changes` are fields of `View`. `memory` is what was known before, such
    as from `focus_history`; the snapshot is added to it, as a cycle does.
    """
    base = View(seen, session_key(seen.session), now_ms, focus=remember(memory, seen, now_ms))
    return replace(base, **changes)


def focus_history(*seen: Snapshot, now_ms: int = START_MS) -> FocusMemory:
    """The memory after cycles have seen these snapshots, the oldest first, all of them at `now_ms`. Raises ValueError for
    none.
    """
    memory: FocusMemory | None = None
    for snap in seen:
        memory = remember(memory, snap, now_ms)
    if memory is None:
        raise ValueError("a history needs a snapshot")
    return memory


def hold(run: str = "b-1", **changes: Any) -> Hold:
    """The hold of a break for all panes. It begins at `START_MS` and lasts 60 s; `changes` are fields of `Hold`."""
    return replace(Hold(run, "break", "cli", Scope(), START_MS, START_MS + 60_000), **changes)


def scope(*panes: str, key: str = "", excluded: Iterable[str] = ()) -> Scope:
    """Which panes a hold means: these pane ids in one session, or all panes of all sessions if none is given. `excluded`
    are pane ids of that session that are not meant in any case. `key` is the key of the session; without it, that of
    `SESSION`.
    """
    key = key or session_key(SESSION)
    return Scope(
        not panes, frozenset((key, name) for name in panes), frozenset((key, name) for name in excluded)
    )


def request(*runs: str, attended: int | None = 0) -> PauseRequest:
    """A request for the runs with these ids; the reason of each is its id. `attended` is that of the run `focus`, if it is
    among them.
    """
    return PauseRequest(tuple(Run(run, run, attended=attended if run == FOCUS_RUN else None) for run in runs))
