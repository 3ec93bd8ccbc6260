"""The resident controller among processes that take turns: its own code, from the request line to the cycle. Its threads
are processes of one group, which stop and die together; in the place of what they wait by is what the scheduler knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attention_framework.serve.asking import Rounds
from attention_framework.serve.desk import Desk
from attention_framework.serve.door import Gone
from attention_framework.serve.protocol import parse_request, request_line
from attention_framework.serve.resident import Resident
from attention_framework.serve.sessions import Followed, Sessions
from attention_framework.serve.work import Work
from attention_framework.serve.worker import Worker

from .scheduler import Flag, Group, Mutex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from attention_framework import FocusSource
    from attention_framework.app import App
    from attention_framework.model import Session

    from .scheduler import Process, SharedClock, Turns


class Exchange:
    """One request, as whoever has sent it sees it."""

    def __init__(self, at_ms: float) -> None:
        self.at_ms = at_ms
        self.heard = False
        """It was said that the request has arrived."""
        self.over = False
        """Answered, or the connection is closed."""
        self.lines: list[str] = []

    @property
    def code(self) -> int | None:
        """None: nobody is there, or has died before the end of the answer."""
        return int(self.lines[-1].removeprefix("end ")) if self.lines else None

    def verdict(self, question: int) -> str | None:
        word, _, rest = self.lines[0].partition(" ") if self.lines else ("", "", "")
        said, _, values = rest.partition(" ")
        return said if word == "answer" and f"question={question}" in values.split() else None

    def close(self, lines: list[str]) -> None:
        self.lines, self.over = lines, True


class Threads:
    """Starts the threads of one resident controller."""

    def __init__(self, turns: Turns, clock: SharedClock, group: Group) -> None:
        self._turns = turns
        self._group = group
        self.clock = clock

    def start(self, name: str, body: Callable[[], object], stays: bool = True) -> Process:
        process = self._turns.start(f"serve: {name}", self._group, body)
        process.stays = stays
        return process


class TakesTurns(Worker):
    """Waits where the scheduler sees it."""

    def __init__(self, threads: Threads, *arguments: Any) -> None:
        super().__init__(*arguments, Work(lambda: Flag(threads.clock)))
        self._threads = threads
        self._process: Process | None = None

    def start(self) -> None:
        self._process = self._threads.start("cycles", self._run)

    def join(self, timeout_s: float) -> None:
        process = self._process
        assert process is not None
        self._threads.clock.wait_until(lambda: process.over, timeout_s * 1000)

    def wait_for_cycle(self, after: int, timeout_s: float) -> None:
        self._threads.clock.wait_until(
            lambda: self.work.stopped or self.tally.cycles > after, timeout_s * 1000
        )

    def _wait(self) -> bool:
        clock, work = self._threads.clock, self.work
        while (rest_ms := work.rest_ms(clock.monotonic_ms())) > 0:
            clock.wait_until(lambda: work.stopped or work.woken, rest_ms)
        pause_ms = work.pause_ms(clock.monotonic_ms())
        if pause_ms > 0:
            clock.wait_until(lambda: work.stopped, pause_ms)
        return not work.stopped


class NobodyFollows:
    """Events of the host come by the world's hand."""

    def stop(self) -> None:
        pass

    def join(self, timeout_s: float) -> None:
        pass


class TurnsOfSessions(Sessions):
    def __init__(self, threads: Threads, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._threads = threads

    def _add(self, key: str, session: Session, source: FocusSource) -> Followed:
        clock = self._threads.clock
        worker = TakesTurns(self._threads, key, lambda take: self._cycle(session, take), clock)
        rounds = Rounds(lambda: self._app().controller.see(source, session), Mutex(clock))
        followed = Followed(session, source, worker, NobodyFollows(), rounds)  # type: ignore[arg-type]
        self._followed[key] = followed
        worker.start()
        return followed


class WithoutSocket:
    """The door: requests come by the world's hand."""

    def __init__(self, clock: SharedClock) -> None:
        self._clock = clock
        self.address = "memory"
        self.listens = False
        self.inside: list[Exchange] = []

    def open(self) -> None:
        self.listens = True

    def close(self) -> None:
        self.listens = False

    def wait_idle(self, timeout_s: float) -> None:
        self._clock.wait_until(lambda: all(one.over for one in self.inside), timeout_s * 1000)

    def mend(self) -> bool:
        return False


class TurnsResident(Resident):
    def __init__(self, app: App, threads: Threads) -> None:
        self._threads = threads
        super().__init__(app)
        self._stop, self._find_now = Flag(threads.clock), Flag(threads.clock)  # type: ignore[assignment]
        self._reloading = Mutex(threads.clock)  # type: ignore[assignment]
        self.sessions = TurnsOfSessions(threads, lambda: self._app, self._cycle)

    @property
    def door(self) -> WithoutSocket:
        return self._door  # type: ignore[return-value]

    def _make_door(self) -> Any:
        return WithoutSocket(self._threads.clock)

    def _follow(self) -> None:
        self._threads.start("finds", self._find)


class Server:
    """One resident controller, from its start to its end."""

    asked = False
    """No signal has come."""

    def __init__(self, app: App, turns: Turns, clock: SharedClock, group: Group) -> None:
        self.group = group
        self._turns = turns
        self._threads = Threads(turns, clock, group)
        self.resident = TurnsResident(app, self._threads)
        self._desk = Desk(self.resident)
        self.main = self._threads.start("main", self._run)

    @property
    def listens(self) -> bool:
        return self.resident.door.listens

    def request(self, verb: str, **values: str) -> Exchange:
        """Also a stopped one takes it, and answers when it goes on."""
        exchange, line = Exchange(self._threads.clock.monotonic_ms()), request_line(verb, values)
        inside = self.resident.door.inside
        inside[:] = [one for one in inside if not one.over] + [exchange]

        def handle() -> None:
            try:
                exchange.close(list(self._noted(exchange, self._desk.handle(parse_request(line)))))
            except Gone:
                exchange.close([])

        self._threads.start(verb, handle, stays=False)
        return exchange

    @staticmethod
    def _noted(exchange: Exchange, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            exchange.heard = True
            yield line

    def hear(self, trigger: str) -> None:
        """An event of the host."""
        self.resident.sessions.poke_all(trigger)

    def die(self) -> None:
        self._turns.kill(self.group)
        self._close_all()

    def _run(self) -> None:
        self.resident.run(self, lambda: None)
        self._close_all()

    def _close_all(self) -> None:
        self.resident.door.listens = False
        for exchange in self.resident.door.inside:
            if not exchange.over:
                exchange.close([])


__all__ = ["Exchange", "Server"]
