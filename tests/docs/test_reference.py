"""Every setting, hook and command has its documentation, and what is generated is fresh."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import attention_framework
from attention_framework import hookspecs, testing
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


sys.path.append(str(ROOT / "tools"))  # Its tools import each other.
reference = tool("reference")
public_names = importlib.import_module("public_names")
PACKAGES = pytest.mark.parametrize(
    ("package", "page"), [(attention_framework, "api.md"), (testing, "testing.md")], ids=["api", "testing"]
)


@pytest.fixture
def schema() -> dict[str, Any]:
    return reference.current_schema()


@pytest.mark.parametrize(
    "name", ["attention.schema.json", "settings.md", "hooks.md", "options.md", "api.md", "testing.md"]
)
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


@PACKAGES
def test_every_public_name_is_there_and_at_home_somewhere(package: ModuleType, page: str) -> None:
    at_home = [name for names in package._HOME.values() for name in names]

    assert sorted(at_home) == sorted(name for name in package.__all__ if not name.startswith("__"))
    assert [name for name in at_home if getattr(package, name) is None] == []


@PACKAGES
def test_every_public_name_is_in_its_page(package: ModuleType, page: str) -> None:
    text = (REFERENCE / page).read_text(encoding="utf-8")

    assert [
        name for name in package.__all__ if f"\n### `{name}`\n" not in text and not name.startswith("__")
    ] == []


@PACKAGES
def test_every_public_name_field_and_method_is_described(package: ModuleType, page: str) -> None:
    described = [entry for module in package._HOME for entry in public_names.entries(package, module)]

    assert len(described) == len([name for name in package.__all__ if not name.startswith("__")])
    assert [name for entry in described for name in public_names.silent(entry)] == []


def test_the_types_that_public_names_speak_of_are_public() -> None:
    """A plugin's author must be able to name what a protocol hands over."""
    package = attention_framework
    shown = [
        text
        for module in package._HOME
        for entry in public_names.entries(package, module)
        for text in (entry.declaration, *(member.type for member in entry.members))
    ]
    own = {
        name
        for module in list(sys.modules.values())
        if getattr(module, "__name__", "").startswith("attention_framework.")
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__.startswith("attention_framework.")
    }
    words = {word for text in shown for word in re.findall(r"\b[A-Z]\w+", text)}

    assert sorted((words & own) - set(package.__all__)) == []


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


@pytest.mark.parametrize("option", ["--scheduler", "--mini-every", "--long-at", "--launcher", "--at-logon"])
def test_options_of_installers_are_below_the_command_that_takes_them(option: str) -> None:
    page = (REFERENCE / "options.md").read_text(encoding="utf-8")
    _, _, after = page.partition("## `attention setup`")

    assert re.search(rf"^\| `{option} \S+` \| .+ \|$", after.partition("\n## ")[0], re.MULTILINE)


def commands() -> list[str]:
    """Those of the core and those that this project's plugins add."""
    parser = argparse.ArgumentParser()
    subcommands = parser.add_subparsers()
    load_plugins(OURS, report=pytest.fail).call_each("attention_commands", subcommands=subcommands)
    return [*CORE, *subcommands.choices]


def described(node: dict[str, Any], schema: dict[str, Any]) -> bool:
    target = schema["$defs"][node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else {}
    return bool(node.get("description") or target.get("description"))
