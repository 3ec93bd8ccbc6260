"""The break sources of the settings, followed inside the resident controller as `attention break-watch` does."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from ..bounded import describe
from ..break_watch.followers import Followers
from ..break_watch.keeper import Keeper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..app import App
    from ..kinds import BreakSource
    from ..runner import Woken

LOOK_S = 2.0
"""A watch may miss something."""
TRY_S = 5.0
"""Another process follows: it may have ended since."""
ENDS_WITHIN_S = 20.0


class BreaksFollowed:
    """Whoever has the lock follows: this, or an `attention break-watch`."""

    def __init__(self, app: Callable[[], App], wake_all: Callable[[str], Sequence[Woken]]) -> None:
        self._app = app
        self._wake_all = wake_all
        self._stop = threading.Event()
        self._changed = threading.Event()
        self._followers: Followers | None = None
        self._keeper: Keeper | None = None
        self._elsewhere = False
        self._seen: frozenset[str] = frozenset()
        self._thread = threading.Thread(target=self._run, name="attention-breaks", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def renew(self) -> None:
        """The settings have changed."""
        self._changed.set()
        self._wake()

    def stop(self) -> None:
        """Ends the breaks that it has begun, and waits for that."""
        self._stop.set()
        self._changed.set()
        self._wake()
        self._join(ENDS_WITHIN_S)

    def status(self) -> list[dict[str, Any]]:
        configuration = self._app().configuration
        names, left_out = configuration.settings.breaks.sources, configuration.left_out
        return [
            {"name": name, "state": "left out", "problem": left_out[name]}
            if name in left_out
            else self._status_of(name)
            for name in names
        ]

    def _status_of(self, name: str) -> dict[str, Any]:
        followers, keeper = self._followers, self._keeper
        one = followers.following.get(name) if followers else None
        if one is None or keeper is None:
            state = "followed by another process" if self._elsewhere else "not followed yet"
            return {"name": name, "state": state}
        if (silence := keeper.silences.all().get(name)) is not None:
            about = {"problem": silence.problem, "since_ms": silence.since_ms}
            return {"name": name, "state": "gives no answer", "back_off_s": LOOK_S, **about}
        about = {"problem": one.problem or None, "since_ms": one.since_ms, "again_ms": one.again_ms}
        return {"name": name, "state": one.state, "back_off_s": one.back_off_s, **about}

    def _join(self, timeout_s: float) -> None:
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def _make_followers(self, app: App, sources: Sequence[BreakSource]) -> Followers:
        return Followers(sources, app.warn, app.effects.clock.wall_ms)

    def _wake(self) -> None:
        if (followers := self._followers) is not None:
            followers.wake()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._changed.clear()
            try:
                self._follow_or_wait(self._app())
            except Exception as error:  # Else no break would be followed any more.
                self._app().warn(f"breaks: {describe(error)}")
                self._changed.wait(TRY_S)

    def _follow_or_wait(self, app: App) -> None:
        sources = app.configuration.break_sources(app.context)
        lock = app.effects.files.try_lock(app.state.break_watch_lock) if sources else None
        self._elsewhere = bool(sources) and lock is None
        if lock is None:
            self._changed.wait(TRY_S if sources else None)
            return
        try:
            self._follow(app, sources)
        finally:
            lock.release()

    def _follow(self, app: App, sources: Sequence[BreakSource]) -> None:
        log = app.log.file_only("serve")
        keeper = Keeper(app, sources, lambda line: log.info("{}", line), self._wake_all, self._seen)
        followers = self._make_followers(app, sources)
        self._keeper, self._followers = keeper, followers
        followers.start()
        try:
            while not self._stop.is_set() and not self._changed.is_set():
                keeper.try_reconcile()
                followers.wait(LOOK_S)
        finally:
            self._followers = self._keeper = None
            followers.stop()
            self._seen = keeper.seen
            keeper.release_of(self._left_out({source.name for source in sources}))

    def _left_out(self, names: set[str]) -> set[str]:
        """Those that nobody follows from now on: no agent is to wait for the deadline of their breaks."""
        return (
            names if self._stop.is_set() else names - set(self._app().configuration.settings.breaks.sources)
        )
