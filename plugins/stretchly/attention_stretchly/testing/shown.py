"""A model of Stretchly's breaks, as far as its log shows them. It has no clock of its own: it is given one.

How breaks follow each other is from Stretchly's source and public logs. The texts are those of `LogWriter`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..values import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from .electron_log import LogAppender
    from .script import Script

LOADS_MS: Final = 150.0
"""The time from the line `skipping to` to the start of the break."""
POSTPONED_MS: Final = {Kind.MINI: 120_000.0, Kind.LONG: 300_000.0}
"""The time from postponing a break until it starts again."""


@dataclass(slots=True)
class Timer:
    due_ms: float
    act: Callable[[], None]
    kind: Kind


class Shown:
    """The breaks that are on the screen, and those that will start. `now_ms` is the clock. The owner calls `tick` when `next_ms`
    has come.
    """

    def __init__(self, script: Script, log: LogAppender, now_ms: Callable[[], float]) -> None:
        self._script = script
        self._log = log
        self._now_ms = now_ms
        self._shown: dict[Kind, list[Timer]] = {}
        self._starting: list[Timer] = []
        self.over = False
        """Whether the program has been told to quit."""

    def start_app(self) -> None:
        """Write the lines that Stretchly writes when it starts."""
        first = (
            ["initializing...", "loading preferences"]
            if self._script.version >= (1, 6)
            else ["loading settings"]
        )
        for text in first:
            self._say(text)

    @property
    def next_ms(self) -> float | None:
        """When something happens next, by the clock `now_ms`; None if nothing is planned."""
        return min((timer.due_ms for timer in self._timers()), default=None)

    def tick(self) -> None:
        """Do everything whose time has come, in the order of those times."""
        while due := [timer for timer in self._timers() if timer.due_ms <= self._now_ms()]:
            first = min(due, key=lambda timer: timer.due_ms)
            self._drop(first)
            first.act()

    def skip_to(self, kind: Kind, wait_ms: float = 0.0) -> None:
        """Close all breaks, and start one of this kind, at once or after `wait_ms`."""
        later = f" in {wait_ms:.0f}ms" if wait_ms and self._script.version >= (1, 10) else ""
        self._close()
        self._say(f"skipping to {self._name(kind)}{later}")
        self._start_in(kind, wait_ms + LOADS_MS)

    def reset(self) -> None:
        self._close()
        self._say("resetting breaks" if self._script.version >= (1, 10) else "reseting breaks")

    def pause(self, milliseconds: int = 1) -> None:
        self.skip()
        unit = "ms" if self._script.version >= (1, 10) else ""
        self._say(f"pausing breaks for {milliseconds}{unit}")

    def resume(self) -> None:
        self._say("resuming breaks")

    def skip(self) -> None:
        """End the breaks on the screen, as the button in the window does."""
        for kind in list(self._shown):
            self._finish(kind)

    def run_out(self) -> None:
        """Let the time of the breaks on the screen be over now, so that a test need not wait for it."""
        for kind in list(self._shown):
            self._run_out(kind)

    def postpone(self) -> None:
        for kind in list(self._shown):
            del self._shown[kind]
            self._say(f"postponing {self._name(kind)}")
            self._start_in(kind, POSTPONED_MS[kind])

    def quit(self) -> None:
        self.over = True

    def say(self, text: str, level: str = "info") -> None:
        self._say(text, level)

    def _begin(self, kind: Kind) -> None:
        name = self._name(kind)
        if kind in self._shown:
            self._say(f"{name} already running, not starting {name}", "warn")
            return
        if self._script.version >= (1, 16):
            self._say("ready-to-show fired")
        if not self._script.loads:
            return
        if self._script.version >= (1, 16):
            self._say(f"{name} window loaded")
        self._say("showing window 1 of 1")
        self._say(f"starting {self._name(self._log.writer.started_as(kind))}")
        self._shown[kind] = list(self._endings(kind))

    def _endings(self, kind: Kind) -> list[Timer]:
        script = self._script
        lasts = script.mini_ms if kind is Kind.MINI else script.long_ms
        wanted = [
            (lasts, lambda: self._run_out(kind)),
            (script.skip_after_ms, self.skip),
            (script.postpone_after_ms, self.postpone),
            (script.quit_after_ms, self.quit),
        ]
        return [Timer(self._after(ms), act, kind) for ms, act in wanted if ms is not None]

    def _run_out(self, kind: Kind) -> None:
        self._finish(kind)
        if self._script.version >= (1, 14):
            self._say("playing audio/crystal-glass.wav (volume: 1)")

    def _finish(self, kind: Kind) -> None:
        del self._shown[kind]
        self._say(self._log.writer.finishing(self._name(kind), "true").removeprefix("Stretchly: "))

    def _start_in(self, kind: Kind, milliseconds: float) -> None:
        self._starting.append(Timer(self._after(milliseconds), lambda: self._begin(kind), kind))

    def _close(self) -> None:
        self._shown.clear()
        self._starting.clear()

    def _timers(self) -> list[Timer]:
        return [*self._starting, *(timer for timers in self._shown.values() for timer in timers)]

    def _drop(self, timer: Timer) -> None:
        for timers in (self._starting, *self._shown.values()):
            timers[:] = [each for each in timers if each is not timer]

    def _after(self, milliseconds: float) -> float:
        return self._now_ms() + milliseconds / self._script.speed

    def _name(self, kind: Kind) -> str:
        return self._log.writer.name_of(kind)

    def _say(self, text: str, level: str = "info") -> None:
        if not self._script.silent:
            self._log.say(text, level)
