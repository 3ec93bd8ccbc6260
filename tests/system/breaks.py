"""Screen breaks, and what is given back at their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attention_framework.breaks import begin, end, give_back
from attention_framework.runner import wake_all

from .errands import COMMAND_WAITS_MS, HEARD_WAITS_MS
from .stage import Act, Stage

if TYPE_CHECKING:
    from attention_framework.effects import Effects


class Breaks(Stage):
    """A part of `World`."""

    def drivers(self) -> list[Act]:
        running = self.in_force()
        found: list[Act] = [("break begins", self.begin_break)] if len(running) < 3 else []
        found += [(f"{run} ends", lambda run=run: self.end_break(run)) for run in running] * 2  # type: ignore[misc]
        return found

    def begin_break(self) -> None:
        self.breaks += 1
        run = f"b-{self.breaks}"
        lasts_ms = self.dice.choice([2_000, 20_000, None])

        def body(effects: Effects) -> None:
            app = self.app(effects)
            begin(app, run, "driver", lasts_ms)
            self.wakes_all(app, "break begins")

        self.process(f"driver of {run}", body)

    def end_break(self, run: str) -> None:
        self.ended.add(run)

        def body(effects: Effects) -> None:
            app = self.app(effects)
            ended = end(app, run)
            if ended is not None:
                give_back(app, ended, self.ways.resume)
            self.wakes_all(app, "break ends")

        self.process(f"end of {run}", body)

    def wakes_all(self, app: Any, trigger: str) -> None:
        """What a command does."""
        exchange = None
        if self.server and self.server.listens:
            exchange = self.server.request("wake", trigger=trigger, count="yes")
        if exchange is not None:
            self.clock.wait_until(lambda: exchange.heard or exchange.over, HEARD_WAITS_MS)
            if exchange.heard:
                self.clock.wait_until(lambda: exchange.over, COMMAND_WAITS_MS)
        if exchange is None or exchange.code is None:
            wake_all(app, trigger)
