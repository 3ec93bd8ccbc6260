"""What a break source tells, and what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.following import FIRST_BACK_OFF_S
from attention_framework.serve.breaks import LOOK_S
from attention_framework.testing.invariants import violated
from attention_framework.testing.served_invariants import ALWAYS_TOLD, TOLD_AT_REST, Told

from .stage import Act, Stage

if TYPE_CHECKING:
    from collections.abc import Callable

FOLLOWS_MS = LOOK_S * 1000 + 1_000
"""So long after a change the holds may not be what the source tells, with nobody stopped."""


class Sources(Stage):
    """A part of `World`."""

    def tellings(self) -> list[Act]:
        source = self.source
        if not self.ways.follows:
            return []
        found: list[Act] = []
        if len(source.going) < 2:
            found.append(("the source tells a break", self.tell_break))
        found += [
            (f"the source ends {run}", lambda run=run: self.tells(lambda: source.end(run)))  # type: ignore[misc]
            for run in sorted(source.going)
        ] * 2
        if source.watchers:
            found.append(("the source dies", source.die))
        if source.answers:
            found.append(("the source tells nonsense", lambda: self.falls_silent(raises=False)))
            found.append(("the source cannot be asked", lambda: self.falls_silent(raises=True)))
        else:
            found.append(("the source is well again", lambda: self.tells(self.answers_again)))
        return found

    def tell_break(self) -> None:
        self.breaks += 1
        run, lasts_ms = f"s-{self.breaks}", self.dice.choice([2_000, 20_000, None])
        self.tells(lambda: self.source.begin(run, lasts_ms))

    def tells(self, what: Callable[[], None]) -> None:
        what()
        self.source.changed()
        if self.dice.random() < 0.8:  # Else the watch misses it.
            self.source.tell("it has changed")

    def falls_silent(self, raises: bool) -> None:
        self.source.answers, self.source.raises = False, raises
        server = self.server
        stays = server is not None and server.is_steady and not server.is_ending and server.ways == self.ways
        self.stood = set(self.in_force()) if stays else set()

    def answers_again(self) -> None:
        self.source.answers = True
        self.stood.clear()

    def check_source(self, rests: bool) -> None:
        """`rests`: nobody is stopped, and nothing happens but what must follow."""
        source, now_ms = self.source, self.clock.wall_ms()
        if not source.latest_ms and not source.died_ms:
            return
        held = {run: until_ms for run, until_ms in self.holds_there() if run in source.latest_ms}
        going = frozenset(run for run in source.going if now_ms < source.latest_ms[run])
        in_force = frozenset(run for run, until_ms in held.items() if now_ms < until_ms)
        told = Told(
            going=going,
            held=in_force,
            dropped=(self.stood & going) - in_force - self.ended,
            ended=frozenset(self.ended),
            overdue=frozenset(run for run, until_ms in held.items() if until_ms > source.latest_ms[run]),
            answers=source.answers,
            follows=rests and self.source_is_followed(),
            hurried=source.soonest_ms < FIRST_BACK_OFF_S * 1000,
        )
        self.insist(violated(told, ALWAYS_TOLD))
        if told.follows and self.server is not None:
            watched = bool(source.watchers) or self.server.resident.breaks.backs_off(source.name)
            self.insist(violated(told._replace(watched=watched), TOLD_AT_REST))

    def source_is_followed(self) -> bool:
        server = self.server
        since_ms = max(self.settled_ms, self.source.changed_ms, self.settings_changed_ms) + FOLLOWS_MS
        if server is None or not server.listens or self.now_ms < since_ms:
            return False
        return server.ways.follows and not server.resident.stopping
