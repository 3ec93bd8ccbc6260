"""One version for everything that is released together, written once where that can be, and checked where it cannot."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from attention_framework import __version__
from attention_framework.model import MAILBOX_PROTOCOL

CHECKOUT = Path(__file__).parents[2]
PLUGINS = sorted(path.parent.name for path in CHECKOUT.glob("plugins/*/pyproject.toml"))
VERSION_TS = CHECKOUT.joinpath("omp_extension", "src", "version.ts").read_text("utf-8")


def number(name: str) -> str:
    found = re.search(rf'^export const {name} = "?([^";]+)"?;', VERSION_TS, re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_takes_its_version_from_the_framework_and_needs_that_one(plugin: str) -> None:
    project = tomllib.loads(CHECKOUT.joinpath("plugins", plugin, "pyproject.toml").read_text("utf-8"))[
        "project"
    ]
    assert project["version"] == __version__
    [framework] = [need for need in project["dependencies"] if need.startswith("attention-framework")]
    major, minor, _ = __version__.split(".")
    assert framework == f"attention-framework>={__version__},<{major}.{int(minor) + 1}"


def test_the_extension_has_the_same_version() -> None:
    package = json.loads(CHECKOUT.joinpath("omp_extension", "package.json").read_text("utf-8"))
    assert (number("EXTENSION"), package["version"]) == (__version__, __version__)


def test_both_sides_speak_the_same_protocol() -> None:
    assert number("PROTOCOL") == str(MAILBOX_PROTOCOL)


def test_the_changes_have_a_section_for_what_is_not_released_yet_first() -> None:
    titles = re.findall(r"^## (.+)$", CHECKOUT.joinpath("CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert titles[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", title) for title in titles[1:])
