"""One subscription that is opened again whenever it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable

from .pacer import Pacer
from .wire import REPLY_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

    from attention_framework import Connection, Effects

    from .client import HerdrClient

SLICE_S: Final = 0.5
"""A stop is noticed within this time."""
FIRST_BACK_OFF_S: Final = 0.1
"""While one server hands over to the next, the socket is away for a moment."""
MOST_BACK_OFF_S: Final = 5.0
STEADY_MS: Final = 1000.0
"""A subscription that has lasted so long was none that a sick server closes at once, again and again."""
GONE_AFTER_MS: Final = 30_000.0
"""So long without a subscription, and the session counts as over."""


class Stream:
    """Listens to some kinds of events. `subscriptions` is asked before each opening;
    None: there is nothing to listen to now.
    """

    def __init__(
        self,
        client: HerdrClient,
        effects: Effects,
        subscriptions: Callable[[], Sequence[dict[str, str]] | None],
        wake: Callable[[str], None],
    ) -> None:
        self._client = client
        self._clock = effects.clock
        self._subscriptions = subscriptions
        self._wake = wake

    def follow(self, stop: Event, renew: Event | None = None, gone_after_ms: float = GONE_AFTER_MS) -> None:
        """Until `stop`, or until Herdr has not been reached for `gone_after_ms`. When `renew` is set, the
        subscription is opened anew if others are wanted.
        """
        back_off_s, reached_ms = FIRST_BACK_OFF_S, self._clock.monotonic_ms()
        while not stop.is_set():
            began_ms = self._clock.monotonic_ms()
            try:
                lost = self._once(stop, renew)
                reached_ms = self._clock.monotonic_ms()
            except HostUnavailable:
                lost = True
                if self._clock.monotonic_ms() - reached_ms >= gone_after_ms:
                    return
            if not lost or self._clock.monotonic_ms() - began_ms >= STEADY_MS:
                back_off_s = FIRST_BACK_OFF_S
            if lost:
                stop.wait(back_off_s)
                back_off_s = min(back_off_s * 2, MOST_BACK_OFF_S)

    def _once(self, stop: Event, renew: Event | None) -> bool:
        """Whether Herdr has ended the subscription. Raises HostUnavailable if there is none to be had."""
        wanted = self._subscriptions()
        if wanted is None:
            _wait_for_either(renew, stop)
            return False
        with self._client.subscribe(wanted) as connection:
            # What happened while nobody listened was told to nobody.
            self._wake("herdr:subscribed")
            return self._listen(connection, stop, lambda: self._outdated(renew, wanted))

    def _listen(self, connection: Connection, stop: Event, outdated: Callable[[], bool]) -> bool:
        pacer = Pacer(self._wake, self._clock.monotonic_ms())
        while not stop.is_set() and not outdated():
            due_s = pacer.due_in(self._clock.monotonic_ms()) / 1000
            try:
                line = connection.receive_line(max(0.001, min(SLICE_S, due_s)), REPLY_LIMIT)
            except TimeoutError:
                pacer.tick(self._clock.monotonic_ms())
                continue
            except (OSError, ValueError):
                return True
            if not line:
                return True
            pacer.line(f"herdr:{kind_of(line)}", self._clock.monotonic_ms())
        return False

    def _outdated(self, renew: Event | None, wanted: Sequence[dict[str, str]]) -> bool:
        if renew is None or not renew.is_set():
            return False
        renew.clear()
        return self._subscriptions() != wanted


def kind_of(line: bytes) -> str:
    """The kind of an event, with dots. Herdr spells most with underscores on the stream, some with dots."""
    try:
        kind = str(json.loads(line)["event"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return "unreadable event"
    return kind if "." in kind else kind.replace("_", ".", 1)


def _wait_for_either(renew: Event | None, stop: Event) -> None:
    while not stop.is_set() and not (renew is not None and renew.wait(SLICE_S)):
        if renew is None:
            stop.wait(SLICE_S)
    if renew is not None:
        renew.clear()
