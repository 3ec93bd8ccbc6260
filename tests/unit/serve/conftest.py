"""A resident controller in this process, over a fake host, with the disk and the sockets in memory or real ones."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from attention_policies.focused import Focused, FocusedSettings
from attention_policies.holds import Holds as HoldsPolicy

from attention_framework import MailboxTransport, real_effects
from attention_framework.app import App
from attention_framework.bounded import Inline
from attention_framework.cycle import AgentStrategies, Strategies
from attention_framework.serve import client
from attention_framework.serve.client import ask_server, server_status
from attention_framework.serve.resident import Resident
from attention_framework.state.folder import StateFolder
from attention_framework.testing import SESSION, FakeAgent, FakeContext, FakeHost, Memory, pane, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework import Effects, Observation, Pane
    from attention_framework.serve.client import Answer


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is no controller that was stopped."""
    monkeypatch.setattr(client, "HEARD_WITHIN_S", 10.0)


class Mailbox(MailboxTransport):
    name = "fake-mailbox"


class Status:
    name = "fake-status"

    def observe(self, pane: Pane) -> Observation:
        from attention_framework import UNKNOWN, AgentState, Observation

        if pane.hello is None:
            return UNKNOWN
        state = AgentState.PAUSED if pane.hello.paused else AgentState.RUNNING
        return Observation(
            state, "it says so", pane.hello.by == "person", pane.hello.engagement, pane.hello.runs
        )


class Configuration:
    """As much of a configuration as the controller asks for."""

    def __init__(self, said: list[str]) -> None:
        self.call: Any = Inline(said.append)
        self.left_out: dict[str, str] = {}
        self.path: Path | None = None
        self.sources: list[Any] = []
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.plugins = SimpleNamespace(
            call_each=lambda hook, **arguments: self.told.append((hook, arguments))
        )
        self.settings = SimpleNamespace(
            breaks=SimpleNamespace(resume="none", sources=[]),
            focus=SimpleNamespace(sources=["fake"], settle_ms=0),
            reflex=SimpleNamespace(mode="brake", away="ignore", fail="open", ask_ms=250),
            log=SimpleNamespace(level="INFO"),
        )

    def observers(self, context: object) -> list[Any]:
        return []

    def break_sources(self, context: object) -> list[Any]:
        return self.sources


class DeskApp(App):
    """With the fake host; its settings are what the test makes them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(config=str(desk.root / "attention.toml"))
        self.desk = desk
        context = desk.context
        policies: list[Any] = [HoldsPolicy(None, context), Focused(FocusedSettings(), context)]
        agents = {"omp": AgentStrategies(frozenset({"working"}), [Mailbox(None, context)], [Status()])}
        self.__dict__.update(
            effects=desk.effects,
            state=StateFolder(desk.state),
            context=context,
            sources=desk.hosts,
            strategies=Strategies(policies, agents),
            configuration=desk.configuration,
        )

    def renewed(self) -> App:
        if self.desk.wrong:
            from attention_framework.errors import WrongUsage

            raise WrongUsage(self.desk.wrong)
        self.desk.renewals += 1
        return DeskApp(self.desk)

    def report(self, sentence: str) -> None:
        self.desk.said.append(sentence)


@dataclass
class Desk:
    effects: Effects
    root: Path
    host: FakeHost
    memory: Memory | None = None
    said: list[str] = field(default_factory=list)
    wrong: str = ""
    renewals: int = 0
    tcp: bool = False

    def __post_init__(self) -> None:
        self.state = self.root / "state"
        self.hosts: dict[str, Any] = {"fake": self.host}
        self.configuration: Any = Configuration(self.said)
        self.agents: dict[str, FakeAgent] = {}
        self.resident: Any = None

    @property
    def context(self) -> FakeContext:
        return FakeContext(self.effects, self.state, controls={"fake": self.host})

    @property
    def folder(self) -> StateFolder:
        return StateFolder(self.state)

    def open(self) -> None:
        self.resident = Resident(DeskApp(self), self.tcp)
        self.resident.open()

    def start(self) -> Resident:
        self.open()
        until(lambda: self.resident.sessions.all() and self.resident.sessions.all()[0].worker.tally.cycles)
        return self.resident  # type: ignore[no-any-return]

    def ask(self, verb: str, **values: str) -> Answer:
        return ask_server(self.folder, self.effects, verb, 10, **values)

    def question(self, pane_id: str, **values: str) -> tuple[str, str]:
        """The word and the rest of the answer to `ask`."""
        where = {"host": "fake", "address": SESSION.address, "pane": pane_id}
        (line,) = self.ask("ask", **{**where, **values}).of("answer")
        word, _, rest = line.partition(" ")
        return word, rest

    def status(self) -> dict[str, Any]:
        return server_status(self.folder, self.effects)

    @property
    def cycles(self) -> int:
        return sum(one.worker.tally.cycles for one in self.resident.sessions.all())

    def agent(self, pane_id: str, pid: int) -> FakeAgent:
        assert self.memory is not None
        agent = FakeAgent(self.effects, self.state, SESSION, pane_id, pid).start(self.memory.processes)
        self.agents[pane_id] = agent
        return agent


def host() -> FakeHost:
    found = FakeHost(
        pane("w1:p1", status="working"), pane("w1:p2", status="working"), pane("w1:p3", agent=None)
    )
    found.focus("w1:p1")
    return found


def ended(desk: Desk) -> None:
    if desk.resident is not None:
        desk.resident.close()
    until(lambda: not [one for one in threading.enumerate() if one.name.startswith("attention-cycles")])


@pytest.fixture
def desk(memory: Memory) -> Iterator[Desk]:
    """Everything in memory; the clock stands still unless the test moves it."""
    desk = Desk(memory.effects, Path("/desk").absolute(), host(), memory)
    yield desk
    ended(desk)


@pytest.fixture(params=["unix", "tcp"])
def real_desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """On the real disk, with real sockets."""
    import sys

    if request.param == "unix" and sys.platform == "win32":
        pytest.skip("there are no Unix sockets")
    effects = replace(real_effects(), environment={"HOME": str(tmp_path)})
    desk = Desk(effects, tmp_path, host(), tcp=request.param == "tcp")
    desk.state.mkdir(mode=0o700)
    yield desk
    ended(desk)
