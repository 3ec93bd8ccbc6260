"""The resident controller: its parts, what it does now and then, its beginning and its end."""

from __future__ import annotations

import contextlib
import gc
import itertools
import threading
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..bounded import Bounded, describe, give_another_chance
from ..ended_sessions import remove_ended
from ..errors import Expected, describe_os_error
from ..model import Session
from ..runner import Woken, cycle_for
from ..settings.document import find as find_settings
from ..single_flight import mark
from ..state.documents import Broken, load, save
from .breaks import BreaksFollowed
from .changes import HoldsWatch, JumpWatch, SettingsWatch
from .desk import WAKE_WITHIN_S, Desk
from .door import Door
from .lease import Lease
from .news import News
from .protocol import PROTOCOL
from .sessions import Followed, NoSuchHost, Sessions, TooMany

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Protocol

    from ..app import App
    from .work import Wake

    class Stop(Protocol):
        asked: bool


TICK_S = 0.5
SLOW_TICKS = 4
"""What need not be looked at so often: the settings, the socket."""
FIND_S = 5.0
GARBAGE_AFTER = 50_000
ANSWERS_OUT_S = 1.0
SWEEP_MS = 3_600_000.0


class RunsAlready(Expected):
    """Another process serves this state folder."""


class Resident:
    """Serves one state folder. Whoever makes it holds `serve.lock`."""

    def __init__(self, app: App, tcp: bool | None = None) -> None:
        self._app = prepared(app)
        self._tcp = tcp
        self._stop = threading.Event()
        self._find_now = threading.Event()
        self._reloading = threading.Lock()
        self._asks = itertools.count()
        self._asked = 0
        self._ticks = 0
        self._sweep_at_ms = 0.0
        self._started_ms = app.effects.clock.wall_ms()
        self._loaded_ms = self._started_ms
        self._settings_problem = ""
        self._news = News()
        self.sessions = Sessions(lambda: self._app, self._cycle)
        self._breaks = BreaksFollowed(lambda: self._app, self.wake_all)
        self._lease = Lease(
            app.state.reflex,
            app.effects,
            f"{app.effects.processes.own().pid}-{self._started_ms}",
            lambda: self._app.configuration.settings.reflex,
        )
        self._door = self._make_door()
        path, _ = find_settings(app.config, app.effects.environment)
        self._settings = SettingsWatch(app.effects.files, path)
        self._holds = HoldsWatch(app)
        self._jump = JumpWatch(app.effects.clock)

    @property
    def app(self) -> App:
        """With the settings in use."""
        return self._app

    @property
    def stopping(self) -> bool:
        return self._stop.is_set()

    @property
    def address(self) -> str:
        return str(self._door.address)

    # Its life.

    def run(self, stop: Stop, ready: Callable[[], None]) -> None:
        """Until it is asked to stop. Raises OSError if it cannot listen."""
        try:
            self.open()
            ready()
            while not stop.asked and not self._stop.wait(TICK_S):
                self.tick()
        finally:
            self.close()

    def open(self) -> None:
        effects, state = self._app.effects, self._app.state
        own = effects.processes.own()
        started = {"ms": own.started_ms, **({} if own.ticks is None else {"ticks": own.ticks})}
        document = {"pid": own.pid, "started": started, "version": __version__, "protocol": PROTOCOL}
        save(effects.files, state.serve_description, {**document, "started_ms": self._started_ms})
        self._door.open()
        self._lease.renew()  # whom it lets ask is answered
        self._follow()

    def _follow(self) -> None:
        threading.Thread(target=self._find, name="attention-finder", daemon=True).start()
        self._breaks.start()

    def close(self) -> None:
        """Nobody asks any more; then the breaks that are followed here end, with cycles of ours; then those stop."""
        self._stop.set()
        self._find_now.set()
        self._door.close()
        self._breaks.stop()
        self.sessions.stop()
        self._door.wait_idle(ANSWERS_OUT_S)
        state, files = self._app.state, self._app.effects.files
        for remove in (self._lease.end, partial(files.remove, state.serve_description)):
            with contextlib.suppress(OSError):
                remove()

    def stop_soon(self) -> None:
        self._stop.set()

    # What it does now and then.

    def tick(self) -> None:
        """Nothing that goes wrong here ends it: the next look makes it right."""
        self._ticks += 1
        looks = [self._look_at_clock, self._look_at_holds]
        if self._ticks % SLOW_TICKS == 0:
            looks += [self.look_at_settings, self._look_at_door]
        for look in (*looks, self._look_at_lease):
            try:
                look()
            except OSError as error:
                self._app.warn(describe_os_error(error))
            except Exception as error:
                self._app.warn(f"serve: {describe(error)}")

    def look_at_settings(self) -> None:
        """Take over changed settings. With wrong ones the old ones stay."""
        with self._reloading:
            if not self._settings.look():
                return
            log = self._app.log.file_only("serve")
            try:
                fresh = prepared(self._app.renewed())
            except Expected as error:
                self._settings_problem = str(error)
                self._app.warn(f"the settings have changed and are wrong, so the old ones stay: {error}")
                return
            self._settings_problem, self._loaded_ms = "", self._app.effects.clock.wall_ms()
            self._app = fresh
            log.info("the settings have changed: {}", self._settings.path)
        self.sessions.renew()
        self._breaks.renew()
        self._lease.renew()
        self._find_now.set()

    def _look_at_clock(self) -> None:
        if happened := self._jump.look():
            self._app.log.file_only("serve").info("{}: everything is looked at afresh", happened)
            self._lease.renew()
            self.sessions.poke_all(happened)
            self._find_now.set()

    def _look_at_holds(self) -> None:
        if happened := self._holds.look(self._app):
            self.sessions.poke_all(happened)

    def _look_at_door(self) -> None:
        if self._door.mend():
            self._app.log.file_only("serve").warning(
                "the socket was removed: listening anew at {}", self.address
            )

    def _look_at_lease(self) -> None:
        self._lease.renew_if_due()

    def _find(self) -> None:
        self._guarded(self._find_remembered)
        while not self._stop.is_set():
            self._find_now.clear()
            self._guarded(lambda: self.sessions.find("serve" if self._ticks else "serve starts"))
            self._guarded(self._sweep)
            self._find_now.wait(FIND_S)

    def _sweep(self) -> None:
        """Now and then: it may stay for weeks, and sessions come and go."""
        now_ms = self._app.effects.clock.monotonic_ms()
        if now_ms >= self._sweep_at_ms:
            self._sweep_at_ms = now_ms + SWEEP_MS
            remove_ended(self._app)

    def _find_remembered(self) -> None:
        """Sessions that were there before, at addresses that their host may not know of."""
        self.sessions.find("serve starts")
        known = {self._app.state.session(followed.session).key for followed in self.sessions.all()}
        for session in remembered(self._app):
            source = self._app.sources.get(session.host)
            if source is None or self._app.state.session(session).key in known:
                continue
            snapshot = partial(source.snapshot, session)
            if self._app.configuration.call.call(source.name, snapshot).value is not None:
                self.sessions.get(session).worker.wake("serve starts")

    def _guarded(self, step: Callable[[], object]) -> None:
        try:
            step()
        except (NoSuchHost, TooMany) as error:  # The settings have changed meanwhile.
            self._app.log.file_only("serve").warning("{}", error)
        except Exception as error:
            self._app.warn(f"serve: {describe(error)}")

    # Wake-ups.

    def accept(self, session: Session | None, trigger: str) -> int:
        """Wake without waiting; says how many. What is accepted outlives us: it has markers. Raises NoSuchHost or TooMany."""
        if session is None and not self.sessions.all():
            self.sessions.find(trigger)  # At the start: whom no search has found yet gets no marker.
        followed = self._meant(session)
        for one in followed:
            mark(self._app.state.session(one.session), self._app.effects.files, trigger)
        # Those who are there now: who has taken a place since, with other settings, may have looked before the marker came.
        for one in self._meant(session):
            one.worker.wake(trigger)
        if session is None:
            self._find_now.set()
        return len(followed)

    def _meant(self, session: Session | None) -> list[Followed]:
        return [self.sessions.get(session)] if session else self.sessions.all()

    def wake_all(self, trigger: str) -> list[Woken]:
        """Wake every session and wait for its cycle. Whoever follows breaks must outlive what goes wrong here."""
        try:
            return [_woken(wake) for wake in self.sessions.wake_all(trigger)]
        except (NoSuchHost, TooMany) as error:  # The settings have changed meanwhile, or this is the end.
            return [Woken(Session("", "a session"), None, str(error))]

    def _cycle(self, session: Session, take: Callable[[], Sequence[str]]) -> Woken:
        app = self._app
        try:
            return cycle_for(app, session, take, self._news.is_news)
        except Expected as error:
            return Woken(session, None, str(error))
        except OSError as error:
            return Woken(session, None, describe_os_error(error))
        except Exception as error:
            app.warn(f"a cycle of {session.address} broke: {describe(error)}")
            raise

    # What it says of itself.

    def count_ask(self) -> None:
        self._asked = next(self._asks) + 1

    def status(self) -> dict[str, Any]:
        """docs/reference/serve-protocol.md has a table of it."""
        app, now_ms = self._app, self._app.effects.clock.wall_ms()
        sessions = self.sessions.all()
        problem = self._settings_problem or None
        call = app.configuration.call
        return {
            "v": 1,
            "pid": app.effects.processes.own().pid,
            "version": __version__,
            "protocol": PROTOCOL,
            "started_ms": self._started_ms,
            "uptime_s": round((now_ms - self._started_ms) / 1000),
            "state": str(app.state.root),
            "address": self.address,
            "hosts": self._hosts(),
            "sessions": [_session_status(followed) for followed in sessions],
            "breaks": self._breaks.status(),
            "settings": {"file": str(self._settings.path), "loaded_ms": self._loaded_ms, "problem": problem},
            "given_up": call.given_up if isinstance(call, Bounded) else {},
            "left_out": dict(app.configuration.left_out),
            "counts": {
                "wakes": sum(followed.worker.tally.wakes for followed in sessions),
                "cycles": sum(followed.worker.tally.cycles for followed in sessions),
                "asks": self._asked,
            },
        }

    def _hosts(self) -> list[dict[str, Any]]:
        silent = self.sessions.silences.all()
        return [
            {"name": name, "state": "gives no answer", "back_off_s": FIND_S, **asdict(silent[name])}
            if name in silent
            else {"name": name, "state": "answers"}
            for name in self._app.sources
        ]

    def _make_door(self) -> Door:
        choice = {} if self._tcp is None else {"tcp": self._tcp}
        handle = Desk(self).handle
        return Door(self._app.state, self._app.effects, handle, self._app.warn, **choice)


