"""Values with sensible defaults, so that a test says only what it is about."""

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
"""Of the fake host, and of every pane that `pane` builds."""


def session(address: str = SESSION.address, **changes: Any) -> Session:
    """`SESSION` at another address; `changes` are fields of `Session`."""
    return replace(SESSION, address=address, **changes)


def hello(pane: str = "w1:p1", pid: int = 100, **changes: Any) -> Hello:
    """What a running OMP of a supported version says,
    with the process that `MemoryProcesses.start(pid)` starts.
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
    """A pane of `SESSION` with an agent of kind `omp`; `changes` are fields of `Pane`: `hello=hello()` for one whose
    process has said hello.
    """
    return replace(Pane(SESSION, id, agent=agent), **changes)


def snapshot(*panes: Pane, focused: Iterable[str] | None = ()) -> Snapshot:
    """A snapshot whose panes know whether they are focused. None: the host cannot tell."""
    ids = None if focused is None else frozenset(focused)
    found = tuple(replace(pane, focused=bool(ids and pane.id in ids)) for pane in panes)
    return Snapshot(panes[0].session if panes else SESSION, found, ids)


def view(
    seen: Snapshot, *, memory: FocusMemory | None = None, now_ms: int = START_MS, **changes: Any
) -> View:
    """A view whose memory has been updated with the snapshot, as the cycle does."""
    base = View(seen, session_key(seen.session), now_ms, focus=remember(memory, seen, now_ms))
    return replace(base, **changes)


def focus_history(*seen: Snapshot, now_ms: int = START_MS) -> FocusMemory:
    """The memory after these snapshots, the oldest first."""
    memory: FocusMemory | None = None
    for snap in seen:
        memory = remember(memory, snap, now_ms)
    if memory is None:
        raise ValueError("a history needs a snapshot")
    return memory


def hold(run: str = "b-1", **changes: Any) -> Hold:
    """A break in force for all panes."""
    return replace(Hold(run, "break", "cli", Scope(), START_MS, START_MS + 60_000), **changes)


def scope(*panes: str, key: str = "", excluded: Iterable[str] = ()) -> Scope:
    """The panes of one session, or all panes if none is named."""
    key = key or session_key(SESSION)
    return Scope(
        not panes, frozenset((key, name) for name in panes), frozenset((key, name) for name in excluded)
    )


def request(*runs: str, attended: int | None = 0) -> PauseRequest:
    """A request for these runs, each with its id as the reason. `attended` goes into the focus run."""
    return PauseRequest(tuple(Run(run, run, attended=attended if run == FOCUS_RUN else None) for run in runs))
