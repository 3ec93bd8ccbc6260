"""The promises of docs/explanation/privacy-and-security.md, on a real disk.

Each sentence there that promises something has its test here, or in the tests of the part that keeps it.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from attention_omp_keys.screen import OmpScreen
from attention_policies.focused import Focused, FocusedSettings
from attention_policies.holds import Holds as HoldsPolicy

from attention_framework import AgentState, MailboxTransport, Observation, real_effects
from attention_framework.app import App
from attention_framework.bounded import Inline
from attention_framework.commands.main import run
from attention_framework.cycle import AgentStrategies, Strategies
from attention_framework.settings.models import AttentionSettings, FocusSettings, LogSettings
from attention_framework.testing import SESSION, FakeAgent, FakeContext, FakeHost, Memory, pane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework import Pane

CANARY = "canary-7f3a9"
"""Stands in every draft, on every screen and in every terminal title."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and owners of POSIX")


class Mailbox(MailboxTransport):
    name = "fake-mailbox"
    nudge = "f12"


class Status:
    name = "fake-status"

    def observe(self, pane: Pane) -> Observation:
        said = pane.hello
        if said is None or not said.paused:
            return Observation(AgentState.UNKNOWN, "no pause")
        return Observation(AgentState.PAUSED, "it says so", said.by == "person", said.engagement, said.runs)


class World:
    """The real commands and a real disk; the host and the processes are in memory."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.memory = Memory()
        self.effects = replace(self.memory.effects, files=real_effects().files)
        self.host = FakeHost(
            pane("w1:p1", label="front", title=CANARY), pane("w1:p2", label="back", title=CANARY)
        )
        self.host.focus("w1:p1")
        for entry in self.host.panes.values():
            entry.screen = f"> {CANARY}\n\n{CANARY}\n  {CANARY} │ omp"
        self.agents = [self.agent("w1:p1", 101), self.agent("w1:p2", 102)]

    def agent(self, name: str, pid: int) -> FakeAgent:
        made = FakeAgent(self.effects, self.state, SESSION, name, pid)
        made.calls = [{"name": "bash", "since_ms": 1}]
        return made.start(self.memory.processes)

    def run(self, *words: str) -> int:
        app = App(state=str(self.state))
        context = FakeContext(self.effects, self.state, controls={"fake": self.host}, log=app.log.named("t"))
        policies: list[Any] = [HoldsPolicy(None, context), Focused(FocusedSettings(), context)]
        detectors: list[Any] = [Status(), OmpScreen(None, context)]
        agents = {"omp": AgentStrategies(frozenset(), [Mailbox(None, context)], detectors)}
        app.__dict__.update(
            effects=self.effects,
            context=context,
            sources={"fake": self.host},
            strategies=Strategies(policies, agents),
            configuration=_configuration(),
        )
        return run(list(words), app)

    def everything(self) -> None:
        """A switch, a break with an agent that cannot paint, a manual pause, and all of it back."""
        assert self.run("reconcile") == 0
        for agent in self.agents:
            agent.look()
        assert self.run("reconcile") == 0
        self.agents[0].can_paint = False
        assert self.run("break-start", "--run-id", "b-1") == 0
        for agent in self.agents:
            agent.look()
        assert self.run("pause", "w1:p2") == 0
        assert self.run("allow", "w1:p2", "--for", "5m") == 0
        self.host.before_snapshot = lambda: setattr(self.host, "down", True)
        self.run("reconcile")
        self.host.before_snapshot, self.host.down = None, False
        assert self.run("break-end", "--run-id", "b-1") == 0
        assert self.run("resume", "w1:p2") == 0
        self.run("status")


def _configuration() -> Any:
    plugins = SimpleNamespace(call_each=lambda hook, **arguments: [], statuses=list, broken=[])
    settings = AttentionSettings.model_construct(
        focus=FocusSettings(sources=["fake"]), log=LogSettings(level="DEBUG")
    )
    call = Inline(lambda sentence: None)
    return SimpleNamespace(
        call=call,
        path=None,
        plugins=plugins,
        observers=lambda context: [],
        settings=settings,
        warnings=list,
    )


@pytest.fixture
def umask() -> Iterator[None]:
    """The one with which programs make files for everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def world(tmp_path: Path, umask: None) -> World:
    return World(tmp_path / "state")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_no_prompt_text_and_no_screen_content_is_stored(world: World) -> None:
    world.everything()

    assert any(entry.keys for entry in world.host.panes.values())
    written = files(world.state)
    assert {"journal.jsonl", "README"} <= {path.name for path in written}
    assert "paused" in (world.state / "journal.jsonl").read_text(encoding="utf-8")
    assert [path for path in written if CANARY.encode() in path.read_bytes()] == []
    assert [path for path in world.state.rglob("*") if CANARY in path.name] == []


