from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest
from attention_herdr.manifest import EVENTS, PLUGIN_ID, quoted, render
from attention_herdr.simulator.plugins import manifest as herdrs
from hypothesis import example, given
from hypothesis import strategies as st

from attention_framework import InstallRefused

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = (
    "/venv/bin/python",
    "-I",
    "-m",
    "attention_framework",
    "--state",
    "/home/me/.local/state/attention",
)
WINDOWS = (r"C:\Users\Jos\u00e9 \"J\"\new\python.exe", "-m", "attention_framework")
MANIFEST = "herdr-plugin.toml"


def test_every_hook_runs_a_cycle_of_the_server_that_runs_it() -> None:
    document = tomllib.loads(render(COMMAND, "0.1.0").decode())
    assert document["id"] == PLUGIN_ID
    assert {hook["on"] for hook in document["events"]} == set(EVENTS)
    for hook in document["events"]:
        words = (
            "reconcile",
            "--host",
            "herdr",
            "--address-from",
            "HERDR_SOCKET_PATH",
            "--trigger",
            hook["on"],
        )
        assert hook["command"] == [*COMMAND, *words]
    assert [hook["command"][-1] for hook in document["startup"]] == ["startup"]


@pytest.mark.parametrize("command", [COMMAND, WINDOWS])
def test_herdr_reads_it_without_a_warning(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / MANIFEST).write_bytes(render(command, "0.1.0"))
    shape = herdrs.read(str(tmp_path)).shape(enabled=True, source={"kind": "local"})
    assert shape.get("warnings", []) == []
    assert [hook["on"] for hook in shape["events"]] == list(EVENTS)
    assert shape["events"][0]["command"][: len(command)] == list(command)


@example("\x7f")
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_survives_the_quoting(text: str) -> None:
    assert tomllib.loads(f"it = {quoted(text)}") == {"it": text}


def test_a_path_that_is_no_utf8_is_refused() -> None:
    with pytest.raises(InstallRefused, match="UTF-8"):
        render(("/home/\udcff/python",), "0.1.0")


def test_an_empty_argument_is_refused() -> None:
    with pytest.raises(InstallRefused, match="empty"):
        render(("/venv/bin/python", ""), "0.1.0")
