"""Every setting, hook and command has its documentation, and what is generated is fresh."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import hookspecs
from attention_framework.commands import CORE
from attention_framework.loading import load_plugins
from attention_framework.loading.entry_points import OURS

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tools_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference = tool("reference")


@pytest.fixture
def schema() -> dict[str, Any]:
    return reference.current_schema()


@pytest.mark.parametrize("name", ["attention.schema.json", "settings.md", "hooks.md", "options.md"])
def test_what_is_generated_is_fresh(name: str) -> None:
    file = REFERENCE / name

    assert file.read_text(encoding="utf-8") == reference.files()[file], "run: python tools/reference.py"


def test_every_setting_has_a_description(schema: dict[str, Any]) -> None:
    nodes = [("", schema), *schema["$defs"].items()]
    silent = [
        f"{name}.{key}"
        for name, node in nodes
        for key, value in node.get("properties", {}).items()
        if not described(value, schema)
    ]

    assert silent == []


def test_every_setting_is_in_the_page(schema: dict[str, Any]) -> None:
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    keys = {
        key
        for name, node in schema["$defs"].items()
        if name not in ("Agents", "Strategies", "PolicySettings")
        for key in node.get("properties", {})
    }

    assert [
        key for key in sorted(keys) if f"`{key}`" not in page and f".{key}`" not in page and key != "use"
    ] == []


def test_every_hook_says_what_it_is_for() -> None:
    hooks = [
        hook
        for name, hook in inspect.getmembers(hookspecs, inspect.isfunction)
        if name.startswith("attention_")
    ]

    assert hooks
    assert [hook.__name__ for hook in hooks if not inspect.getdoc(hook)] == []


def test_every_hook_is_in_the_page() -> None:
    page = (REFERENCE / "hooks.md").read_text(encoding="utf-8")

    assert [
        name for name in vars(hookspecs) if name.startswith("attention_") and f"### `{name}`" not in page
    ] == []


def test_every_command_is_in_the_page() -> None:
    page = (REFERENCE / "commands.md").read_text(encoding="utf-8")

    assert [name for name in commands() if f"`attention {name}" not in page] == []


def test_no_command_is_in_the_page_that_does_not_exist() -> None:
    page = (REFERENCE / "commands.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `attention ([a-z-]+)", page, re.MULTILINE)) - set(commands()) == set()


def test_every_option_says_what_it_is_for() -> None:
    page = (REFERENCE / "options.md").read_text(encoding="utf-8")

    assert page.count("\n## `attention ") >= len(commands())
    assert re.findall(r"^\| `[^|]*` \|  \|$", page, re.MULTILINE) == []


def commands() -> list[str]:
    """Those of the core and those that this project's plugins add."""
    parser = argparse.ArgumentParser()
    subcommands = parser.add_subparsers()
    load_plugins(OURS, report=pytest.fail).call_each("attention_commands", subcommands=subcommands)
    return [*CORE, *subcommands.choices]


def described(node: dict[str, Any], schema: dict[str, Any]) -> bool:
    target = schema["$defs"][node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else {}
    return bool(node.get("description") or target.get("description"))
