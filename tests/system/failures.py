"""What goes wrong, or comes unasked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .stage import PANES, Act, Stage

if TYPE_CHECKING:
    from .player import Player


class Failures(Stage):
    """A part of `World`."""

    def failures(self) -> list[Act]:
        name = self.dice.choice(PANES)
        player = self.players[name]
        found: list[Act] = [
            ("a pane is moved", lambda: self.move(name)),
            ("the terminal is away", lambda: self.terminal(player)),
            ("an agent is stopped", lambda: self.stop(player)),
            ("an agent looks", lambda: self.tick(player, "poll", player.extension.poll)),
            ("the focus is told twice", lambda: self.woken("pane.focused")),
            ("somebody reconciles", lambda: self.alone("command") and None),
        ]
        server = self.server
        if server is not None and server.listens:
            found.append(("all are woken", lambda: server.request("wake", trigger="all", answer="no")))
        if self.memory.clock.wall_ms() > 1_790_000_000_000:
            found.append(("clock back", lambda: self.set_back()))
        for other in self.players.values():
            if other.asks:
                found += self.answers(other, self.dice.choice(sorted(other.asks)))
        once = [one for one in self.turns.processes if not self.server or one.group is not self.server.group]
        if once:
            process = self.dice.choice(once)
            found.append(("stop or go on", lambda: self.toggle(process.group)))
            if self.losses:
                found.append(("controller dies", lambda: self.kill(process)))
        if self.crashes:
            found.append((f"agent {name} dies", lambda: self.die(name)))
        return found

    def answers(self, player: Player, question: int) -> list[Act]:
        found: list[Act] = [("an answer is lost", lambda: player.asks.pop(question))]
        if player.asks[question].over and not player.stopped:
            found += [("an answer comes twice", lambda: self.hears(player, question, again=True))] * 2
        return found

    def move(self, name: str) -> None:
        today = self.ids[name]
        self.ids[name] = f"{name}{len(self.trace)}"
        self.host.move(today, self.ids[name])
        self.attach(self.ids[name])

    def terminal(self, player: Player) -> None:
        """Another program has it, or gives it back."""
        self.acting = "failure"
        if player.extension.terminal_ours:
            self.tick(player, "terminal away", player.extension.terminal_away)
        else:
            self.tick(player, "terminal back", player.extension.terminal_back)
        self.acting = "extension"

    def stop(self, player: Player) -> None:
        player.stopped = not player.stopped

    def set_back(self) -> None:
        """The lease is then too far ahead, or a deadline; the resident controller notices and writes a new one."""
        self.memory.clock.set_wall(self.memory.clock.wall_ms() - 3_600_000)
        self.ended |= set(self.source.going)  # One that was over has not come to its end now.
        self.lease_over_ms = self.set_back_ms = self.now_ms

    def die(self, name: str) -> None:
        """Now, or between two steps on the disk of its next tick."""
        if self.dice.random() < 0.5:
            self.players[name].doomed = True
        else:
            self.dead(name)

    def dead(self, name: str) -> None:
        extension = self.players[name].extension
        extension.files.die()  # type: ignore[attr-defined]
        self.memory.processes.end(extension.pid)
        self.start(name)
