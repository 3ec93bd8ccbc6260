"""Plugin hooks: who runs when, with what, and what is kept of it."""

from __future__ import annotations

import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.simulator.client import Failed
from attention_herdr.simulator.plugins.runner import AT_ONCE, OUTPUT_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FOCUS = ("workspace.focused", "tab.focused", "pane.focused")


def plugin(root: Path, command: list[str], *events: str, identifier: str = "attn", more: str = "") -> str:
    root.mkdir(parents=True, exist_ok=True)
    lines = [
        f'id = "{identifier}"',
        'name = "A"',
        'version = "0.1.0"',
        'min_herdr_version = "0.7.5"',
        'platforms = ["linux", "macos", "windows"]',
        more,
    ]
    for event in events:
        lines += ["[[events]]", f'on = "{event}"', f"command = {json.dumps(command)}"]
    (root / "herdr-plugin.toml").write_text("\n".join(lines), encoding="utf-8")
    return str(root)


def test_a_focus_change_runs_the_hooks_of_all_three_events(
    herdr: SimulatedHerdr, probe: Callable[..., Any]
) -> None:
    hooks = probe(*FOCUS)
    second = herdr.split("w1:p1")
    herdr.focus(second)
    for event in FOCUS:
        (told,) = hooks.told(event)
        assert told["environment"]["HERDR_PLUGIN_EVENT"] == event
        assert told["environment"]["HERDR_PANE_ID"] == second
        assert told["environment"]["HERDR_SOCKET_PATH"] == herdr.address
    assert {row["status"] for row in herdr.hook_log("probe")} == {"succeeded"}
    assert sorted(row["event"] for row in herdr.hook_log("probe")) == sorted(FOCUS)


def test_a_hook_runs_in_its_folder_and_a_relative_program_is_found_there(
    herdr: SimulatedHerdr, probe: Callable[..., Any]
) -> None:
    hooks = probe("pane.focused")
    herdr.focus(herdr.split("w1:p1"))
    (told,) = hooks.told("pane.focused")
    assert told["cwd"].lower() == str(hooks.root.resolve()).lower()


@pytest.mark.parametrize("event", ["pane.agent_detected", "pane.agent_status_changed", "pane.created"])
def test_what_happens_to_a_pane_names_that_pane_not_the_focused_one(
    herdr: SimulatedHerdr, probe: Callable[..., Any], echo: Callable[..., str], event: str
) -> None:
    hooks = probe(event)
    second = herdr.split("w1:p1")
    echo(second, kind="omp")
    herdr.call("pane.report_agent", pane_id=second, source="herdr:omp", agent="omp", state="working")
    assert {told["environment"]["HERDR_PANE_ID"] for told in hooks.told(event)} == {second}


def test_a_closed_pane_is_named_and_its_tab_is_not(herdr: SimulatedHerdr, probe: Callable[..., Any]) -> None:
    hooks = probe("pane.closed", "tab.closed")
    second = herdr.split("w1:p1")
    herdr.add_tab()
    herdr.close_pane(second)
    herdr.call("tab.close", tab_id="w1:t2")
    (closed,) = hooks.told("pane.closed")
    assert closed["environment"]["HERDR_PANE_ID"] == second
    assert "HERDR_TAB_ID" not in closed["environment"]
    (tab,) = hooks.told("tab.closed")
    assert tab["environment"]["HERDR_WORKSPACE_ID"] == "w1"


def test_startup_hooks_run_at_every_start(herdr: SimulatedHerdr, probe: Callable[..., Any]) -> None:
    hooks = probe(startup=True)
    assert hooks.told("startup") == []
    herdr.restart()
    assert len(hooks.told("startup")) == 1
    herdr.restart(handoff=True)
    told = hooks.told("startup")[-1]["environment"]
    assert len(hooks.told("startup")) == 2
    assert "HERDR_PLUGIN_EVENT_JSON" not in told
    assert json.loads(told["HERDR_PLUGIN_CONTEXT_JSON"])["invocation_source"] == "startup"


def test_a_server_that_stops_runs_no_hooks_for_the_programs_that_end_with_it(
    herdr: SimulatedHerdr, probe: Callable[..., Any], echo: Callable[..., str]
) -> None:
    echo(kind="omp")
    hooks = probe("pane.agent_detected", "pane.agent_status_changed")
    herdr.restart()
    assert hooks.told("pane.agent_detected") == hooks.told("pane.agent_status_changed") == []


def test_hooks_run_side_by_side_up_to_32_and_the_rest_is_dropped(
    herdr: SimulatedHerdr, tmp_path: Path, until: Callable[..., Any]
) -> None:
    gate = tmp_path / "gate"
    wait = f"import pathlib, time\nwhile not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.01)"
    herdr.call(
        "plugin.link", path=plugin(tmp_path / "attn", [sys.executable, "-S", "-c", wait], "pane.created")
    )
    for _ in range(AT_ONCE + 1):
        herdr.split("w1:p1")
    rows = herdr.hook_log("attn")
    assert [row["status"] for row in rows] == ["running"] * AT_ONCE + ["failed"]
    assert rows[-1]["error"] == "maximum concurrent plugin commands reached (32)"
    assert "exit_code" not in rows[0]
    gate.touch()
    assert herdr.wait_hooks()


