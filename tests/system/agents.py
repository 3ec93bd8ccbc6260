"""The agents: what each has still to read, and one tick of it after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.testing import SESSION, Crash
from attention_framework.testing.invariants import (
    WHEN_ASKED,
    WHEN_FINAL,
    WHEN_SAID,
    Scene,
    no_foreign_release,
    violated,
)

from .extension import Extension
from .player import Player
from .stage import STATE, Act, Stage

if TYPE_CHECKING:
    from collections.abc import Callable

LISTENS_MS = 5_010
"""So long an extension waits for an answer that is late."""


class Agents(Stage):
    """A part of `World`."""

    def start(self, name: str) -> Player:
        self.pids += 1
        pid = self.pids
        self.memory.processes.start(pid)
        effects = self.memory.process()
        extension = Extension(
            effects, STATE.root, SESSION, name, pid, lambda why: self.wakes(player, why),
            lambda question, event: self.asked(player, question, event),
        )  # fmt: skip
        player = Player(name, extension)
        player.ran_ms = self.now_ms
        self.players[name] = player
        extension.paused_now = lambda what: self.paused_now(player, what)
        extension.reflex.allowed = lambda why: self.allowed(player, why)
        if self.recorder:
            self.recorder.begin(player)
        self.tick(player, "start", extension.start)
        if name in self.ids and name == self.front and not self.window:
            player.queue.append("O")  # The terminal's answer to the request for focus reports.
        return player

    def attach(self, pane_id: str) -> None:
        """The nudge goes to the agent that is in the pane now."""
        name = next(name for name, today in self.ids.items() if today == pane_id)

        def nudged(_: str) -> None:
            player = self.players[name]
            self.wrong += filter(None, [violated(Scene(settling=self.settling(player)), WHEN_ASKED)])
            player.queue.append("look")

        self.host.panes[pane_id].on_key = nudged

    def agents(self) -> list[Act]:
        """Those that have something to do."""
        found: list[Act] = []
        for player in self.players.values():
            due_ms = player.extension.next_timer_ms
            if not player.stopped and (player.queue or (due_ms is not None and due_ms <= self.now_ms)):
                found.append((f"agent {player.name}", lambda player=player: self.agent_step(player)))  # type: ignore[misc]
            if not player.stopped and player.extension.ending:
                found.append((f"agent {player.name} opens its gate", lambda p=player: self.opens(p)))  # type: ignore[misc]
            found += [
                (
                    f"{player.name} hears {one.verdict(question)}",
                    lambda p=player, q=question: self.hears(p, q),
                )  # type: ignore[misc]
                for question, one in player.asks.items()
                if one.over and not player.stopped
            ]
        return found

    def boundaries(self) -> list[Act]:
        """Agents that are about to call a tool: nobody holds their gate, or another call of theirs waits there already."""
        if self.ways.mode != "strict":
            return []
        return [
            (f"agent {player.name} is before a step", lambda player=player: self.at_boundary(player))  # type: ignore[misc]
            for player in self.players.values()
            if not player.stopped and not player.extension.overlay
        ]

    def at_boundary(self, player: Player) -> None:
        """From here on it may not go on before something allows it."""
        lease = player.extension.reflex.lease()
        if lease is not None and lease.mode == "strict":
            player.promised = True
        self.tick(player, "boundary", player.extension.boundary)

    def agent_step(self, player: Player) -> None:
        extension = player.extension
        due_ms = extension.next_timer_ms
        if due_ms is not None and due_ms <= self.now_ms:
            self.tick(player, "timers", extension.run_timers)
        elif player.queue:
            what = player.queue.pop(0)
            if what in "IKR" and "O" not in player.queue:
                player.unnoticed = False
            if what == "O":
                self.loses(player)
            if what == "R" and extension.overlay:
                player.promised = False
            self.tick(player, f"read {what}", lambda: extension.read(what))
        else:
            self.tick(player, "poll", extension.poll)

    def opens(self, player: Player) -> None:
        """What its pause command does at last, some milliseconds after the key."""
        self.by_hand(player, "resume", player.extension.resume_by_hand)

    def hears(self, player: Player, question: int, again: bool = False) -> None:
        """`again`: it will hear the same once more."""
        exchange = player.asks[question] if again else player.asks.pop(question)
        if self.now_ms - exchange.at_ms > LISTENS_MS:
            return
        reflex, verdict = player.extension.reflex, exchange.verdict(question)
        self.tick(
            player, f"answer {question} {verdict or 'null'}", lambda: reflex.answered(question, verdict)
        )

    def tick(self, player: Player, what: str, act: Callable[[], None]) -> None:
        """One tick of an agent; whether it may let go of its gate in it is for the invariants to say."""
        before, extension = self.scene(player), player.extension
        given = self.recorder.before(player) if self.recorder else {}
        if player.doomed and what != "start":
            self.memory.disk.faults.crash_before(self.dice.randint(1, 8))
        try:
            act()
        except Crash:
            self.trace.append(f"agent {player.name} dies in a tick")
            self.dead(player.name)
            return
        finally:
            self.memory.disk.faults.clear()
        if player.extension.next_timer_ms is None or player.extension.next_timer_ms > self.now_ms:
            player.ran_ms = self.now_ms
        if self.recorder:
            self.recorder.after(player, what, given)
        if before.gate in ("overlay", "person") and extension.gate not in ("overlay", "person"):
            by = "failure" if extension.problem else self.acting
            self.demand(player, no_foreign_release(before, by))

    def by_hand(self, player: Player, what: str, act: Callable[[], None]) -> None:
        self.acting = "person"
        self.tick(player, what, act)
        self.acting = "extension"

    def loses(self, player: Player) -> None:
        """It is about to read the loss of its focus: from here on nothing may start before something allows it."""
        extension = player.extension
        if extension.reflex.lease() is not None:
            player.promised = True

    def allowed(self, player: Player, why: str) -> None:
        word, *rest = why.split()
        if word == "answer":
            verdict, question = rest
            right = int(question) == player.extension.reflex.question and (
                verdict == "unknown" or player.granted
            )
            self.demand(player, "" if right else f"let go by the answer {verdict}, which was never right")
        player.promised = False

    def paused_now(self, player: Player, what: str) -> None:
        scene = self.scene(player)
        self.demand(player, violated(scene, WHEN_FINAL if what == "final" else WHEN_SAID))
