"""The command line in this process, over a world in memory."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from attention_policies.allowed import Allowed
from attention_policies.focused import Focused, FocusedSettings
from attention_policies.holds import Holds as HoldsPolicy

from attention_framework import AgentState, HostEnvironment, MailboxTransport, Observation
from attention_framework.app import App
from attention_framework.bounded import Inline
from attention_framework.commands.main import run
from attention_framework.cycle import AgentStrategies, Strategies
from attention_framework.loading.status import PluginState, PluginStatus
from attention_framework.state.folder import StateFolder
from attention_framework.testing import SESSION, FakeAgent, FakeContext, FakeHost, Memory, pane

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework import Pane, Session

STATE = Path("/state")
SETTINGS = Path("/config/attention.toml")


class Mailbox(MailboxTransport):
    name = "fake-mailbox"


class StatusDetector:
    name = "fake-status"

    def observe(self, pane: Pane) -> Observation:
        said = pane.hello
        if said is None:
            return Observation(AgentState.UNKNOWN, "no hello")
        if said.state == "braked":
            return Observation(
                AgentState.BRAKED, "it brakes", calls=said.calls, since_ms=said.reflex.since_ms
            )
        if not said.paused:
            return Observation(AgentState.RUNNING, "it says that it runs")
        state = AgentState.PAUSING if said.calls else AgentState.PAUSED
        return Observation(state, "it says so", said.by == "person", said.engagement, said.runs, said.calls)


@dataclass
class FakePlugins:
    """Hooks that were called, and what is answered to them."""

    called: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    answers: dict[str, list[tuple[str, Any]]] = field(default_factory=dict)
    broken: list[Any] = field(default_factory=list)
    installed: list[str] = field(default_factory=list)
    """Names of plugins that are not enabled."""

    def call_each(self, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
        self.called.append((hook, arguments))
        return self.answers.get(hook, [])

    def of_kind(self, kind: object) -> dict[str, Any]:
        return {}

    def statuses(self) -> list[PluginStatus]:
        return [PluginStatus(name, PluginState.INSTALLED) for name in self.installed]

    def told(self, hook: str) -> list[dict[str, Any]]:
        return [arguments for name, arguments in self.called if name == hook]


class FakeConfiguration:
    """As much of a configuration as the commands ask for."""

    def __init__(self, call: Inline) -> None:
        self.call = call
        self.left_out: dict[str, str] = {}
        self.path: Path | None = None
        self.place = SETTINGS
        self.layers = SimpleNamespace(document=SimpleNamespace(values={}))
        self.plugins = FakePlugins()
        self.settings = SimpleNamespace(
            breaks=SimpleNamespace(resume="none", sources=[]),
            focus=SimpleNamespace(sources=["fake"], settle_ms=0),
            reflex=SimpleNamespace(mode="brake", away="ignore", fail="open", ask_ms=250),
            log=SimpleNamespace(level="INFO"),
        )

        self.told: list[Any] = []
        """Observers."""
        self.followed: list[Any] = []
        """Break sources that are selected."""

    def observers(self, context: object) -> list[Any]:
        return self.told

    def break_sources(self, context: object) -> list[Any]:
        return self.followed

    def warnings(self) -> list[str]:
        return []


@dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Shell:
    """A person at a terminal: three panes, agents in the first two, the first one focused."""

    def __init__(self, memory: Memory, capture: pytest.CaptureFixture[str]) -> None:
        self.memory = memory
        self.capture = capture
        self.around: list[HostEnvironment] = []
        memory.disk.put(SETTINGS, b"# the person's own\n")
        self.host = FakeHost(
            pane("w1:p1", label="front"), pane("w1:p2", label="back"), pane("w1:p3", agent=None)
        )
        self.host.focus("w1:p1")
        self.agents = {
            "w1:p1": self.agent("w1:p1", 101),
            "w1:p2": self.agent("w1:p2", 102),
        }
        self.agents["w1:p2"].resume_by_hand()
        self.configuration: Any = FakeConfiguration(Inline(lambda sentence: None))
        self.plugins: FakePlugins = self.configuration.plugins
        self.hosts: dict[str, Any] = {"fake": self.host}
        self.transports: list[Any] = [Mailbox(None, self.context)]
        self.before: list[Callable[[App], None]] = []
        self.app = self.new_app()

    @property
    def context(self) -> FakeContext:
        hosts = (HostEnvironment("fake", "FAKE_PANE", "FAKE_ADDRESS", "^(.*),[0-9]+$"),)
        return FakeContext(
            self.memory.effects, STATE, hosts=(*self.around, *hosts), controls={"fake": self.host}
        )

    def agent(self, pane_id: str, pid: int, session: Session = SESSION) -> FakeAgent:
        return FakeAgent(self.memory.effects, STATE, session, pane_id, pid).start(self.memory.processes)

    def new_app(self) -> App:
        """Another run of the command line: only the disk and the world are the same."""
        app, context = App(), self.context
        focused = Focused(FocusedSettings(), context)
        policies: list[Any] = [HoldsPolicy(None, context), Allowed(None, context), focused]
        agents = {"omp": AgentStrategies(frozenset(("working",)), self.transports, [StatusDetector()])}
        app.__dict__.update(
            effects=self.memory.effects,
            state=StateFolder(STATE),
            context=context,
            sources=self.hosts,
            strategies=Strategies(policies, agents),
            configuration=self.configuration,
        )
        return app

    def run(self, *words: str) -> Result:
        self.app = self.new_app()
        for change in self.before:
            change(self.app)
        self.capture.readouterr()
        code = run(list(words), self.app)
        out, err = self.capture.readouterr()
        return Result(code, out, err)

    def wrong(self, *words: str) -> str:
        """What is said of a command line that argparse refuses."""
        self.capture.readouterr()
        with pytest.raises(SystemExit) as refused:
            run(list(words), self.new_app())
        assert refused.value.code == 2
        return self.capture.readouterr().err

    def look(self) -> None:
        """Every agent looks into its mailbox."""
        for agent in self.agents.values():
            agent.look()

    def settle(self) -> None:
        for _ in range(3):
            self.run("reconcile")
            self.look()

    def waits(self) -> list[float]:
        """The sleeps from now on that are longer than a look at a lock, in ms."""
        found: list[float] = []
        self.memory.clock.on_sleep.append(lambda ms: found.append(ms) if ms > 50 else None)
        return found

    @property
    def triggers(self) -> list[str]:
        """Of each cycle in the journal."""
        return [entry["trigger"] for entry in self.app.journal.read() if entry["type"] == "cycle"]

    def before_the_waiter_lets_go(self, act: Callable[[], object]) -> None:
        """Once: whoever finds something then cannot wait itself, and the one that waits has had its last cycle."""
        waiter = self.app.state.session(self.host.session).waiter
        try_lock = self.memory.files.try_lock
        acted: list[bool] = []

        def watched(path: Path) -> Any:
            lock: Any = try_lock(path)
            if path == waiter and lock is not None and not acted:
                release = lock.release

                def act_first() -> None:
                    acted.append(True)
                    act()
                    release()

                lock.release = act_first
            return lock

        self.memory.files.try_lock = watched  # type: ignore[method-assign]

    @property
    def paused(self) -> set[str]:
        return {name for name, agent in self.agents.items() if agent.paused}

    @property
    def holds(self) -> list[Any]:
        return self.app.holds.all()

    def second_session(self) -> FakeHost:
        """Another session of another host, with a pane of the same id."""
        from attention_framework import Session

        session = Session("second", "/run/second.sock", "second")
        host = FakeHost(pane("w1:p1"), session=session)
        host.name = "second"
        host.focus("w1:p1")
        self.hosts["second"] = host
        self.agents["second"] = self.agent("w1:p1", 201, session)
        return host


@pytest.fixture
def shell(memory: Memory, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setattr(sys, "prefix", "/venv")  # The tests may run from a cache, which setup would warn of.
    return Shell(memory, capsys)
