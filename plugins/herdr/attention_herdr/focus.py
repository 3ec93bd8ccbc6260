"""Herdr as a host: its sessions, what they show, and what wakes the controller."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable, Session

from .addresses import candidates
from .client import HerdrClient
from .control import HerdrControl
from .manifest import FOLDER, PLUGIN_ID
from .reading import read_snapshot
from .registry import listed
from .watch import Watch
from .wire import NotRunning, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from attention_framework import Context, PaneControl, Snapshot, Trial

PING_S: Final = 0.5
SESSIONS_S: Final = 2.0
"""For all of them together, so that servers that hang do not add up."""


class HerdrFocus:
    """One session for each running server. Herdr has one focus for all who are attached to it."""

    name = "herdr"

    def __init__(self, settings: object, context: Context) -> None:
        self._context = context
        self._effects = context.effects
        self._clients: dict[str, HerdrClient] = {}

    def sessions(self) -> Sequence[Session]:
        """Those that answer. A server that does not is reported; a socket that nobody listens at any more is passed
        over. Raises HostUnavailable where there are only such as do not answer: a server that is stopped still runs.
        """
        clock = self._effects.clock
        end_ms = clock.monotonic_ms() + SESSIONS_S * 1000
        found, silent = [], []
        for address in candidates(self._effects):
            left_s = (end_ms - clock.monotonic_ms()) / 1000
            try:
                if left_s > 0 and self._answers(address.path, min(PING_S, left_s)):
                    found.append(Session(self.name, address.path, address.name))
            except HostUnavailable as error:
                silent.append(error)
        if silent and not found:
            raise silent[0]
        for unanswered in silent:
            self._context.log.warning("{}", unanswered)
        return found

    def snapshot(self, session: Session) -> Snapshot:
        return read_snapshot(session, self.client(session).call("session.snapshot"))

    def watch(self, session: Session, wake: Callable[[str], None], stop: Event) -> None:
        hooks_tell = partial(self.hooks_tell, session)
        Watch(session, self.client(session), self._effects, wake, hooks_tell).run(stop)

    def hooks_tell(self, session: Session) -> bool:
        """Whether Herdr runs the hooks that this state folder's setup has written.
        Raises HostUnavailable where it gives no answer.
        """
        try:
            linked = listed(self.client(session).call("plugin.list"), PLUGIN_ID)
        except Refused:
            return False
        if linked is None or not linked.enabled or linked.warnings:
            return False
        return linked.is_at(self._context.state / FOLDER)

    def control(self, session: Session) -> PaneControl:
        return HerdrControl(self.client(session))

    def trial(self) -> Trial:
        """See `OffersTrials`. In the session that answers first. Raises HostUnavailable where none does."""
        from .trial import HerdrTrial

        session = next(iter(self.sessions()), None)
        if session is None:
            raise HostUnavailable("no Herdr is running: start it, then try again")
        return HerdrTrial(session, self.client(session))

    def client(self, session: Session) -> HerdrClient:
        """The same one for the same session, since it remembers how long Herdr takes there."""
        if session.address not in self._clients:
            self._clients[session.address] = HerdrClient(session.address, self._effects)
        return self._clients[session.address]

    def _answers(self, address: str, timeout_s: float) -> bool:
        try:
            HerdrClient(address, self._effects).call("ping", timeout_s=timeout_s)
        except NotRunning:
            return False
        return True
