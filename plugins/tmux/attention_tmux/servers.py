"""Which tmux servers run: the sockets to look at, and who answers there."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable, ProcessIdentity, Session

from .client import NoServer, split_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attention_framework import Context, Effects

    from .client import TmuxClient

HOST: Final = "tmux"
ASK_AGAIN_MS: Final = 60_000.0
"""A server that has not changed its socket is not asked so soon again who it is: asking costs a process."""


@dataclass(frozen=True, slots=True)
class KnownServer:
    """A server that has said who it is."""

    session: Session
    socket: tuple[int, int]
    """The socket's number and time: a later server makes another one in its place."""
    asked_ms: float
    """Of the monotonic clock."""


class Servers:
    """Those of the person, and those on further sockets."""

    def __init__(self, client: TmuxClient, sockets: Sequence[str], context: Context) -> None:
        self._client = client
        self._further = sockets
        self._context = context
        self._known: dict[Path, KnownServer] = {}

    def sockets(self) -> Iterator[Path]:
        """Where a server may listen. One may come up twice."""
        environment = self._context.effects.environment
        inside = environment.get("TMUX", "").rsplit(",", 2)[0]
        if inside:
            yield Path(inside)
        yield from (Path(socket).expanduser() for socket in self._further)
        if sys.platform != "win32":
            folder = socket_folder(environment)
            names = self._context.effects.files.names(folder)
            yield from (folder / name for name in names if _is_socket(folder / name))

    def session_at(self, socket: Path) -> Session | None:
        """None where no server listens. Raises HostUnavailable for one that does not say who it is."""
        now_ms, there = self._context.effects.clock.monotonic_ms(), _identity(socket)
        known = self._known.get(socket)
        if known and now_ms < known.asked_ms + ASK_AGAIN_MS and self._still_there(known, there):
            return known.session
        try:
            session = Session(HOST, self._client.address(str(socket)), socket.name)
        except NoServer as error:
            self._context.log.debug("no tmux server: {}", error)
            self._known.pop(socket, None)
            return None
        except HostUnavailable:
            if known and self._still_there(known, there):
                return known.session  # It is slow.
            raise
        if there is not None and there == _identity(socket):
            self._known[socket] = KnownServer(session, there, now_ms)
        return session

    def _still_there(self, known: KnownServer, there: tuple[int, int] | None) -> bool:
        return known.socket == there and not has_ended(known.session, self._context.effects)


def has_ended(session: Session, effects: Effects) -> bool:
    """The address holds the pid of its server. Another process may have it by now: then it stays unknown."""
    _, pid = split_address(session)
    return not effects.processes.alive(ProcessIdentity(int(pid)))


def socket_folder(environment: Mapping[str, str]) -> Path:
    """Where tmux puts the sockets of this user's servers (tmux(1), TMUX_TMPDIR)."""
    if sys.platform == "win32":
        raise HostUnavailable("there is no tmux for Windows")
    return Path(environment.get("TMUX_TMPDIR") or "/tmp") / f"tmux-{os.getuid()}"


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.stat().st_mode)
    except OSError:
        return False