def test_a_pause_screen_of_no_known_version_is_not_quoted(world: World) -> None:
    lines = ("▌▌ P A U S E D", "paused for 0:07", CANARY)
    world.host.panes["w1:p2"].screen = "\n".join(line.center(60) for line in lines)
    world.run("reconcile")

    journal = (world.state / "journal.jsonl").read_text(encoding="utf-8")
    assert "footer of no known version" in journal
    assert CANARY not in journal


@posix
def test_every_file_is_its_owners_alone_whatever_the_umask(world: World) -> None:
    world.everything()

    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (world.state, *world.state.rglob("*"))}
    assert len(modes) > 10
    assert {path for path, mode in modes.items() if mode & 0o077} == set()


@posix
@pytest.mark.parametrize("mode", [0o770, 0o702])
def test_a_folder_that_others_can_write_to_is_refused_before_anything_is_written(
    mode: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    state.chmod(mode)

    assert run(["status", "--state", str(state)]) == 1

    assert f"chmod 700 {state}" in capsys.readouterr().err
    assert list(state.iterdir()) == []


def test_a_bug_report_has_no_values_of_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(self: App) -> None:
        screen = CANARY
        raise KeyError(len(screen))

    monkeypatch.setattr(App, "examine", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("SECRET", CANARY)

    assert run(["plugins"]) == 1

    [report] = tmp_path.glob("attention-report-*.txt")
    assert "KeyError" in report.read_text(encoding="utf-8")
    assert CANARY not in report.read_text(encoding="utf-8") + capsys.readouterr().err
    if sys.platform != "win32":
        assert stat.S_IMODE(report.stat().st_mode) == 0o600


def test_what_is_kept_is_bounded(world: World) -> None:
    """Journal and log are renamed when they have grown, and the oldest goes."""
    app = App(state=str(world.state))
    journal = replace(app.journal, max_bytes=2_000, keep=2)
    for _ in range(60):
        journal.write_coalesced(SESSION, "fake-1", "focus", ())

    names = sorted(path.name for path in world.state.glob("journal*.jsonl"))
    assert names == ["journal.1.jsonl", "journal.2.jsonl", "journal.jsonl"]
    assert sum(path.stat().st_size for path in world.state.glob("journal*.jsonl")) <= 3 * 2_000


def test_nothing_is_sent_anywhere() -> None:
    """No part knows how to speak to a server on a network; there is nothing that could report home."""
    root = Path(__file__).parents[2]
    sources = [*root.glob("attention_framework/**/*.py"), *root.glob("plugins/*/attention_*/**/*.py")]
    clients = re.compile(
        r"^\s*(?:import|from) (?:urllib\.request|http|requests|httpx|aiohttp|smtplib|ftplib)\b", re.MULTILINE
    )
    assert len(sources) > 50
    assert [path for path in sources if clients.search(path.read_text(encoding="utf-8"))] == []


def test_no_name_reaches_a_shell() -> None:
    root = Path(__file__).parents[2]
    sources = [*root.glob("attention_framework/**/*.py"), *root.glob("plugins/*/attention_*/**/*.py")]
    assert [
        path for path in sources if re.search(r"shell=True|os\.system\(|os\.popen\(", path.read_text("utf-8"))
    ] == []
