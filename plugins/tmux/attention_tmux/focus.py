"""tmux as a host: its servers, what they show, and what wakes the controller."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from attention_framework import (
    HostUnavailable,
    Pane,
    ProcessIdentity,
    Session,
    Snapshot,
    canonical_address,
)

from .client import NoServer, TmuxClient, check_server, split_address
from .control import TmuxControl
from .detect import find_agents
from .processes import Foreground
from .reading import FOCUS_QUESTION, QUESTION, parse, parse_focus
from .watching import follow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import Event

    from attention_framework import Context, PaneControl, Trial

    from .reading import PaneRow, Reading

FOLLOW_AGAIN_S = 0.5
ASK_AGAIN_MS = 60_000.0
"""A server that has not changed its socket is not asked so soon again who it is: asking costs a process."""


@dataclass(frozen=True, slots=True)
class Known:
    """A server that has said who it is."""

    address: str
    socket: tuple[int, int]
    """The socket's number and time: a later server makes another one in its place."""
    asked_ms: float


class TmuxSettings(BaseModel):
    """Settings of the host `tmux`."""

    model_config = ConfigDict(extra="forbid")

    program: str = Field(
        default="tmux", description="The tmux command: a name on the PATH, or an absolute path."
    )
    sockets: list[str] = Field(
        default=[],
        description="Sockets of further servers, where they are not in the usual folder (`tmux -S PATH`).",
    )
    timeout_s: float = Field(
        default=2.0, gt=0, description="Seconds that a tmux command may take before it is given up."
    )


class TmuxFocus:
    """One session for each tmux server. What the attached people see in it is its focus."""

    name = "tmux"
    Settings: ClassVar[type[BaseModel]] = TmuxSettings

    def __init__(self, settings: TmuxSettings | None, context: Context) -> None:
        self._settings = settings or TmuxSettings()
        self._context = context
        self._known: dict[Path, Known] = {}
        self._foreground = Foreground(context.effects)
        self.client = TmuxClient(self._settings.program, context.effects, self._settings.timeout_s)

    def sessions(self) -> Sequence[Session]:
        """A socket that no server listens on any more is passed over. Where a server listens that has never said who
        it is and does not now, that is logged; raises HostUnavailable if it is the only one.
        """
        found: dict[str, Session] = {}
        silent: list[HostUnavailable] = []
        for socket in self._sockets():
            try:
                address = self._address_at(socket)
            except HostUnavailable as error:
                silent.append(error)
                continue
            if address is not None:
                found.setdefault(canonical_address(address), Session(self.name, address, socket.name))
        if silent and not found:
            raise silent[0]
        for one in silent:
            self._context.log.warning("{}", one)
        return list(found.values())

    def _address_at(self, socket: Path) -> str | None:
        """None where no server listens. Raises HostUnavailable for one that does not say who it is."""
        now_ms, there = self._context.effects.clock.monotonic_ms(), _identity(socket)
        known = self._known.get(socket)
        fresh = known and known.socket == there and now_ms < known.asked_ms + ASK_AGAIN_MS
        if known and fresh and not self.has_ended(Session(self.name, known.address)):
            return known.address
        try:
            address = self.client.run(str(socket), "display-message", "-p", "#{socket_path},#{pid}").strip()
        except NoServer as error:
            self._context.log.debug("no tmux server: {}", error)
            self._known.pop(socket, None)
            return None
        except HostUnavailable:
            if known and known.socket == there and not self.has_ended(Session(self.name, known.address)):
                return known.address  # It is there, and slow.
            raise
        if there is not None and there == _identity(socket):
            self._known[socket] = Known(address, there, now_ms)
        return address

    def snapshot(self, session: Session) -> Snapshot:
        socket, _ = split_address(session)
        try:
            reading = parse(self.client.run(socket, *QUESTION))
        except ValueError as error:
            raise HostUnavailable(
                f"`tmux list-panes` on {socket} answered something else: {error}"
            ) from error
        check_server(session, reading.server)
        return Snapshot(session, tuple(self._panes(session, reading)), reading.focused)

    def focus_now(self, session: Session) -> frozenset[str] | None:
        """Without a look at every process of the machine."""
        socket, _ = split_address(session)
        try:
            server, focused = parse_focus(self.client.run(socket, *FOCUS_QUESTION))
        except ValueError as error:
            raise HostUnavailable(
                f"`tmux list-clients` on {socket} answered something else: {error}"
            ) from error
        check_server(session, server)
        return focused

    def watch(self, session: Session, wake: Callable[[str], None], stop: Event) -> None:
        """Until the server is gone."""
        socket, _ = split_address(session)
        while not stop.is_set() and self._runs(session):
            follow(self.client.command(socket), wake, stop)
            if not stop.wait(FOLLOW_AGAIN_S):
                wake("tmux:followed-again")

    def has_ended(self, session: Session) -> bool:
        """The address holds the pid of its server. Another process may have it by now: then it stays unknown."""
        _, pid = split_address(session)
        return not self._context.effects.processes.alive(ProcessIdentity(int(pid)))

    def control(self, session: Session) -> PaneControl:
        return TmuxControl(session, self.client)

    def trial(self) -> Trial:
        """See `OffersTrials`. Raises HostUnavailable where there is no tmux."""
        from .trial import TmuxTrial

        if self.client.version() is None:
            raise HostUnavailable(f"there is no program {self._settings.program}")
        return TmuxTrial(self._settings.program, self._context, self._settings.timeout_s)

    def _panes(self, session: Session, reading: Reading) -> Iterator[Pane]:
        agents = find_agents(
            (row.pid for row in reading.panes if not row.dead), self._context.agents, self._foreground
        )
        for row in reading.panes:
            yield _pane(session, row, agents.get(row.pid), focused=row.id in (reading.focused or ()))

    def _runs(self, session: Session) -> bool:
        socket, _ = split_address(session)
        try:
            check_server(session, self.client.run(socket, "display-message", "-p", "#{pid}").strip())
        except HostUnavailable:
            return False
        return True

    def _sockets(self) -> Iterator[Path]:
        environment = self._context.effects.environment
        inside = environment.get("TMUX", "").rsplit(",", 2)[0]
        if inside:
            yield Path(inside)
        yield from (Path(socket).expanduser() for socket in self._settings.sockets)
        if hasattr(os, "getuid"):
            folder = Path(environment.get("TMUX_TMPDIR") or "/tmp") / f"tmux-{os.getuid()}"
            yield from (
                folder / name
                for name in self._context.effects.files.names(folder)
                if _is_socket(folder / name)
            )


def _pane(session: Session, row: PaneRow, agent: str | None, *, focused: bool) -> Pane:
    return Pane(
        session=session,
        id=row.id,
        focused=focused,
        agent=agent,
        label=row.window,
        title=row.title,
        cwd=row.cwd,
        tty=row.tty or None,
    )


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