def prepared(app: App) -> App:
    """All that threads share, made before they ask for it. Raises SettingsError."""
    give_another_chance(app.configuration.call)
    for part in ("state", "log", "journal", "holds", "context", "sources", "controller"):
        getattr(app, part)
    return app


def collect_seldom() -> None:
    """What is loaded by now stays, and the values of a cycle are freed by their counts: looking for circles among
    them took a quarter of a cycle over a thousand panes.
    """
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER, 10, 20)


def remembered(app: App) -> Iterator[Session]:
    """Sessions that the state folder knows."""
    files = app.effects.files
    for key in files.names(app.state.sessions):
        with contextlib.suppress(Broken):
            found = load(files, app.state.session_by_key(key).description) or {}
            if isinstance(found.get("host"), str) and isinstance(found.get("address"), str):
                yield Session(found["host"], found["address"])


def _session_status(followed: Followed) -> dict[str, Any]:
    tally, following = followed.worker.tally, followed.follower.following
    return {
        "host": followed.session.host,
        "address": followed.session.address,
        "name": followed.session.name or None,
        "watch": following.state,
        "watch_problem": following.problem or None,
        "back_off_s": following.back_off_s,
        "watch_ended": following.ended,
        "since_ms": following.since_ms,
        "again_ms": following.again_ms,
        "wakes": tally.wakes,
        "cycles": tally.cycles,
        "last_cycle_ms": tally.at_ms,
        "took_ms": tally.took_ms,
        "error": tally.error or None,
    }


def _woken(wake: Wake) -> Woken:
    wake.done.wait(WAKE_WITHIN_S)
    return wake.woken or Woken(Session("", "a session"), None, "no cycle has come")
