"""The three subscriptions of a session.

The focus has a connection of its own: a status subscription makes Herdr ask around before each look (facts
read in 0.8.2: `api/subscriptions.rs`), and what it finds must not delay the focus. Statuses can be subscribed
to pane by pane only, so that stream follows the agents that the other one tells of.

Each such pane costs Herdr ten looks a second, about a hundredth of a core (measured on 0.8.2 by the authors of
herdr-auto-pilot). So there is none where Herdr runs our hooks, which tell of every status for nothing.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from .reading import read_snapshot
from .stream import GONE_AFTER_MS, Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attention_framework import Effects, Session

    from .client import HerdrClient

FOCUS: Final = ("pane.focused",)
PANES: Final = ("pane.agent_detected", "pane.moved", "pane.exited", "pane.closed")
STATUS: Final = "pane.agent_status_changed"


class Watch:
    """Watches one session until `stop` is set or the session is over."""

    def __init__(
        self,
        session: Session,
        client: HerdrClient,
        effects: Effects,
        wake: Callable[[str], None],
        hooks_tell: Callable[[], bool] = lambda: False,
    ) -> None:
        self._session = session
        self._hooks_tell = hooks_tell
        self._client = client
        self._effects = effects
        self._guard = threading.Lock()
        self._wake_unguarded = wake
        self._over = threading.Event()
        self._agents_changed = threading.Event()

    def run(self, stop: threading.Event, gone_after_ms: float = GONE_AFTER_MS) -> None:
        others = [
            threading.Thread(target=self._follow_panes, name="herdr-panes", daemon=True),
            threading.Thread(target=self._follow_statuses, name="herdr-statuses", daemon=True),
        ]
        for thread in others:
            thread.start()
        try:
            Stream(self._client, self._effects, lambda: _plain(FOCUS), self._wake).follow(
                stop, gone_after_ms=gone_after_ms
            )
        finally:
            self._over.set()
            for thread in others:
                thread.join()

    def _follow_panes(self) -> None:
        def wake(reason: str) -> None:
            self._agents_changed.set()
            self._wake(reason)

        Stream(self._client, self._effects, lambda: _plain(PANES), wake).follow(
            self._over, gone_after_ms=float("inf")
        )

    def _follow_statuses(self) -> None:
        stream = Stream(self._client, self._effects, self._status_subscriptions, self._wake)
        stream.follow(self._over, self._agents_changed, gone_after_ms=float("inf"))

    def _status_subscriptions(self) -> Sequence[dict[str, str]] | None:
        if self._hooks_tell():
            return None
        panes = read_snapshot(self._session, self._client.call("session.snapshot")).panes
        return [{"type": STATUS, "pane_id": pane.id} for pane in panes if pane.agent] or None

    def _wake(self, reason: str) -> None:
        with self._guard:
            self._wake_unguarded(reason)


def _plain(kinds: Sequence[str]) -> list[dict[str, str]]:
    return [{"type": kind} for kind in kinds]
