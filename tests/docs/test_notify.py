"""The observer plugin of the how-to page is told of decisions, and runs the command of its settings."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework import AgentState, CycleReport, Decision, Observation, Outcome
from attention_framework.loading import load_plugins
from attention_framework.testing import SESSION, START_MS, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework.loading.plugins import Plugins

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "notify.md"
SCRIPT = "import json, sys; open(sys.argv[1], 'a', encoding='utf-8').write(json.dumps(sys.argv[2:]) + '\\n')"


def block(pattern: str) -> str:
    found = re.search(
        rf"^```{pattern}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found
    return found[1]


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """Where the notifications arrive."""
    return tmp_path / "told.jsonl"


@pytest.fixture
def problems() -> list[str]:
    return []


@pytest.fixture
def plugins(
    tmp_path: Path, told: Path, problems: list[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Plugins]:
    site = tmp_path / "site"
    package = site / "attention_notify"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "plugin.py").write_text(block(r'python title="attention_notify/plugin\.py"'), encoding="utf-8")
    info = site / "attention_notify-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: attention-notify\nVersion: 1.0\n", "utf-8")
    entry = block("ini").replace(
        '[project.entry-points."attention_framework.plugins"]', "[attention_framework.plugins]"
    )
    (info / "entry_points.txt").write_text(entry.replace('"', ""), encoding="utf-8")
    config = tmp_path / "config"
    config.mkdir()
    command = [sys.executable, "-c", SCRIPT, str(told)]
    (config / "notify.toml").write_text(f"command = {json.dumps(command)}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setattr("platformdirs.user_config_path", lambda *names, **_: config)
    loaded = load_plugins(["notify"], report=problems.append)
    assert loaded.broken == []
    yield loaded
    for name in [name for name in sys.modules if name.startswith("attention_notify")]:
        del sys.modules[name]


def decide(plugins: Plugins, outcome: Outcome) -> None:
    seen = Observation(AgentState.RUNNING, "it says so")
    decision = Decision("fake-1", "w1:p1", "omp", outcome, "w1:p2 has the focus", observed=seen, label="docs")
    report = CycleReport("c1", "focus", SESSION, "fake-1", START_MS, (decision,))
    plugins.call_each("attention_decided", decision=decision, report=report)


@pytest.mark.filterwarnings(
    "ignore:subprocess .* is still running:ResourceWarning"
)  # It outlives who started it.
def test_a_decision_becomes_a_notification(plugins: Plugins, told: Path, problems: list[str]) -> None:
    decide(plugins, Outcome.LEFT_RUNNING)
    decide(plugins, Outcome.PAUSE_SENT)

    until(lambda: told.exists() and told.read_text("utf-8").endswith("\n"), what="a notification arrives")
    assert problems == []
    assert [json.loads(line) for line in told.read_text("utf-8").splitlines()] == [
        ["docs: pause-sent", "w1:p2 has the focus"]
    ]


def test_a_program_that_is_not_there_is_reported_and_stops_nobody(
    plugins: Plugins, tmp_path: Path, problems: list[str]
) -> None:
    (tmp_path / "config" / "notify.toml").write_text('command = ["no-such-program-4711"]', encoding="utf-8")
    decide(plugins, Outcome.PAUSED)
    assert len(problems) == 1
    assert "plugin notify failed in attention_decided" in problems[0]
