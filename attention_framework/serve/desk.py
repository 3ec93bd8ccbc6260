"""What is answered to each request."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from ..model import Session
from ..woken import decision_lines, error_lines, nothing_runs
from .asking import Said, answer
from .door import Gone
from .news import ASK
from .protocol import HEARD, encoded, line_of
from .sessions import NoSuchHost, TooMany

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..runner import Woken
    from .protocol import Request
    from .resident import Resident
    from .sessions import Followed
    from .work import Wake

WAKE_WITHIN_S = 60.0
LONGEST_WAIT_MS = 600_000
MOST_WAITING = 128
"""Questions that wait at once: the other handlers are for those who do not wait."""
TRIGGER_LIMIT = 120


class Desk:
    """Answers for one resident controller, in as many threads as ask."""

    def __init__(self, resident: Resident) -> None:
        self._resident = resident
        self._waiting = threading.BoundedSemaphore(MOST_WAITING)
        self._verbs = {"wake": self._wake, "ask": self._ask, "status": self._status, "stop": self._stop}

    def handle(self, request: Request) -> Iterator[str]:
        verb = self._verbs.get(request.verb)
        if verb is None:
            known = ", ".join(self._verbs)
            yield line_of("err", f"there is no request {request.verb!r} (known: {known})")
            yield "end 2"
            return
        yield from verb(request)

    def _wake(self, request: Request) -> Iterator[str]:
        resident = self._resident
        answered = request.values.get("answer") != "no"
        if answered:
            yield HEARD
        resident.look_at_settings()
        trigger = request.values.get("trigger", "wake")[:TRIGGER_LIMIT]
        session = _session(request)
        try:
            if not answered:
                self._accept(session, trigger)
                yield "end 0"
                return
            wakes = [self._one(session).worker.wake(trigger)] if session else self._all(trigger)
        except (NoSuchHost, TooMany) as error:
            yield from self._refused(error)
            return
        woken = [_ended(wake) for wake in wakes]
        if request.values.get("count") == "yes":
            yield f"sessions {len(woken)}"
            yield from self._told(woken) if woken or resident.app.unanswered else ["end 0"]
        else:
            yield from self._told(woken)

    def _one(self, session: Session) -> Followed:
        """Raises NoSuchHost or TooMany, or Gone at the end, when none is followed any more."""
        try:
            return self._resident.sessions.get(session)
        except TooMany:
            if self._resident.stopping:
                raise Gone from None
            raise

    def _all(self, trigger: str) -> list[Wake]:
        """Raises TooMany, or Gone at the end: that none is followed any more does not mean that none runs."""
        try:
            wakes = self._resident.sessions.wake_all(trigger)
        except TooMany:
            if self._resident.stopping:
                raise Gone from None
            raise
        if not wakes and self._resident.stopping:
            raise Gone
        return wakes

    def _accept(self, session: Session | None, trigger: str) -> None:
        """Raises NoSuchHost or TooMany, or Gone at the end."""
        try:
            accepted = self._resident.accept(session, trigger)
        except TooMany:
            if self._resident.stopping:
                raise Gone from None
            raise
        if not accepted and self._resident.stopping:
            raise Gone

    def _refused(self, error: Exception) -> Iterator[str]:
        if isinstance(error, NoSuchHost):
            chosen = ", ".join(self._resident.app.sources) or "none"
            yield line_of("err", f"attention: host {str(error)!r} is not selected (focus.sources: {chosen})")
            yield "end 2"
            return
        yield line_of("err", f"attention: {error}")
        yield "end 1"

    def _told(self, woken: Sequence[Woken]) -> Iterator[str]:
        if not woken:
            app = self._resident.app
            yield line_of("err", nothing_runs(app.sources, dict(app.unanswered)))
            yield "end 1"
            return
        for one in woken:
            yield from (line_of("err", line) for line in error_lines(one))
            yield from (line_of("out", line) for line in decision_lines(one))
        yield "end 0" if all(one.well for one in woken) else "end 1"

    def _ask(self, request: Request) -> Iterator[str]:
        session = Session(request.needed("host"), request.needed("address"))
        pane_id, pid, wait_ms = request.needed("pane"), request.number("pid"), request.number("wait") or 0
        event = request.values.get("event", "ask")[:TRIGGER_LIMIT]
        self._resident.count_ask()
        try:
            followed = self._one(session)
        except (NoSuchHost, TooMany) as error:
            said = Said(
                "unknown", f"host {error} is not selected" if isinstance(error, NoSuchHost) else str(error)
            )
        else:
            before = followed.worker.tally.cycles
            # First the cycle, which has more to do: both look at the same time.
            followed.worker.wake(f"{ASK}{event}")
            said = self._say(followed, pane_id, pid)
            if said.word != "run" and wait_ms:
                said = self._say_later(followed, pane_id, pid, min(wait_ms, LONGEST_WAIT_MS), said, before)
        question = encoded(request.values.get("question", ""))
        yield f"answer {said.word} question={question} reason={encoded(said.reason)}"
        yield "end 0"

    def _say(self, followed: Followed, pane_id: str, pid: int | None) -> Said:
        controller = self._resident.app.controller
        return answer(controller, followed.source, followed.session, followed.rounds.ask, pane_id, pid)

    def _say_later(
        self, followed: Followed, pane_id: str, pid: int | None, wait_ms: int, said: Said, before: int
    ) -> Said:
        """Ask again after every cycle, until it may run or the time is over. `before`: cycles before the first."""
        if not self._waiting.acquire(blocking=False):
            return said
        clock = self._resident.app.effects.clock
        end_ms = clock.monotonic_ms() + wait_ms
        try:
            while said.word != "run" and (left_ms := end_ms - clock.monotonic_ms()) > 0:
                followed.worker.wait_for_cycle(before, left_ms / 1000)
                if self._resident.stopping:
                    raise Gone
                # After other settings it is followed by another worker.
                followed = self._one(followed.session)
                before = followed.worker.tally.cycles
                said = self._say(followed, pane_id, pid)
        except (NoSuchHost, TooMany) as error:
            raise Gone from error
        finally:
            self._waiting.release()
        return said

    def _status(self, request: Request) -> Iterator[str]:
        self._resident.look_at_settings()
        yield line_of("json", json.dumps(self._resident.status()))
        yield "end 0"

    def _stop(self, request: Request) -> Iterator[str]:
        yield "end 0"
        self._resident.stop_soon()


def _ended(wake: Wake) -> Woken:
    """Raises Gone where no cycle will come: the client does it itself then."""
    wake.done.wait(WAKE_WITHIN_S)
    if wake.woken is None:
        raise Gone
    return wake.woken


def _session(request: Request) -> Session | None:
    if not request.values.get("host") and not request.values.get("address"):
        return None
    return Session(request.needed("host"), request.needed("address"))
