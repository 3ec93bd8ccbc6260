"""The resident controller among processes that take turns: its own code, from the request line to the cycle. Its threads
are processes of one group, which stop and die together; in the place of what they wait by is what the scheduler knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attention_framework.break_watch.followers import Followers
from attention_framework.following import Follower
from attention_framework.serve.asking import Rounds
from attention_framework.serve.breaks import BreaksFollowed
from attention_framework.serve.desk import Desk
from attention_framework.serve.door import Gone
from attention_framework.serve.protocol import parse_request, request_line
from attention_framework.serve.resident import Resident
from attention_framework.serve.sessions import Sessions
from attention_framework.serve.work import Work
from attention_framework.serve.worker import Worker

from .scheduler import Flag, Group, Mutex, Slots
from .stage import WAKE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from attention_framework import BreakSource
    from attention_framework.app import App

    from .controller import Application
    from .scheduler import Process, SharedClock, Turns
    from .ways import Ways

PLACES = 2
"""Questions that may wait at once."""


class Exchange:
    """One request, as whoever has sent it sees it."""

    def __init__(self, at_ms: float, verb: str = "", values: dict[str, str] | None = None) -> None:
        self.at_ms = at_ms
        self.verb = verb
        self.values = values or {}
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
        self.cycles_begun = 0

    def start(self, name: str, body: Callable[[], object], stays: bool = True) -> Process:
        process = self._turns.start(f"serve: {name}", self._group, body)
        process.stays = stays
        return process

    def join(self, process: Process | None, timeout_s: float) -> None:
        """One that was never started is over."""
        if process is not None:
            self.clock.wait_until(lambda: process.over, timeout_s * 1000)


class TakesTurns(Worker):
    """Waits where the scheduler sees it."""

    def __init__(self, threads: Threads, *arguments: Any) -> None:
        super().__init__(*arguments, Work(lambda: Flag(threads.clock)))
        self._threads = threads
        self._process: Process | None = None

    def start(self) -> None:
        self._process = self._threads.start("cycles", self._run)

    def join(self, timeout_s: float) -> None:
        assert self._process is not None
        self._threads.join(self._process, timeout_s)

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


class TurnsFollower(Follower):
    def __init__(self, threads: Threads, *arguments: Any) -> None:
        super().__init__(*arguments, monotonic_s=lambda: threads.clock.monotonic_ms() / 1000)
        self._stop = Flag(threads.clock)  # type: ignore[assignment]
        self._threads = threads
        self._process: Process | None = None

    def start(self) -> None:
        self._process = self._threads.start(f"follows {self._name}", self._follow)

    def join(self, timeout_s: float) -> None:
        assert self._process is not None
        self._threads.join(self._process, timeout_s)


class TurnsFollowers(Followers):
    def __init__(self, threads: Threads, *arguments: Any) -> None:
        self._threads = threads
        super().__init__(*arguments)
        self._woken = Flag(threads.clock)  # type: ignore[assignment]

    def _follower(self, *arguments: Any) -> Follower:
        return TurnsFollower(self._threads, *arguments)


class TurnsBreaks(BreaksFollowed):
    def __init__(self, threads: Threads, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._stop, self._changed = Flag(threads.clock), Flag(threads.clock)  # type: ignore[assignment]
        self._threads = threads
        self._process: Process | None = None

    def start(self) -> None:
        self._process = self._threads.start("breaks", self._run)

    def backs_off(self, name: str) -> bool:
        followers = self._followers
        return followers is not None and followers.following[name].state == "backing off"

    def _join(self, timeout_s: float) -> None:
        self._threads.join(self._process, timeout_s)

    def _make_followers(self, app: App, sources: Sequence[BreakSource]) -> Followers:
        return TurnsFollowers(self._threads, sources, app.warn, app.effects.clock.wall_ms)


class TurnsOfSessions(Sessions):
    def __init__(self, threads: Threads, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._threads = threads

    def _worker(self, key: str, cycle: Callable[..., Any], clock: object) -> Worker:  # type: ignore[override]
        def counted(take: Callable[[], Sequence[str]]) -> Any:
            def begun() -> Sequence[str]:
                self._threads.cycles_begun += 1
                return take()

            return cycle(begun)

        return TakesTurns(self._threads, key, counted, clock)

    def _follower(self, *arguments: Any) -> Follower:  # type: ignore[override]
        return TurnsFollower(self._threads, *arguments)

    def _rounds(self, look: Callable[[], Any]) -> Rounds[Any]:  # type: ignore[override]
        return Rounds(look, Mutex(self._threads.clock))


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
        self.reloads_under_way = 0
        self.opened = False
        """It listens, and has written its lease."""
        super().__init__(app)
        self._stop, self._find_now = Flag(threads.clock), Flag(threads.clock)  # type: ignore[assignment]
        self._reloading = Mutex(threads.clock)  # type: ignore[assignment]
        self._lease._guard = Mutex(threads.clock)  # type: ignore[assignment]
        self.sessions = TurnsOfSessions(threads, lambda: self._app, self._cycle)
        self.breaks = self._breaks = TurnsBreaks(threads, lambda: self._app, self.wake_all)

    @property
    def door(self) -> WithoutSocket:
        return self._door  # type: ignore[return-value]

    def _make_door(self) -> Any:
        return WithoutSocket(self._threads.clock)

    def _follow(self) -> None:
        self.opened = True
        self._threads.start("finds", self._find)
        self._breaks.start()

    def look_at_settings(self) -> None:
        self.reloads_under_way += 1
        try:
            super().look_at_settings()
        finally:
            self.reloads_under_way -= 1


class Server:
    """One resident controller, from its start to its end."""

    asked = False
    """No signal has come."""

    def __init__(
        self, app: App, turns: Turns, clock: SharedClock, group: Group, wrong: Callable[[str], None]
    ) -> None:
        self.group = group
        self._wrong = wrong
        self._turns = turns
        self._threads = Threads(turns, clock, group)
        self.resident = TurnsResident(app, self._threads)
        self._desk = Desk(self.resident)
        self.slots = Slots(PLACES)
        self._desk._waiting = self.slots  # type: ignore[assignment]
        self.main = self._threads.start("main", self._run)

    @property
    def listens(self) -> bool:
        return self.resident.door.listens

    @property
    def ways(self) -> Ways:
        """The settings that it goes by."""
        app: Application = self.resident.app  # type: ignore[assignment]
        return app.ways

    @property
    def is_steady(self) -> bool:
        """It is neither beginning nor ending, nor about to take over other settings."""
        resident = self.resident
        return self.listens and resident.opened and not resident.reloads_under_way

    @property
    def is_ending(self) -> bool:
        """It has been told to stop, if it has not heard it yet."""
        resident = self.resident
        return resident.stopping or any(one.verb == "stop" and not one.over for one in resident.door.inside)

    def request(self, verb: str, **values: str) -> Exchange:
        """Also a stopped one takes it, and answers when it goes on."""
        exchange = Exchange(self._threads.clock.monotonic_ms(), verb, values)
        line, begun = request_line(verb, values), self._threads.cycles_begun
        inside = self.resident.door.inside
        inside[:] = [one for one in inside if not one.over] + [exchange]

        def handle() -> None:
            try:
                exchange.close(list(self._noted(exchange, self._desk.handle(parse_request(line)))))
            except Gone:
                exchange.close([])
            if verb == "wake" and exchange.code == 0 and not self._covered(begun):
                self._wrong("a wake-up was accepted that no cycle has covered, and that has no marker")

        self._threads.start(verb, handle, stays="wait" in values)
        return exchange

    def _covered(self, begun: int) -> bool:
        return self._threads.cycles_begun > begun or bool(self.group.files.disk.folders.get(WAKE))

    @staticmethod
    def _noted(exchange: Exchange, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            exchange.heard = True
            yield line

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
