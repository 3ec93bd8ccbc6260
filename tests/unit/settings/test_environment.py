"""Settings from environment variables."""

# ruff: noqa: E501  (expected sentences are easier to compare on one line)

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.settings import unknown_environment

if TYPE_CHECKING:
    from conftest import World


def test_a_variable_goes_over_the_file_key_by_key(world: World) -> None:
    world.write('[agents.omp]\ntransport = ["omp-mailbox"]\nstatuses = ["idle"]')
    world.environment = {"ATTENTION_AGENTS__OMP__TRANSPORT": '["omp-prompt"]'}

    omp = world.load().agents["omp"]

    assert (omp.transport, omp.statuses) == (["omp-prompt"], ["idle"])


def test_a_variable_may_hold_a_whole_table_and_a_deeper_one_goes_over_it(world: World) -> None:
    world.environment = {
        "ATTENTION_AGENTS__OMP__STATUSES": '["done"]',
        "ATTENTION_AGENTS": '{"omp": {"statuses": ["idle"], "detector": []}}',
    }

    configuration = world.load()
    omp = configuration.agents["omp"]

    assert (omp.statuses, omp.detector) == (["done"], [])
    assert configuration.layers.origin(("agents", "omp", "statuses")) == "ATTENTION_AGENTS__OMP__STATUSES"
    assert configuration.layers.origin(("agents", "omp", "detector")) == "ATTENTION_AGENTS"


def test_an_underscore_stands_for_the_hyphen_that_no_shell_allows(world: World) -> None:
    world.write('[strategy.omp-mailbox]\nnudge = "f12"\nretries = [9]')
    world.environment = {
        "ATTENTION_STRATEGY__OMP_MAILBOX__NUDGE": "f11",
        "ATTENTION_STRATEGY__TMUX__TIMEOUT_S": "7.5",
    }

    strategy = world.load().settings.strategy

    assert (getattr(strategy, "omp-mailbox").nudge, getattr(strategy, "omp-mailbox").retries) == ("f11", [9])
    assert strategy.tmux.timeout_s == 7.5


def test_plugins_and_policies_come_as_json(world: World) -> None:
    world.environment = {
        "ATTENTION_PLUGINS": '["policies"]',
        "ATTENTION_POLICY": '[{"use": "focused", "also_keep": 2}]',
    }

    configuration = world.load()

    assert list(configuration.plugins.enabled) == ["policies"]
    assert configuration.settings.policy[0].also_keep == 2


def test_an_empty_variable_says_nothing(world: World) -> None:
    world.environment = {"ATTENTION_PLUGINS": "", "ATTENTION_LOG__LEVEL": ""}

    assert world.load().settings.log.level == "INFO"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("ATTENTION_PLUGINS", "tmux", "ATTENTION_PLUGINS: is not JSON: 'tmux'"),
        ("ATTENTION_AGENTS__OMP__TRANSPORT", "[omp", "ATTENTION_AGENTS__OMP__TRANSPORT: is not JSON: '[omp'"),
        ("ATTENTION_FOCUS__SOURCES", '["x"]', 'ATTENTION_FOCUS__SOURCES: focus.sources[0]: no focus source is called "x" (known: tmux)'),
        ("ATTENTION_FOCUS__SOURCE", "x", 'ATTENTION_FOCUS__SOURCE: focus.source: is not a key that is known here; did you mean "sources"?'),
        ("ATTENTION_AGENTS__OMPP__STATUSES", '["idle"]', 'ATTENTION_AGENTS__OMPP__STATUSES: agents.ompp: no agent is called "ompp"; did you mean "omp"?'),
        ("ATTENTION_STRATEGY__OMP_MAILBOX__NUDGE", "f1", "ATTENTION_STRATEGY__OMP_MAILBOX__NUDGE: strategy.omp-mailbox.nudge: must be 'f12', 'f11' or '', not \"f1\""),
        ("ATTENTION_LOG__LEVEL", "loud", "ATTENTION_LOG__LEVEL: log.level: must be"),
        ("ATTENTION_POLICY", '[{"use": "x"}]', 'ATTENTION_POLICY: policy[0].use: no policy is called "x"'),
        ("ATTENTION_LOG", "[]", "ATTENTION_LOG: log: must be a table, not []"),
    ],
)  # fmt: skip
def test_a_mistake_names_the_variable(world: World, name: str, value: str, expected: str) -> None:
    world.environment = {name: value}

    (mistake,) = world.mistakes()

    assert mistake.startswith(expected)


def test_the_file_is_blamed_for_what_stands_only_there(world: World) -> None:
    world.write("[agents.omp]\nx = 1")
    world.environment = {"ATTENTION_AGENTS__OMP__STATUSES": '["idle"]'}

    (mistake,) = world.mistakes()

    assert mistake.startswith("attention.toml:2: agents.omp.x:")


def test_a_misspelt_section_is_found_though_nobody_reads_it() -> None:
    environment = {
        "ATTENTION_FOCUSS__SOURCES": "x",
        "ATTENTION_CONFIG": "x",
        "ATTENTION_LOG__LEVEL": "x",
        "PATH": "x",
        "ATTENTION_ZZZ": "x",
    }

    assert unknown_environment(environment) == [
        "the environment variable ATTENTION_FOCUSS__SOURCES is not known and has no effect; did you mean ATTENTION_FOCUS?",
        "the environment variable ATTENTION_ZZZ is not known and has no effect",
    ]
