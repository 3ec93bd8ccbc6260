"""The JSON schema says the same as the checks."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from attention_framework.settings import json_schema

if TYPE_CHECKING:
    from conftest import World

GOOD = {
    "empty": "",
    "everything": """
        plugins = ["tmux", "omp_keys", "policies"]
        [focus]
        sources = ["tmux"]
        [agents.omp]
        statuses  = ["idle", "blocked"]
        transport = ["omp-mailbox", "omp-prompt"]
        detector  = ["omp-status"]
        [strategy.omp-mailbox]
        nudge = "f11"
        retries = [1]
        [strategy.tmux]
        timeout_s = 1.5
        [[policy]]
        use = "holds"
        [[policy]]
        use = "focused"
        also_keep = 0
        [log]
        level = "DEBUG"
    """,
    "nothing selected": "plugins = ['omp_keys']\npolicy = []\n[agents.omp]\ntransport = []",
}
BAD = {
    "unknown key": "[focus]\nx = 1",
    "unknown section": "[reflexes]",
    "wrong type": "[focus]\nsources = 'tmux'",
    "unknown host": "[focus]\nsources = ['x']",
    "unknown transport": "[agents.omp]\ntransport = ['x']",
    "unknown status": "[agents.omp]\nstatuses = ['x']",
    "unknown agent": "[agents.x]",
    "unknown strategy": "[strategy.x]",
    "strategy's key": "[strategy.tmux]\nx = 1",
    "strategy's value": "[strategy.tmux]\ntimeout_s = 0",
    "strategy without settings": "[strategy.omp-prompt]\nx = 1",
    "unknown policy": "[[policy]]\nuse = 'x'",
    "policy without use": "[[policy]]\nalso_keep = 1",
    "policy's key": "[[policy]]\nuse = 'focused'\nx = 1",
    "level": "[log]\nlevel = 'x'",
}


def accepted(world: World, text: str) -> tuple[bool, bool]:
    """By the checks, and by the schema."""
    world.write(text)
    found = world.examine()
    schema = json.loads(json.dumps(json_schema(found.model)))
    Draft202012Validator.check_schema(schema)
    document = tomllib.loads(world.file.read_text(encoding="utf-8"))
    return found.settings is not None, Draft202012Validator(schema).is_valid(document)


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_what_the_checks_accept_the_schema_accepts(world: World, text: str) -> None:
    assert accepted(world, text) == (True, True)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_what_the_checks_refuse_the_schema_refuses(world: World, text: str) -> None:
    assert accepted(world, text) == (False, False)


def test_without_any_plugin_there_is_a_schema_all_the_same(world: World) -> None:
    assert accepted(world, "plugins = []") == (True, True)
    assert accepted(world, "plugins = []\n[[policy]]\nuse = 'x'") == (False, False)


def test_while_a_plugin_is_broken_the_schema_is_as_lenient_as_the_checks(world: World) -> None:
    assert accepted(
        world, "plugins = ['gone']\n[[policy]]\nuse = 'x'\ny = 1\n[strategy.z]\nw = 1\n[agents.pi]"
    ) == (True, True)


def test_the_defaults_are_in_the_schema(world: World) -> None:
    schema = json_schema(world.examine().model)

    assert schema["properties"]["plugins"]["default"] == ["omp_keys", "policies", "tmux"]
    assert schema["$defs"]["Agent_omp"]["properties"]["transport"]["default"] == ["omp-mailbox"]
    assert schema["properties"]["policy"]["default"] == [{"use": "holds"}, {"also_keep": 0, "use": "focused"}]
