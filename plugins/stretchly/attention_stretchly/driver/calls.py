"""When to call Stretchly's command line.

One call asks for one break. If Stretchly was not running, the call only starts it and asks for nothing, so it has to be
called again. Two calls, also of two drivers, must not come too close to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Context, Lock

    from .launch import Call, Launcher
    from .own import OwnBreak

LOCK: Final = "stretchly-call.lock"
"""The name of a file in the state folder. Only the driver that has locked this file may call Stretchly. The system frees the
lock when that driver dies.
"""
APART_MS: Final = 2_000
"""A driver keeps the lock so long after its call. Stretchly 1.17 to 1.22 crash if they are called twice within a second, and a
scheduler may start two drivers in the same minute.
"""
PATIENCE_MS: Final = 6_000
"""A driver that has waited so long for the lock calls all the same: the one that holds it must be hanging."""
AGAIN_AFTER_MS: Final = 3_000
"""If the call has started Stretchly, it ignores the command in that call. It is called again so long after it has written to
its log that it starts: by then it is ready.
"""
MOST: Final = 3
"""How many times one driver calls Stretchly."""


class Calls:
    """The calls of one driver. The driver asks `is_time` again and again, calls `call` when that is true, and at the end
    `release`.
    """

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
        """How many starts of Stretchly it has reacted to; compared with `OwnBreak.app_starts`."""
        self._app_started_ms: float | None = None

    @property
    def made(self) -> bool:
        """Whether Stretchly has been called at least once."""
        return bool(self._made)

    @property
    def since_last_ms(self) -> float:
        """Milliseconds since the last call, or since Stretchly has written to its log that it received the call, if that was
        later: only then it begins to prepare the break. 0 before the first call.
        """
        return self._clock.monotonic_ms() - max(self._asked_ms, self._heard_ms) if self._made else 0.0

    def listen(self, own: OwnBreak) -> None:
        """Note the time if the log says, for the first time now, that Stretchly has received a call."""
        if own.heard > self._heard:
            self._heard, self._heard_ms = own.heard, self._clock.monotonic_ms()

    @property
    def failed(self) -> int | None:
        """The exit code of a call that has failed, such as 1; None if none has."""
        return next((code for code in [call.failed() for call in self._made] if code), None)

    def is_time(self, own: OwnBreak) -> bool:
        """Whether to call Stretchly now. If so, this driver has the lock from now on (see `LOCK`)."""
        if self._lock is not None and self._clock.monotonic_ms() - self._asked_ms >= APART_MS:
            self.release()
        self._due = self._due or self._is_unheard(own)
        return self._due and self._take_turn()

    def call(self) -> None:
        """Call Stretchly, and do not wait for the end of the call. Raises OSError if the program cannot be started, and
        ValueError for words that cannot be given to a program, such as one with a null character.
        """
        self._due = False
        self._asked_ms = self._clock.monotonic_ms()
        self._made.append(self._launch(self._command))

    def release(self) -> None:
        """Let go of the lock, if this driver has it."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _take_turn(self) -> bool:
        if self._lock is None:
            try:
                self._lock = self._effects.files.try_lock(self._path)
            except OSError:
                return True  # If the lock file cannot be made, for instance on a full disk, call without it.
        return self._lock is not None or self._has_waited_enough()

    def _has_waited_enough(self) -> bool:
        return self._clock.monotonic_ms() - self._began_ms >= PATIENCE_MS

    def _is_unheard(self, own: OwnBreak) -> bool:
        """Whether Stretchly has ignored the last call, because that call has started it, and is ready for another one."""
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
