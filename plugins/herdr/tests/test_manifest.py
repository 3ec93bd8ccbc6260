from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from attention_herdr.manifest import EVENTS, PLUGIN_ID, quoted, render
from attention_herdr.simulator.plugins import manifest as herdrs
from hypothesis import example, given
from hypothesis import strategies as st

from attention_framework import InstallRefused, ThinClient
from attention_framework.testing import FakeContext

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


def rendered(command: tuple[str, ...]) -> bytes:
    return render(command, ThinClient(FakeContext(command=command)), "0.1.0")


def test_every_hook_has_a_cycle_run_of_the_server_that_runs_it() -> None:
    document = tomllib.loads(rendered(COMMAND).decode())
    assert document["id"] == PLUGIN_ID
    assert {hook["on"] for hook in document["events"]} == set(EVENTS)
    for hook in document["events"]:
        assert hook["command"] == woken(hook["on"])


def test_herdrs_start_starts_the_controller_and_tells_one_that_is_there() -> None:
    document = tomllib.loads(rendered(COMMAND).decode())
    assert [hook["command"] for hook in document["startup"]] == [
        [*COMMAND, "serve", "--detach"],
        woken("startup"),
    ]


def test_every_action_is_a_command_of_ours_and_the_popup_shows_the_status() -> None:
    document = tomllib.loads(rendered(COMMAND).decode())
    assert {action["id"]: action["command"] for action in document["actions"]} == {
        "toggle-all": [*COMMAND, "pause", "--all", "--toggle"],
        "toggle": [*COMMAND, "pause", "--toggle"],
        "pause": [*COMMAND, "pause"],
        "resume": [*COMMAND, "resume"],
        "allow": [*COMMAND, "allow"],
    }
    (popup,) = document["panes"]
    assert (popup["placement"], popup["command"]) == ("popup", [*COMMAND, "status", "--watch"])


def woken(trigger: str) -> list[str]:
    """The thin client, and after `--` what it becomes when nobody answers."""
    client = [COMMAND[0], "-I", "-S", str(Path("/state/thin_client.py"))]
    fields = ["host=herdr", "address-from=HERDR_SOCKET_PATH", f"trigger={trigger}"]
    session = ["--host", "herdr", "--address-from", "HERDR_SOCKET_PATH", "--trigger", trigger, "--revive"]
    return [*client, *fields, "--", *COMMAND, "reconcile", *session]


@pytest.mark.parametrize("command", [COMMAND, WINDOWS])
def test_herdr_reads_it_without_a_warning(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / MANIFEST).write_bytes(rendered(command))
    shape = herdrs.read(str(tmp_path)).shape(enabled=True, source={"kind": "local"})
    assert shape.get("warnings", []) == []
    assert [hook["on"] for hook in shape["events"]] == list(EVENTS)
    assert shape["startup"][0]["command"][: len(command)] == list(command)
    assert [action["contexts"] for action in shape["actions"]] == [["global"], *[["pane"]] * 4]


@example("\x7f")
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_survives_the_quoting(text: str) -> None:
    assert tomllib.loads(f"it = {quoted(text)}") == {"it": text}


def test_a_path_that_is_no_utf8_is_refused() -> None:
    with pytest.raises(InstallRefused, match="UTF-8"):
        rendered(("/home/\udcff/python",))


def test_an_empty_argument_is_refused() -> None:
    with pytest.raises(InstallRefused, match="empty"):
        rendered(("/venv/bin/python", ""))
