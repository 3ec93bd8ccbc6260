"""Questions that wait: `attention gate` with its own code, and hooks that know the protocol and ask for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.client.thin_client import BOUND_S, Unanswered
from attention_framework.client.thin_gate import Outside
from attention_framework.gate import wait_at
from attention_framework.seats import Seat
from attention_framework.testing import SESSION
from attention_framework.testing.invariants import violated
from attention_framework.testing.served_invariants import ALWAYS_ASKED, ASKED_AT_REST, Asked

from .stage import PANES, Act, Stage

if TYPE_CHECKING:
    from attention_framework.effects import Effects

    from .scheduler import Process
    from .serving import Exchange

MOST = 3
"""Questions at once: one more than have a place to wait."""

LOOKED_MS = 1_000
"""So often everybody who stays looks for holds that are over, and has a cycle then."""


class Question:
    """One agent waits for an answer."""

    process: Process | None = None
    """Who asks, where it is a program of its own."""

    def __init__(self, name: str, end_ms: float, granted: bool, exchange: Exchange | None = None) -> None:
        self.name = name
        self.end_ms = end_ms
        """When the time is over that it is ready to wait."""
        self.granted = granted
        """There was a moment since it was asked, or asked anew, at which its agent was allowed to run."""
        self.exchange = exchange
        self._said = ""

    @property
    def said(self) -> str:
        return self._said or (self.exchange.verdict(1) if self.exchange else None) or ""

    @said.setter
    def said(self, word: str) -> None:
        self._said = word

    def late_ms(self, settled_ms: float) -> float:
        """When there must be an answer, if nobody has been stopped since then. A controller counts from when it has read
        the question, and the quick client gives it a while more.
        """
        if self.exchange is not None:
            return max(self.end_ms, settled_ms + float(self.exchange.values["wait"]))
        return max(self.end_ms + BOUND_S * 1000, settled_ms)

    @property
    def over(self) -> bool:
        """Also without an answer: then somebody has died."""
        asker = self.exchange or self.process
        return asker is not None and asker.over


class Asks(Outside):
    """How `attention gate` meets the controller and the clock of this world."""

    def __init__(self, world: Questions, gate: Question) -> None:
        self._world = world
        self._gate = gate

    def exchange(  # type: ignore[override]
        self, state: str, verb: str, fields: list[tuple[str, bytes]], bound_s: float, heard_s: float
    ) -> tuple[list[bytes], int]:
        world, gate = self._world, self._gate
        values = {name: value.decode() for name, value in fields if name not in ("host", "address")}
        exchange = world.request(verb, **values)
        gate.granted = world.may_go_on(gate.name)
        if exchange is not None:
            end_ms = world.now_ms + float(values["wait"])
            world.questions.append(Question(gate.name, end_ms, gate.granted, exchange))
            world.clock.wait_until(lambda: exchange.over, bound_s * 1000)
        if exchange is None or exchange.code is None:
            gate.granted = world.may_go_on(gate.name)  # It judges by itself now.
            raise Unanswered
        return [line.encode() for line in exchange.lines[:-1]], exchange.code

    def monotonic(self) -> float:  # type: ignore[override]
        return self._world.now_ms / 1000

    def sleep(self, duration_s: float) -> None:  # type: ignore[override]
        self._world.clock.sleep_ms(duration_s * 1000)


class Questions(Stage):
    """A part of `World`."""

    def askers(self) -> list[Act]:
        if len(self.questions) >= MOST:
            return []
        found: list[Act] = [("an agent is at a gate", self.at_gate)]
        if self.server is not None and self.server.listens:
            found.append(("a hook asks for long", self.asks_for_long))
        return found

    def at_gate(self) -> None:
        name, wait_s = self.dice.choice(PANES), self.dice.choice([0.0, 0.3, 3.0, 12.0])
        gate = Question(name, self.now_ms + wait_s * 1000, False)
        seat = Seat(SESSION, self.players[name].extension.pane)

        def body(effects: Effects) -> None:
            app = self.app(effects)
            gate.end_ms = self.now_ms + wait_s * 1000
            answer, _ = wait_at(app, [seat], "tool", wait_s, Asks(self, gate))
            gate.said = answer

        gate.process = self.process("gate", body)
        gate.process.stays = True
        self.questions.append(gate)

    def asks_for_long(self) -> None:
        """Not in pieces, as the quick client does."""
        name, wait_ms = self.dice.choice(PANES), self.dice.choice([2_000, 60_000, 3_600_000])
        values = {"pane": self.players[name].extension.pane, "question": "1", "event": "hook"}
        exchange = self.request("ask", **values, wait=str(wait_ms))
        question = Question(name, self.now_ms + wait_ms, self.may_go_on(name), exchange)
        self.questions.append(question)

    def may_go_on(self, name: str) -> bool:
        """By what anybody can know who judges: a person's resume is the agent's own knowledge."""
        return self.may_run(self.players[name])

    def check_questions(self, rests: bool) -> None:
        """`rests`: nobody is stopped, and nothing happens but what must follow."""
        for question in self.questions:
            said = question.said
            self.insist(violated(Asked(said, question.granted), ALWAYS_ASKED), question.name)
            question.granted = question.granted or self.may_go_on(question.name)
            if rests and not question.over:
                over_ms = self.now_ms - question.late_ms(self.settled_ms)
                self.insist(violated(Asked(over_ms=over_ms), ASKED_AT_REST), question.name)
        self.questions = [one for one in self.questions if not one.over]

    def just_over(self) -> bool:
        """The deadline of a hold has come since somebody last looked."""
        now_ms = self.clock.wall_ms()
        return any(0 <= now_ms - deadline_ms < LOOKED_MS for _, deadline_ms in self.holds_there())

    def check_who_waits(self) -> None:
        """When all is at rest. An agent that has not heard of the person's return has told nobody."""
        for question in self.questions:
            player = self.players[question.name]
            unheard = self.ways.away == "pause" and player.extension.away
            allowed = not unheard and not self.wanted(player, self.ways) and not self.just_over()
            self.insist(violated(Asked(question.said, allowed=allowed), ASKED_AT_REST), question.name)
