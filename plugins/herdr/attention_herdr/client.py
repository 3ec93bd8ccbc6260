"""A small client for Herdr's socket: one request on each connection,
its bytes ready before the connection is opened.

Herdr answers one line on a connection and closes it. A line that is not there when it first looks costs 100
ms, and it has no time limit of its own (facts read in 0.8.2, `api/server.rs`). So the limits are here.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from attention_framework import HostUnavailable

from .hedge import HEDGE_AFTER_S, READS, first_line
from .wire import REPLY_LIMIT, NotRunning, decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attention_framework import Connection, Effects

TIMEOUT_S = 2.0
LATE = 3.0
NEWEST = 0.2
"""The weight of the latest answer in what is usual."""


class HerdrClient:
    """Talks to one session. Every method raises HostUnavailable,
    PaneGone where the pane or its agent is not there.
    """

    def __init__(
        self,
        address: str,
        effects: Effects,
        timeout_s: float = TIMEOUT_S,
        hedge_after_s: float = HEDGE_AFTER_S,
    ) -> None:
        self.address = address
        self._effects = effects
        self._timeout_s = timeout_s
        self._hedge_after_s = hedge_after_s
        self._usual_s: dict[str, float] = {}
        """How long each method has taken of late: a Herdr that is slow every time has nothing better to give."""

    def call(
        self, method: str, params: dict[str, Any] | None = None, timeout_s: float | None = None
    ) -> dict[str, Any]:
        """The result of a request, within `timeout_s` altogether. One that only reads is asked
        a second time, on another connection, when the answer is late.
        """
        asked, limit_s = self._asked(method), timeout_s or self._timeout_s
        clock = self._effects.clock
        end_ms = clock.monotonic_ms() + limit_s * 1000
        request = encode(method, params or {})

        def left_s() -> float:
            return max(0.001, (end_ms - clock.monotonic_ms()) / 1000)

        with ExitStack() as opened:
            first = opened.enter_context(self._open(method, request, limit_s))

            def again() -> Connection:
                return opened.enter_context(self._effects.sockets.connect(self.address, request, left_s()))

            def receive(timeout_s: float) -> bytes:
                if method not in READS:
                    return first.receive_line(timeout_s, REPLY_LIMIT)
                usual_s = self._usual_s.get(method, 0.0)
                after_s = max(self._hedge_after_s, LATE * usual_s)
                return first_line(first, again, timeout_s, REPLY_LIMIT, after_s)

            line = _received(receive, asked, left_s())
        took_s = limit_s - (end_ms - clock.monotonic_ms()) / 1000
        self._usual_s[method] = took_s * NEWEST + self._usual_s.get(method, took_s) * (1 - NEWEST)
        return decode(line, asked)

    def subscribe(self, subscriptions: Sequence[dict[str, str]]) -> Connection:
        """A connection on which Herdr has begun to send event lines.
        Nothing may be written to it: a byte ends the stream.
        """
        method = "events.subscribe"
        asked = self._asked(method)
        connection = self._open(
            method, encode(method, {"subscriptions": list(subscriptions)}), self._timeout_s
        )
        try:
            line = _received(
                lambda timeout_s: connection.receive_line(timeout_s, REPLY_LIMIT), asked, self._timeout_s
            )
            decode(line, asked)
        except BaseException:
            connection.close()
            raise
        return connection

    def _open(self, method: str, line: bytes, timeout_s: float) -> Connection:
        asked = self._asked(method)
        try:
            return self._effects.sockets.connect(self.address, line, timeout_s)
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError) as error:
            raise NotRunning(f"{asked}: no Herdr is running there") from error
        except TimeoutError as error:
            raise HostUnavailable(f"{asked}: no connection within {timeout_s:g} s") from error
        except OSError as error:
            raise HostUnavailable(f"{asked}: {error}") from error

    def _asked(self, method: str) -> str:
        return f"{method} at {self.address}"


def _received(receive: Callable[[float], bytes], asked: str, timeout_s: float) -> bytes:
    try:
        return receive(timeout_s)
    except TimeoutError as error:
        raise HostUnavailable(f"{asked}: no answer within {timeout_s:.1f} s") from error
    except ValueError as error:
        raise HostUnavailable(f"{asked}: the answer is too long: {error}") from error
    except OSError as error:
        raise HostUnavailable(f"{asked}: the connection broke: {error}") from error