def test_a_slot_is_taken_until_the_pipes_are_closed(
    herdr: SimulatedHerdr, tmp_path: Path, until: Callable[..., Any]
) -> None:
    gate, out = tmp_path / "gate", tmp_path / "out"
    wait = f"import pathlib, time\nwhile not pathlib.Path({str(gate)!r}).exists(): time.sleep(0.01)"
    leave = f"subprocess.Popen([sys.executable, '-S', '-c', {wait!r}])"
    start = f"import pathlib, subprocess, sys; {leave}; pathlib.Path({str(out)!r}).touch()"
    herdr.call(
        "plugin.link",
        path=plugin(tmp_path / "attn", [sys.executable, "-W", "ignore", "-c", start], "pane.created"),
    )
    herdr.split("w1:p1")
    until(out.exists)
    assert [row["status"] for row in herdr.hook_log()] == ["running"]
    gate.touch()
    assert herdr.wait_hooks()
    assert [row["status"] for row in herdr.hook_log()] == ["succeeded"]


def test_output_is_kept_to_64_kib_and_drained(herdr: SimulatedHerdr, tmp_path: Path) -> None:
    body = "import sys; print(end='x' * 200_000); print(end='short', file=sys.stderr); sys.exit(3)"
    herdr.call("plugin.link", path=plugin(tmp_path / "attn", [sys.executable, "-c", body], "pane.created"))
    herdr.split("w1:p1")
    assert herdr.wait_hooks()
    (row,) = herdr.hook_log()
    assert (row["status"], row["exit_code"], row["stderr"]) == ("failed", 3, "short")
    assert row["stdout"] == "x" * OUTPUT_BYTES + "\n[herdr truncated plugin output after 65536 bytes]"


def test_a_command_that_cannot_be_started_is_a_failed_row(herdr: SimulatedHerdr, tmp_path: Path) -> None:
    herdr.call("plugin.link", path=plugin(tmp_path / "attn", ["./no-such-program"], "pane.created"))
    herdr.split("w1:p1")
    assert herdr.wait_hooks()
    assert [row["status"] for row in herdr.hook_log()] == ["failed"]


def test_the_log_has_the_last_rows_the_oldest_first(
    herdr: SimulatedHerdr, probe: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    probe("pane.created")
    for _ in range(3):
        herdr.split("w1:p1")
    assert herdr.wait_hooks()
    rows = ask("plugin.log.list", plugin_id="probe", limit=2)["logs"]
    assert [row["log_id"] for row in rows] == ["plugin-log-2", "plugin-log-3"]
    assert list(rows[0]) == [
        "log_id", "plugin_id", "event", "command", "status", "started_unix_ms", "finished_unix_ms",
        "exit_code", "stdout", "stderr",
    ]  # fmt: skip
    herdr.restart()
    assert ask("plugin.log.list")["logs"] == []


def test_actions_return_at_once(
    herdr: SimulatedHerdr, probe: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    hooks = probe()
    invoked = ask("plugin.action.invoke", action_id="probe.toggle")
    assert list(invoked) == ["type", "action", "context", "log"]
    assert invoked["log"]["status"] == "running"
    (told,) = hooks.told("action")
    assert told["environment"]["HERDR_PLUGIN_ACTION_ID"] == "toggle"
    with pytest.raises(Failed, match="plugin_action_not_found"):
        ask("plugin.action.invoke", action_id="probe.other")


def test_the_registry_is_shared_by_all_sessions_and_counts_at_once(tmp_path: Path) -> None:
    root = tmp_path / "attn"
    command = [sys.executable, "-c", "pass"]
    with SimulatedHerdr(tmp_path / "h") as one, SimulatedHerdr(tmp_path / "h", session="two") as two:
        one.call("plugin.link", path=plugin(root, command, "pane.created"))
        assert [entry["plugin_id"] for entry in two.call("plugin.list")["plugins"]] == ["attn"]
        plugin(root, command, "pane.focused")
        two.split("w1:p1")
        assert two.hook_log() == []
        two.call("plugin.disable", plugin_id="attn")
        two.storm(1)
        assert two.hook_log() == []
        one.call("plugin.enable", plugin_id="attn")
        two.storm(1)
        assert [row["event"] for row in two.hook_log()] == ["pane.focused"]
        assert two.call("plugin.unlink", plugin_id="attn") == {
            "type": "plugin_unlinked",
            "plugin_id": "attn",
            "removed": True,
        }
        assert one.call("plugin.list")["plugins"] == []
        assert two.wait_hooks()


def test_a_plugin_whose_folder_is_gone_stays_listed_and_does_nothing(tmp_path: Path) -> None:
    root = tmp_path / "attn"
    with SimulatedHerdr(tmp_path / "h") as herdr:
        herdr.call("plugin.link", path=plugin(root, [sys.executable, "-c", "pass"], "pane.focused"))
        shutil.rmtree(root)
        (entry,) = herdr.call("plugin.list")["plugins"]
        assert (entry["plugin_id"], entry["plugin_root"]) == ("attn", str(root))
        assert entry["warnings"][0].startswith("manifest unavailable: ")
        herdr.storm(1)
        assert herdr.hook_log() == []


def test_linking_makes_folders_that_unlinking_leaves(tmp_path: Path) -> None:
    state = tmp_path / "s"
    with SimulatedHerdr(tmp_path / "h", state=state) as herdr:
        herdr.call(
            "plugin.link", path=plugin(tmp_path / "attn", [sys.executable, "-c", "pass"], "pane.focused")
        )
        herdr.call("plugin.unlink", plugin_id="attn")
        assert (tmp_path / "h/plugins/config/attn").is_dir()
        assert (state / "plugins/attn").is_dir()
        assert json.loads((tmp_path / "h/plugins.json").read_text()) == []
