"""Time that passes, and what must follow of itself."""

from __future__ import annotations

from .stage import Act, Stage

STRIDE_MS = 2_500
"""So long a resident controller that is not stopped may do nothing when time passes."""
POLL_MS = 2_000


class Passing(Stage):
    """A part of `World`."""

    def clocks(self) -> list[Act]:
        """Mostly as far as a paint takes; sometimes past every bound."""
        duration_ms = self.dice.choice([1, 5, 12, 12, 12, 260, 600, 2_100, 20_000])
        found: list[Act] = [(f"{duration_ms} ms", lambda: self.pass_time(duration_ms))]
        if any(
            one.extension.phase == "showing" and not one.extension.terminal_ours
            for one in self.players.values()
        ):
            found.append(("agents alone for a second", self.second))
        return found

    def second(self) -> None:
        """As long as a screen has for being painted."""
        until_ms = self.now_ms + 1_100
        while self.now_ms < until_ms:
            for player in list(self.players.values()):
                due_ms = player.extension.next_timer_ms
                if due_ms is not None and due_ms <= self.now_ms and not player.stopped:
                    self.tick(player, "timers", player.extension.run_timers)
            self.pass_time(5)

    def pass_time(self, duration_ms: float) -> None:
        """A resident controller that is not stopped does its work meanwhile, if not at once."""
        end_ms = self.now_ms + duration_ms
        while self.now_ms < end_ms:
            self.clock.advance(min(end_ms - self.now_ms, STRIDE_MS))
            main = self.server.main if self.server else None
            while main is not None and not main.over and main.ready(self.now_ms):
                self.turns.let(main)
            self.look_at_lease()

    def goes_on(self) -> bool:
        self.follow_up()
        ready = self.turns.ready(self.now_ms)
        if ready:
            self.turns.let(ready[0])
            return True
        for player in self.players.values():
            for question in [number for number, one in player.asks.items() if one.over]:
                self.hears(player, question)
                return True
            due_ms = player.extension.next_timer_ms
            if player.queue or (due_ms is not None and due_ms <= self.now_ms):
                self.agent_step(player)
                return True
            if player.extension.ending:
                self.opens(player)
                return True
        return False

    def to_the_next(self, until_ms: float) -> float:
        times = [one.wakes_at_ms for one in self.turns.processes]
        times += [one.extension.next_timer_ms or until_ms for one in self.players.values()]
        times += [one.bound_at_ms for one in self.errands]
        if self.now_ms >= self.polled_ms + POLL_MS:
            self.polled_ms = self.now_ms
            for player in self.players.values():
                self.tick(player, "poll", player.extension.poll)
        return max(1.0, min([*times, self.polled_ms + POLL_MS, until_ms]) - self.now_ms)
