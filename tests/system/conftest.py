"""A person, agents, a break driver and controllers that die, in an order that a seed gives.

The controller and its wake-ups are the real ones, on a disk in memory. Between any two steps of a cycle on
that disk somebody else may take a step.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attention_policies.focused import Focused, FocusedSettings
from attention_policies.holds import Holds as HoldsPolicy

from attention_framework import AgentState, MailboxTransport, Observation
from attention_framework.bounded import Inline
from attention_framework.cycle import AgentStrategies, Controller, Strategies
from attention_framework.cycle.steps import Stopwatch
from attention_framework.holds import Holds
from attention_framework.single_flight import fly, mark
from attention_framework.state.folder import StateFolder
from attention_framework.testing import SESSION, Crash, FakeAgent, FakeContext, FakeHost, Memory, hold, pane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from attention_framework import Pane
    from attention_framework.effects import Effects

STATE = StateFolder(Path("/state"))
FOLDER = STATE.session(SESSION)
PANES = ("a", "b", "c")


class StatusDetector:
    name = "fake-status"

    def observe(self, pane: Pane) -> Observation:
        said = pane.hello
        if said is None:
            return Observation(AgentState.UNKNOWN, "no hello")
        state = AgentState.PAUSED if said.paused else AgentState.RUNNING
        return Observation(state, "it says so", said.by == "person", said.engagement, frozenset(said.runs))


class Mailbox(MailboxTransport):
    name = "fake-mailbox"


class Player:
    """An agent with what its terminal has still to tell it."""

    def __init__(self, agent: FakeAgent) -> None:
        self.agent = agent
        self.reports = 0
        """Proofs of the person's presence that it has not read yet."""
        self.steps: Iterator[str] | None = None

    def step(self) -> str:
        """One step of what the extension does; the step that it has taken."""
        if self.reports:
            self.reports -= 1
            self.agent.attend()
            return "attended"
        self.steps = self.steps or self.agent.looking()
        name = next(self.steps, "")
        if not name:
            self.steps = None
        return name

    def drop(self) -> None:
        """The person's hand ends what was being worked on."""
        self.steps = None


