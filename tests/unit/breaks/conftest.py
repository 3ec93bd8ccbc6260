from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.app import App
from attention_framework.commands.main import run
from attention_framework.testing import FakeAgent, FakeHost, Memory, pane
from attention_framework.transports import MailboxTransport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Hello, Observation, Pane


class Mailbox(MailboxTransport):
    name = "mailbox"


class Status:
    name = "status"

    def observe(self, pane: Pane) -> Observation:
        from attention_framework import UNKNOWN, AgentState, Observation

        said: Hello | None = pane.hello
        if said is None:
            return UNKNOWN
        state = AgentState.PAUSED if said.paused else AgentState.RUNNING
        return Observation(
            state, "said", said.by == "person", said.engagement, said.runs if said.paused else frozenset()
        )


@dataclass
class Desk:
    """A person with three agents in one session, and the command line."""

    app: App
    host: FakeHost
    agents: dict[str, FakeAgent]
    memory: Memory
    settings: dict[str, str]

    def run(self, *words: str) -> int:
        self.app.warned.clear()
        code = run(list(words), self.app)
        self.settle()
        return code

    def settle(self) -> None:
        """Let every agent look, and the cycles that they wake run, until nothing changes any more."""
        for _ in range(4):
            for agent in self.agents.values():
                agent.look()

    def focus(self, name: str) -> None:
        self.host.focus(name)
        self.agents[name].attend()
        self.run("reconcile")

    @property
    def paused(self) -> set[str]:
        return {name for name, agent in self.agents.items() if agent.paused}

    @property
    def holds(self) -> set[str]:
        return {hold.run for hold in self.app.holds.all()}


def make_app(memory: Memory, host: FakeHost, resume: str) -> App:
    from attention_policies.focused import Focused
    from attention_policies.holds import Holds as HoldsPolicy

    from attention_framework.bounded import Inline
    from attention_framework.cycle import AgentStrategies, Strategies
    from attention_framework.holds import Holds
    from attention_framework.state.folder import StateFolder
    from attention_framework.testing import FakeContext

    app = App()
    said: list[str] = []
    context = FakeContext(memory.effects, controls={host.name: host})
    folder = StateFolder(Path("/state"))
    policies: Sequence[Any] = [HoldsPolicy(None, context), Focused(Focused.Settings(), context)]
    agent = AgentStrategies(frozenset({"working"}), [Mailbox(None, context)], [Status()])
    app.__dict__.update(
        effects=memory.effects,
        state=folder,
        holds=Holds(folder, memory.effects.files, said.append),
        context=context,
        sources={host.name: host},
        strategies=Strategies(policies, {"omp": agent}),
        configuration=FakeConfiguration(resume, Inline(said.append)),
    )
    return app


class FakeConfiguration:
    """As much of a configuration as the commands of breaks ask for."""

    def __init__(self, resume: str, call: Any) -> None:
        from types import SimpleNamespace

        self.call = call
        self.settings = SimpleNamespace(
            breaks=SimpleNamespace(resume=resume),
            focus=SimpleNamespace(settle_ms=0),
            reflex=SimpleNamespace(away="ignore"),
            log=SimpleNamespace(level="INFO"),
        )
        self.plugins = SimpleNamespace(call_each=lambda hook, **arguments: [])
        self.observers = lambda context: []


@pytest.fixture
def desk(memory: Memory, request: pytest.FixtureRequest) -> Desk:
    """`a` has the focus, `b` and `c` have not.
    `@pytest.mark.parametrize("desk", ["own"], indirect=True)` sets `breaks.resume`.
    """
    host = FakeHost(*(pane(name, label=name) for name in "abc"))
    app = make_app(memory, host, getattr(request, "param", "none"))
    agents = {
        name: FakeAgent(memory.effects, Path("/state"), host.session, name, 100 + number).start(
            memory.processes
        )
        for number, name in enumerate("abc")
    }
    host.focus("a")
    return Desk(app, host, agents, memory, {})
