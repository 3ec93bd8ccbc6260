"""The observer plugin of the how-to page is told of decisions, and runs the command of its settings."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework import AgentState, CycleReport, Decision, Observation, Outcome
from attention_framework.app import App
from attention_framework.observing import tell_decided
from attention_framework.settings import SettingsError, load_configuration
from attention_framework.testing import SESSION, START_MS, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attention_framework.settings import Configuration

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
def configure(
    tmp_path: Path, problems: list[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Configuration]]:
    """The settings with the plugin of the page installed."""
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
    monkeypatch.syspath_prepend(str(site))
    config = tmp_path / "attention.toml"

    def configure(text: str) -> Configuration:
        config.write_text(f'plugins = ["notify"]\n{text}', encoding="utf-8")
        return load_configuration(str(config), {}, warn=problems.append)

    yield configure
    for name in [name for name in sys.modules if name.startswith("attention_notify")]:
        del sys.modules[name]


def with_command(command: list[str]) -> str:
    settings = block(r'toml title="attention\.toml"')
    return re.sub(
        r"^command = .*$", lambda _: f"command = {json.dumps(command)}", settings, flags=re.MULTILINE
    )


class Told(App):
    def __init__(self, configuration: Configuration, state: Path) -> None:
        super().__init__(state=str(state))
        self.__dict__["configuration"] = configuration


def decide(app: App, outcome: Outcome) -> None:
    seen = Observation(AgentState.RUNNING, "it says so")
    decision = Decision("fake-1", "w1:p1", "omp", outcome, "w1:p2 has the focus", observed=seen, label="docs")
    tell_decided(app, decision, CycleReport("c1", "focus", SESSION, "fake-1", START_MS, (decision,)))


@pytest.mark.filterwarnings(
    "ignore:subprocess .* is still running:ResourceWarning"
)  # It outlives who started it.
def test_a_decision_becomes_a_notification(
    configure: Callable[[str], Configuration], told: Path, tmp_path: Path, problems: list[str]
) -> None:
    app = Told(configure(with_command([sys.executable, "-c", SCRIPT, str(told)])), tmp_path / "state")
    decide(app, Outcome.PAUSE_SENT)  # Which the settings of the page leave out.
    decide(app, Outcome.PAUSED)

    until(lambda: told.exists() and told.read_text("utf-8").endswith("\n"), what="a notification arrives")
    assert problems == []
    assert [json.loads(line) for line in told.read_text("utf-8").splitlines()] == [
        ["docs: paused", "w1:p2 has the focus"]
    ]


def test_a_program_that_is_not_there_is_reported_and_stops_nobody(
    configure: Callable[[str], Configuration], tmp_path: Path, problems: list[str]
) -> None:
    app = Told(configure(with_command(["no-such-program-4711"])), tmp_path / "state")
    decide(app, Outcome.PAUSED)
    assert len(problems) == 1
    assert "notify" in problems[0]
    assert "no-such-program-4711" in problems[0]


def test_what_is_wrong_with_its_settings_is_named(configure: Callable[[str], Configuration]) -> None:
    with pytest.raises(SettingsError, match=r"strategy\.notify\.outcomes") as wrong:
        configure(block(r'toml title="attention\.toml"').replace("not-confirmed", "unconfirmed"))
    assert "attention.toml:" in str(wrong.value)