class World:
    def __init__(self, seed: int, crashes: bool = True) -> None:
        self.dice = random.Random(seed)
        self.memory = Memory()
        self.crashes = crashes
        self.trace: list[str] = []
        self.pids = 100
        self.breaks = 0
        self.inside = False
        self.host = FakeHost(*(pane(name) for name in PANES))
        self.host.focus("a")
        self.holds = Holds(STATE, self.memory.files, self.said)
        self.players = {name: self.start(name) for name in PANES}
        self.memory.disk.on_operation = self.between

    def said(self, sentence: str) -> None:
        if "Crash" not in sentence:  # A strategy in which the process has died.
            raise AssertionError(f"nothing is broken here: {sentence}")

    def start(self, name: str) -> Player:
        self.pids += 1
        agent = FakeAgent(self.memory.effects, STATE.root, SESSION, name, self.pids, self.wake)
        return Player(agent.start(self.memory.processes))

    def wake(self, why: str) -> None:
        mark(FOLDER, self.memory.files, why)

    @property
    def woken(self) -> bool:
        return bool(self.memory.files.names(FOLDER.wake))

    # What happens.

    def act(self) -> None:
        """One step of anybody."""
        name, what = self.dice.choice(self.possible())
        self.trace.append(name)
        what()

    def possible(self) -> list[tuple[str, Callable[[], object]]]:
        agents: list[tuple[str, Callable[[], object]]] = [
            (f"agent {name}", lambda name=name: self.agent_step(name)) for name in PANES
        ]
        cycles: list[tuple[str, Callable[[], object]]] = [("cycle", self.cycle)] if self.woken else []
        return [*agents * 3, *cycles * 4, *self.persons(), *self.drivers()]

    def persons(self) -> list[tuple[str, Callable[[], object]]]:
        found: list[tuple[str, Callable[[], object]]] = [
            (f"focus {name}", lambda name=name: self.focus(name)) for name in PANES
        ]
        front = self.players[self.front]
        found.append(("types", lambda: setattr(front, "reports", front.reports + 1)))
        if front.agent.paused:
            found.append(("resumes", lambda: self.by_hand(front, front.agent.resume_by_hand)))
        else:
            found.append(("pauses", lambda: self.by_hand(front, front.agent.pause_by_hand)))
        return found

    def drivers(self) -> list[tuple[str, Callable[[], object]]]:
        found: list[tuple[str, Callable[[], object]]] = [
            ("clock", lambda: self.memory.clock.advance(self.dice.choice([5, 500, 20_000]))),
            ("clock back", lambda: self.memory.clock.set_wall(self.memory.clock.wall_ms() - 3_600_000)),
            ("break begins", self.begin_break),
        ]
        found += [(f"{one.run} ends", lambda run=one.run: self.end_break(run)) for one in self.holds.all()]  # type: ignore[misc]
        if self.crashes:
            name = self.dice.choice(PANES)
            found.append((f"agent {name} dies", lambda: self.die(name)))
        return found

    @property
    def front(self) -> str:
        return next(iter(self.host.focused))

    def focus(self, name: str) -> None:
        if name != self.front:
            self.players[name].reports += 1
            self.host.focus(name)
            self.wake("pane.focused")

    def by_hand(self, player: Player, what: Callable[[], None]) -> None:
        player.drop()
        what()

    def begin_break(self) -> None:
        self.breaks += 1
        now_ms = self.memory.clock.wall_ms()
        self.holds.take(hold(f"b-{self.breaks}", started_ms=now_ms, deadline_ms=now_ms + 60_000))
        self.wake("break")

    def end_break(self, run: str) -> None:
        self.holds.release(run)
        self.wake("break")

    def die(self, name: str) -> None:
        self.memory.processes.end(self.players[name].agent.pid)
        self.players[name] = self.start(name)

    def agent_step(self, name: str) -> None:
        player = self.players[name]
        person_paused = player.agent.by == "person"
        step = player.step()
        if step == "rechecked" and player.agent.paused:
            self.check_late(name, player)
        assert not person_paused or player.agent.by == "person", "a pause of the person's was undone"

    def check_late(self, name: str, player: Player) -> None:
        """A pause that has just begun, where nothing stands and the agent knows it."""
        held = {one.run for one in self.holds.in_force(self.memory.clock.wall_ms())} - set(
            player.agent.waived
        )
        assert held or name != self.front or player.reports, f"late pause of {name}"

    # Cycles.

    def cycle(self) -> None:
        """A controller process, from the lock to its end, or to its death."""
        if self.inside:
            return
        effects = self.memory.process()
        if self.crashes and self.dice.random() < 0.15:
            self.memory.disk.faults.crash_before(self.dice.randint(1, 60))
        self.inside = True
        try:
            self.run(effects)
        except Crash:
            self.trace.append("controller dies")
        finally:
            self.inside = False
            self.memory.disk.faults.clear()

    def run(self, effects: Effects) -> None:
        controller = self.controller(effects)

        def cycle(triggers: Sequence[str]) -> tuple[Any, bool]:
            report = controller.cycle(self.host, SESSION, ", ".join(triggers), Stopwatch(effects.clock))
            assert not report.failed, report.error
            return report, True

        names = effects.files.names(FOLDER.wake)
        if names:
            fly(FOLDER, FOLDER.wake / names[0], effects.files, effects.clock, cycle)

    def controller(self, effects: Effects) -> Controller:
        context = FakeContext(effects, STATE.root, controls={"fake": self.host})
        policies: list[Any] = [HoldsPolicy(None, context), Focused(FocusedSettings(), context)]
        agents = {"omp": AgentStrategies(frozenset(), [Mailbox(None, context)], [StatusDetector()])}
        holds = Holds(STATE, effects.files, self.said)
        call = Inline(self.said)
        return Controller(STATE, effects, Strategies(policies, agents), holds, call, self.said)

    def between(self, operation: str, path: Path) -> None:
        """Before a step of a cycle on the disk somebody else may go first."""
        if self.inside and self.dice.random() < 0.05:
            disk, faults = self.memory.disk, self.memory.disk.faults
            held = (faults._before, faults.count)
            disk.on_operation, faults._before = None, None
            try:
                self.act()
            finally:
                disk.on_operation = self.between
                if held[0] is not None:  # The death meant is the controller's: others' steps do not count.
                    faults._before = held[0] + faults.count - held[1]

    # Its end.

    def settle(self) -> None:
        """Nothing happens any more but what must follow."""
        for _ in range(60):
            before = self.state()
            for player in self.players.values():
                while player.reports or player.step():
                    if player.reports:
                        player.step()
            if self.woken:
                self.crashes = False
                self.cycle()
            elif self.state() == before:
                return
        raise AssertionError("it never becomes quiet")

    def state(self) -> dict[Path, bytes]:
        return dict(self.memory.disk.content)

    def check(self) -> None:
        held = {one.run for one in self.holds.in_force(self.memory.clock.wall_ms())}
        for name, player in self.players.items():
            agent = player.agent
            due = held - set(agent.waived) or name != self.front
            assert agent.paused or not due, f"lost pause of {name}: {held - set(agent.waived)}"
            left = self.memory.files.names(agent.mailbox)
            assert set(left) <= ({"ack.json"} if agent.paused else set()), f"{name} keeps {left}"
        files = set(self.memory.files.names(FOLDER.agents))
        assert files == {f"{player.agent.file}.json" for player in self.players.values()}
        assert self.memory.disk.locks == {}


@pytest.fixture
def world_of() -> type[World]:
    return World
