"""When Stretchly is called: once, again if the call has only started it, and never close to another call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Context, Lock

    from .launch import Call, Launcher
    from .own import OwnBreak

LOCK: Final = "stretchly-call.lock"
"""In the state folder. It is free again when its holder dies."""
APART_MS: Final = 2_000
"""Stretchly 1.17 to 1.22 die of two calls within a second, and two drivers may be started by the same minute."""
PATIENCE_MS: Final = 6_000
"""Whoever has the turn for longer hangs."""
AGAIN_AFTER_MS: Final = 3_000
"""A Stretchly that was started by the call ignores what it was called with. It is called again so long after its
first line.
"""
MOST: Final = 3


class Calls:
    """The calls of one driver."""

    def __init__(self, context: Context, command: Sequence[str], launcher: Launcher) -> None:
        self._effects = context.effects
        self._clock = context.effects.clock
        self._path = context.state / LOCK
        self._lock: Lock | None = None
        self._command = command
        self._launch = launcher
        self._made: list[Call] = []
        self._due = True
        self._began_ms = self._clock.monotonic_ms()
        self._asked_ms = self._clock.monotonic_ms()
        self._heard, self._heard_ms = 0, 0.0
        self._app_starts = 0
        """So many starts of Stretchly have been dealt with."""
        self._app_started_ms: float | None = None

    @property
    def made(self) -> bool:
        return bool(self._made)

    @property
    def since_last_ms(self) -> float:
        """0 before the first. A call counts anew when Stretchly has written that it was heard: from then on the
        break has to begin.
        """
        return self._clock.monotonic_ms() - max(self._asked_ms, self._heard_ms) if self._made else 0.0

    def listen(self, own: OwnBreak) -> None:
        if own.heard > self._heard:
            self._heard, self._heard_ms = own.heard, self._clock.monotonic_ms()

    @property
    def failed(self) -> int | None:
        """Exit code of one that has failed."""
        return next((code for code in [call.failed() for call in self._made] if code), None)

    def is_time(self, own: OwnBreak) -> bool:
        """Whether to call now. The turn is ours from then on."""
        if self._lock is not None and self._clock.monotonic_ms() - self._asked_ms >= APART_MS:
            self.release()
        self._due = self._due or self._is_unheard(own)
        return self._due and self._take_turn()

    def call(self) -> None:
        """Raises OSError, and ValueError for words that no program can be given."""
        self._due = False
        self._asked_ms = self._clock.monotonic_ms()
        self._made.append(self._launch(self._command))

    def release(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _take_turn(self) -> bool:
        if self._lock is None:
            try:
                self._lock = self._effects.files.try_lock(self._path)
            except OSError:
                return True  # A full disk is no reason to call nobody.
        return self._lock is not None or self._has_waited_enough()

    def _has_waited_enough(self) -> bool:
        return self._clock.monotonic_ms() - self._began_ms >= PATIENCE_MS

    def _is_unheard(self, own: OwnBreak) -> bool:
        """The call has started Stretchly, which has had the time to get ready."""
        now_ms = self._clock.monotonic_ms()
        if own.asked or own.begun:
            self._app_started_ms = None
        elif own.app_starts > self._app_starts:
            self._app_starts, self._app_started_ms = own.app_starts, now_ms
        if self._app_started_ms is None or len(self._made) == MOST:
            return False
        if now_ms - self._app_started_ms < AGAIN_AFTER_MS:
            return False
        self._app_started_ms = None
        return True
