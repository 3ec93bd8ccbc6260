"""Which sessions there are, and what follows each: a worker for its cycles, a follower for its host's events."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..following import Follower
from ..silences import Silences
from ..state.names import session_key
from .asking import Rounds
from .worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..app import App
    from ..cycle import Seen
    from ..kinds import FocusSource
    from ..model import Session
    from ..runner import Woken
    from .work import Wake

MISSES = 2
"""A session is let go when so many searches in a row have not found it, and its cycles fail."""
MOST = 256
"""Sessions at once: whoever wakes us names addresses freely."""
ENDS_WITHIN_S = 2.0


class NoSuchHost(Exception):
    """The settings do not select this host."""


class TooMany(Exception):
    """No more sessions are taken on."""


@dataclass(slots=True)
class Followed:
    session: Session
    source: FocusSource
    worker: Worker
    follower: Follower
    rounds: Rounds[Seen]
    listed: bool = False
    """Whether its host knows of it."""
    missed: int = 0


class Sessions:
    """Safe to use from several threads."""

    def __init__(
        self, app: Callable[[], App], cycle: Callable[[Session, Callable[[], Sequence[str]]], Woken]
    ) -> None:
        self._app = app
        """The present one: it is another after the settings have changed."""
        self._cycle = cycle
        self._guard = threading.RLock()
        self._followed: dict[str, Followed] = {}
        self._stopped = False
        self.silences = Silences()
        """Hosts that do not say which sessions run."""

    def all(self) -> list[Followed]:
        with self._guard:
            return list(self._followed.values())

    def get(self, session: Session) -> Followed:
        """Followed from now on, if it was not known yet. Raises NoSuchHost or TooMany."""
        key = session_key(session)
        with self._guard:
            found = self._followed.get(key)
            if found is not None:
                if session.name:
                    found.session = session
                return found
            source = self._app().sources.get(session.host)
            if source is None:
                raise NoSuchHost(session.host)
            if self._stopped:
                raise TooMany("the resident controller is ending")
            if len(self._followed) >= MOST:
                raise TooMany(f"{len(self._followed)} sessions are followed already")
            return self._add(key, session, source)

    def find(self, trigger: str = "found") -> list[Wake]:
        """Ask every host for its sessions, follow and wake the new ones, let go of those that are over."""
        there: dict[str, Session] = {}
        silent: set[str] = set()
        for source in list(self._app().sources.values()):
            sessions = self._app().sessions_of(source)
            self._note(source.name, sessions)
            if sessions is None:
                silent.add(source.name)
            there.update({session_key(session): session for session in sessions or ()})
        with self._guard:
            known = set(self._followed)
        wakes = [self.get(session).worker.wake(trigger) for key, session in there.items() if key not in known]
        for key in known & set(there):
            self.get(there[key])
        self._let_go(there, silent)
        return wakes

    def wake_all(self, trigger: str) -> list[Wake]:
        """Those that are known, then those that are found only now, by this search or by another thread's meanwhile."""
        known = self.all()
        wakes = [followed.worker.wake(trigger) for followed in known]
        self.find(trigger)
        new = [followed for followed in self.all() if not any(followed is one for one in known)]
        return wakes + [followed.worker.wake(trigger) for followed in new]

    def poke_all(self, trigger: str) -> None:
        """Wake those that are known, without a search."""
        for followed in self.all():
            followed.worker.wake(trigger)

    def renew(self) -> None:
        """After the settings have changed: the hosts are followed anew, as they are now. At no moment nobody is there who
        could be woken.
        """
        with self._guard:
            before, self._followed = self._followed, {}
            for key, followed in before.items():
                source = self._app().sources.get(followed.session.host)
                if source is not None and not self._stopped:
                    self._add(key, followed.session, source)
        for followed in before.values():
            _end(followed)

    def _note(self, host: str, sessions: Sequence[Session] | None) -> None:
        app = self._app()
        problem = app.unanswered.get(host, "gave no answer") if sessions is None else ""
        self.silences.note(host, problem, app.effects.clock.wall_ms())

    def stop(self) -> None:
        with self._guard:
            self._stopped = True
            followed, self._followed = list(self._followed.values()), {}
        for one in followed:
            _end(one)
        for one in followed:
            one.worker.join(ENDS_WITHIN_S)
            one.follower.join(ENDS_WITHIN_S)

    def _add(self, key: str, session: Session, source: FocusSource) -> Followed:
        worker = self._worker(key, lambda take: self._cycle(session, take), self._app().effects.clock)
        follower = self._follower(
            f"{session.host} {session.name or session.address}",
            lambda wake, stop: source.watch(session, wake, stop),
            lambda reason: _ignore(worker.wake(reason)),
            lambda sentence: self._app().log.file_only("serve").warning("{}", sentence),
            self._app().effects.clock.wall_ms,
        )
        rounds = self._rounds(lambda: self._app().controller.see(source, session))
        followed = self._followed[key] = Followed(session, source, worker, follower, rounds)
        worker.start()
        follower.start()
        return followed

    # What a scheduler that drives it has its own of.

    _worker: type[Worker] | Callable[..., Worker] = Worker
    _follower: type[Follower] | Callable[..., Follower] = Follower
    _rounds: type[Rounds[Seen]] | Callable[..., Rounds[Seen]] = Rounds

    def _let_go(self, there: dict[str, Session], silent: set[str]) -> None:
        """One that is at an address that its host does not know of stays as long as it answers."""
        gone = []
        with self._guard:
            for key, followed in list(self._followed.items()):
                if followed.session.host in silent:
                    continue
                if followed.listed and key not in there:
                    followed.worker.wake("no longer listed")  # Does it still answer?
                followed.listed = key in there
                lost = not followed.listed and followed.worker.tally.failed_in_a_row > 0
                followed.missed = followed.missed + 1 if lost else 0
                if followed.missed >= MISSES:
                    gone.append(self._followed.pop(key))
        for followed in gone:
            _end(followed)


def _end(followed: Followed) -> None:
    followed.follower.stop()
    followed.worker.stop()


def _ignore(wake: Wake) -> None:
    """Nobody waits for it."""
