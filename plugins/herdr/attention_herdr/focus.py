"""Herdr as a host: its sessions, what they show, and what wakes the controller."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable, Session

from .addresses import Address, candidates
from .client import HerdrClient
from .control import HerdrControl
from .manifest import FOLDER, PLUGIN_ID
from .reading import read_snapshot
from .registry import listed
from .watch import Watch
from .wire import NotRunning, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from threading import Event

    from attention_framework import Context, PaneControl, Snapshot, Trial

PING_S: Final = 0.5
SESSIONS_S: Final = 2.0
"""For all of them together, so that servers that hang do not add up."""
TRIAL_S: Final = 10.0
"""For what a person waits for: that the machine is busy for a moment is no fault of what is tried out."""


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
        end_ms = self._effects.clock.monotonic_ms() + SESSIONS_S * 1000
        found, silent = self._asked(candidates(self._effects), PING_S, end_ms)
        if silent and not found:  # A machine that is busy for a moment is no server that is stopped.
            first = next(iter(silent.values()))
            found, silent = self._asked(silent, SESSIONS_S, end_ms)
            if not found:
                raise first
        for unanswered in silent.values():
            self._context.log.warning("{}", unanswered)
        return found

    def _asked(
        self, addresses: Iterable[Address], within_s: float, end_ms: float
    ) -> tuple[list[Session], dict[Address, HostUnavailable]]:
        """The sessions that answer, and what is wrong with those that do not."""
        clock, found, silent = self._effects.clock, [], {}
        for address in addresses:
            left_s = (end_ms - clock.monotonic_ms()) / 1000
            try:
                if left_s > 0 and self._answers(address.path, min(within_s, left_s)):
                    found.append(Session(self.name, address.path, address.name))
            except HostUnavailable as error:
                silent[address] = error
        return found, silent

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
        return HerdrTrial(session, HerdrClient(session.address, self._effects, TRIAL_S))

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
