"""What a hook and an extension do to wake the controller: ask the resident one, and where it does not answer have a process
run a cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .scheduler import Process
    from .serving import Exchange

HOOK_WAITS_MS = 3_000.0
"""`BOUND_S` of the thin client."""
HEARD_WAITS_MS = 1_000.0
"""Its `HEARD_S`."""
EXTENSION_WAITS_MS = 1_000.0
COMMAND_WAITS_MS = 12_000.0


class Errand:
    """One wake-up on its way. It has nothing to do with the disk, and needs no process until nobody has answered."""

    def __init__(
        self, exchange: Exchange | None, bound_at_ms: float, alone: Callable[[], Process], accepts: bool
    ) -> None:
        self._exchange = exchange
        self.bound_at_ms = bound_at_ms
        self._alone = alone
        self._accepts = accepts
        """Whether only `end 0` is an answer."""
        self._process: Process | None = None
        self._done = False

    @property
    def over(self) -> bool:
        return self._done or (self._process is not None and self._process.over)

    @property
    def waits(self) -> bool:
        return not self._done and self._process is None

    def look(self, now_ms: float) -> None:
        exchange = self._exchange
        if not self.waits or (exchange and not exchange.over and not self._is_late(exchange, now_ms)):
            return
        code = exchange.code if exchange else None
        if code == 0 or (code is not None and not self._accepts):
            self._done = True
        else:
            self._process = self._alone()

    def _is_late(self, exchange: Exchange, now_ms: float) -> bool:
        unheard = not self._accepts and not exchange.heard
        return now_ms >= self.bound_at_ms or (unheard and now_ms >= exchange.at_ms + HEARD_WAITS_MS)
