"""tmux as a host: its servers, what they show, and what wakes the controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from attention_framework import HostUnavailable, Pane, Session, Snapshot, canonical_address

from .client import TmuxClient, check_server, split_address
from .control import TmuxControl
from .detect import find_agents
from .processes import Foreground
from .reading import FOCUS_QUESTION, QUESTION, parse, parse_focus
from .servers import HOST, Servers, has_ended
from .watching import follow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from threading import Event

    from attention_framework import Context, PaneControl, Trial

    from .reading import PaneRow, Reading

FOLLOW_AGAIN_S = 0.5


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

    name = HOST
    Settings: ClassVar[type[BaseModel]] = TmuxSettings

    def __init__(self, settings: TmuxSettings | None, context: Context) -> None:
        self._settings = settings or TmuxSettings()
        self._context = context
        self._foreground = Foreground(context.effects)
        self.client = TmuxClient(self._settings.program, context.effects, self._settings.timeout_s)
        self._servers = Servers(self.client, self._settings.sockets, context)

    def sessions(self) -> Sequence[Session]:
        """A socket that no server listens on any more is passed over. Where a server listens that has never said who
        it is and does not now, that is logged; raises HostUnavailable if it is the only one.
        """
        found: dict[str, Session] = {}
        silent: list[HostUnavailable] = []
        for socket in self._servers.sockets():
            try:
                session = self._servers.session_at(socket)
            except HostUnavailable as error:
                silent.append(error)
                continue
            if session is not None:
                found.setdefault(canonical_address(session.address), session)
        if silent and not found:
            raise silent[0]
        for one in silent:
            self._context.log.warning("{}", one)
        return list(found.values())

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
        """See `KnowsEnded`."""
        return has_ended(session, self._context.effects)

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
