"""One session with agents that speak the mailbox, a host that the test moves, and the controller between them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attention_policies.allowed import Allowed
from attention_policies.focused import Focused, FocusedSettings
from attention_policies.holds import Holds as HoldsPolicy
from attention_policies.origin import Origin

from attention_framework import AgentState, MailboxTransport, Observation, Outcome
from attention_framework.bounded import Inline
from attention_framework.cycle import AgentStrategies, Controller, Strategies
from attention_framework.cycle.steps import Stopwatch
from attention_framework.holds import Holds
from attention_framework.state.folder import StateFolder
from attention_framework.testing import SESSION, FakeAgent, FakeContext, FakeHost, Memory, pane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import CycleReport, Decision, Pane, Policy

STATUSES = frozenset(("idle", "working", "done"))


class StatusDetector:
    """Believes the status file, as an agent's own detector does."""

    name = "fake-status"

    def observe(self, pane: Pane) -> Observation:
        said = pane.hello
        if said is None or said.state not in ("running", "braked", "paused"):
            return Observation(AgentState.UNKNOWN, "no hello" if said is None else f"it says {said.state}")
        if said.state == "braked":
            return Observation(AgentState.BRAKED, "it says that it is braked", calls=said.calls)
        if not said.paused:
            return Observation(AgentState.RUNNING, "it says that it runs")
        state = AgentState.PAUSING if said.calls else AgentState.PAUSED
        return Observation(
            state, "it says so", said.by == "person", said.engagement, frozenset(said.runs), said.calls
        )


class Mailbox(MailboxTransport):
    name = "fake-mailbox"
    nudge = "f12"
    report_unconfirmed_after_s = 10.0


def policies(resume: str = "manual") -> list[Policy]:
    context = FakeContext()
    focused = Focused(FocusedSettings(resume=resume), context)
    return [HoldsPolicy(None, context), Allowed(None, context), Origin(None, context), focused]


class World:
    """Three panes, the first of them focused; agents live in the first two."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.effects = memory.effects
        self.disk = memory.disk
        self.clock = memory.clock
        self.host = FakeHost(pane("w1:p1"), pane("w1:p2"), pane("w1:p3", agent=None))
        self.host.focus("w1:p1")
        self.state = StateFolder(Path("/state"))
        self.folder = self.state.session(SESSION)
        self.said: list[str] = []
        self.wakes: list[str] = []
        self.agents: dict[str, FakeAgent] = {}
        self.context = FakeContext(self.effects, self.state.root, controls={"fake": self.host})
        self.transports: list[Any] = [Mailbox(None, self.context)]
        self.policies = policies()
        self.statuses = STATUSES
        self.detectors: list[Any] = [StatusDetector()]
        self.settle_ms = 0
        self.away_counts = False
        self.holds = Holds(self.state, self.effects.files, self.said.append)

    def agent(self, pane_id: str, pid: int, parent: int = 1) -> FakeAgent:
        """An agent that has said hello, in whatever pane it believes to be."""
        agent = FakeAgent(self.effects, self.state.root, SESSION, pane_id, pid, self.wakes.append)
        self.agents[pane_id] = agent.start(self.memory.processes, parent)
        return agent

    @property
    def controller(self) -> Controller:
        agents = {"omp": AgentStrategies(self.statuses, self.transports, self.detectors)}
        strategies = Strategies(self.policies, agents)
        report = self.said.append
        return Controller(
            *(self.state, self.effects, strategies, self.holds, Inline(report), report),
            settle_ms=self.settle_ms,
            away_counts=self.away_counts,
        )

    def cycle(self, trigger: str = "test") -> CycleReport:
        return self.controller.cycle(self.host, SESSION, trigger, Stopwatch(self.clock))

    def decisions(self) -> dict[str, Decision]:
        report = self.cycle()
        assert not report.failed, report.error
        return {decision.pane: decision for decision in report.decisions}

    def outcomes(self) -> dict[str, Outcome]:
        return {name: decision.outcome for name, decision in self.decisions().items()}

    def settle(self) -> None:
        """Agents look and cycles run until nobody wants to tell anybody anything."""
        for _ in range(20):
            self.wakes.clear()
            self.cycle()
            for agent in self.agents.values():
                agent.look()
            if not self.wakes:
                return
        raise AssertionError("it never becomes quiet")

    def files(self, folder: Path) -> list[str]:
        return self.effects.files.names(folder)

    def change(self, pane_id: str, **changes: Any) -> None:
        """What the host says of a pane from now on."""
        entry = self.host.panes[pane_id]
        entry.pane = replace(entry.pane, **changes)

    def use(self, *chosen: Policy) -> None:
        self.policies = list(chosen)


class Says:
    """A policy that says the same of every pane."""

    def __init__(self, verdict: Any, name: str = "says") -> None:
        self.name = name
        self._verdict = verdict

    def judge(self, pane: Pane, view: Any) -> Any:
        if isinstance(self._verdict, BaseException):
            raise self._verdict
        return self._verdict


class FakeTransport:
    """Answers what it was told to, and keeps what it was asked."""

    def __init__(self, name: str, answer: Any, **attributes: Any) -> None:
        self.name = name
        self.answer = answer
        self.asked: list[Sequence[str]] = []
        self.resumed: list[str] = []
        for attribute, value in attributes.items():
            setattr(self, attribute, value)

    def request_pause(self, pane: Pane, request: Any) -> Any:
        self.asked.append(tuple(run.id for run in request.runs))
        return self._answer()

    def request_resume(self, pane: Pane, engagement: str) -> Any:
        self.resumed.append(engagement)
        return self._answer()

    def _answer(self) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@pytest.fixture
def empty_world(memory: Memory) -> World:
    """Nobody has said hello."""
    return World(memory)


@pytest.fixture
def world(empty_world: World) -> World:
    """An agent in each of the first two panes, and a first cycle behind them."""
    empty_world.agent("w1:p1", 101)
    empty_world.agent("w1:p2", 102)
    empty_world.settle()
    return empty_world


@pytest.fixture
def says() -> type[Says]:
    return Says


@pytest.fixture
def fake_transport() -> type[FakeTransport]:
    return FakeTransport


@pytest.fixture
def give_back() -> list[Policy]:
    """The policies with `resume = "own"`."""
    return policies(resume="own")
