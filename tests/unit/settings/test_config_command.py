"""`attention config` and `attention plugins`, from the command line to the exit code."""

# ruff: noqa: E501  (expected sentences are easier to compare on one line)

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from attention_framework.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import World


@pytest.fixture
def run(world: World, capsys: pytest.CaptureFixture[str]):
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["--config", str(world.file), *arguments])
        output, errors = capsys.readouterr()
        return code, output, errors.replace(f"{world.file}", "attention.toml")

    return run


def test_check_says_what_is_in_force(run, world: World) -> None:
    world.write('plugins = ["tmux", "omp_keys", "policies"]')

    code, output, errors = run("config", "check")

    assert (code, errors) == (0, "")
    assert output.splitlines() == [
        f"settings: {world.file}",
        "plugins: tmux, omp_keys, policies",
        "hosts: tmux",
        "break sources: none",
        "agent omp: asked by omp-mailbox; seen by omp-status; while idle, working, done",
        "policies: holds, focused",
    ]


def test_check_prints_warnings_and_exits_0(run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.write('[agents.omp]\ntransport = ["omp-prompt"]')
    monkeypatch.setenv("ATTENTION_LOGG__LEVEL", "x")

    code, output, errors = run("config", "check")

    assert (code, errors) == (0, "")
    assert "warning: omp-prompt: a draft in the editor is lost\n" in output
    assert (
        "warning: the environment variable ATTENTION_LOGG__LEVEL is not known and has no effect; did you mean ATTENTION_LOG?\n"
        in output
    )


@pytest.mark.parametrize(
    ("key", "warning"),
    [
        (
            "transport",
            "warning: agents.omp.transport is empty: nothing can ask an agent of this kind to pause.",
        ),
        ("detector", "warning: agents.omp.detector is empty: nothing sees whether an agent of this kind has"),
    ],
)
def test_check_warns_of_an_agent_that_nothing_can_pause(run, world: World, key: str, warning: str) -> None:
    world.write(f"[agents.omp]\n{key} = []")

    code, output, _ = run("config", "check")

    assert code == 0
    assert warning in output


def test_check_names_the_variables_in_force(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_LOG__LEVEL", "DEBUG")

    assert "environment: ATTENTION_LOG__LEVEL\n" in run("config", "check")[1]


def test_check_exits_2_with_all_mistakes_a_missing_plugin_among_them(run, world: World) -> None:
    world.write('plugins = ["tmux", "plicies"]\n[log]\nlevel = "x"\n')

    code, output, errors = run("config", "check")

    assert (code, output) == (2, "")
    assert errors.splitlines() == [
        "attention: 2 mistakes in the settings:",
        "  attention.toml:1: plugins[1]: the plugin plicies is not installed. To mend it: write policies (which is) if you mean it, or take it out of `plugins`",
        "  attention.toml:3: log.level: must be 'DEBUG', 'INFO', 'WARNING' or 'ERROR', not \"x\"",
    ]


def test_check_exits_1_when_an_enabled_plugin_is_broken(run, world: World, distributions) -> None:
    distributions.add("bad", "raise RuntimeError('no')")
    world.write('plugins = ["policies", "bad"]')

    code, output, errors = run("config", "check")

    assert code == 1
    assert "attention.toml:1: plugins[1]: the plugin bad fails in its import: RuntimeError: no (" in errors
    assert "policies: holds, focused" in output


def test_check_exits_2_for_broken_toml_and_for_a_file_that_is_not_there(run, world: World) -> None:
    world.write("a =")
    assert run("config", "check")[0] == 2

    world.file.unlink()
    code, _, errors = run("config", "check")
    assert code == 2
    assert errors == "attention: attention.toml: there is no such file, but --config names it\n"


def test_check_works_without_a_settings_file(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "check"]) == 0
    assert capsys.readouterr().out.startswith("settings: defaults; there is no ")


def test_check_needs_no_state_folder(run, nobody: Path) -> None:
    run("config", "check")

    assert not (nobody / "state").exists()


def test_show_tells_where_each_value_comes_from(run, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.write('[agents.omp]\nstatuses = ["idle"]\n[[policy]]\nuse = "focused"')
    monkeypatch.setenv("ATTENTION_STRATEGY__OMP_MAILBOX__NUDGE", "f11")

    code, output, _ = run("config", "show")

    lines = output.splitlines()
    assert code == 0
    assert lines[0] == f"# {world.file}"
    assert f'agents.omp.statuses = ["idle"]  # {world.file}:2' in lines
    assert 'agents.omp.transport = ["omp-mailbox"]  # default' in lines
    assert 'strategy.omp-mailbox.nudge = "f11"  # ATTENTION_STRATEGY__OMP_MAILBOX__NUDGE' in lines
    assert f'policy[0].use = "focused"  # {world.file}:4' in lines
    assert "policy[0].also_keep = 0  # default" in lines


def test_show_as_json_is_for_programs(run, world: World) -> None:
    world.write("[focus]\nsources = []")

    document = json.loads(run("config", "show", "--json")[1])

    assert (document["v"], document["file"], document["found"]) == (1, str(world.file), True)
    assert {"key": "focus.sources", "value": [], "origin": f"{world.file}:2"} in document["settings"]


def test_show_exits_2_with_the_mistakes(run, world: World) -> None:
    world.write("x = 1")

    assert run("config", "show")[0] == 2


def test_schema_is_printed_even_if_the_settings_are_wrong(run, world: World) -> None:
    world.write("x = 1")

    code, output, _ = run("config", "schema")

    assert code == 0
    assert json.loads(output)["title"] == "attention.toml"


def test_options_may_stand_behind_the_command(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "check", "--config", str(world.file)]) == 0
    assert str(world.file) in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["config"], ["config", "chekc"], ["plugins", "lst"]])
def test_wrong_usage_exits_2(world: World, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2


def test_plugins_lists_what_is_installed_selected_and_broken(run, world: World, distributions) -> None:
    distributions.add("bad", "raise RuntimeError('no')")
    world.write('plugins = ["omp_keys", "bad", "plicies"]')

    code, output, _ = run("plugins")

    text = "\n".join(line.rstrip() for line in output.splitlines())
    assert code == 0
    assert (
        "omp_keys         loaded      attention-omp-keys 1.0\n    transport: omp-prompt, omp-mailbox*\n    detector: omp-status*\n    agent: omp\n"
        in text
    )
    assert (
        "bad              broken      attention-bad 1.0\n    fails in its import: RuntimeError: no (" in text
    )
    assert "plicies          missing\n    is not installed\n    to mend it: write policies" in text
    assert "tmux             installed   attention-tmux 1.0" in text


def test_plugins_as_json_is_for_programs(run, world: World) -> None:
    world.write('plugins = ["policies"]\n[[policy]]\nuse = "holds"')

    document = json.loads(run("plugins", "list", "--json")[1])

    policies = document["plugins"][0]
    assert document["v"] == 1
    assert (policies["name"], policies["state"], policies["distribution"], policies["version"]) == (
        "policies",
        "loaded",
        "attention-policies",
        "1.0",
    )
    assert policies["announces"] == [
        {"kind": "policy", "name": "focused", "selected": False},
        {"kind": "policy", "name": "holds", "selected": True},
    ]
    assert [plugin["state"] for plugin in document["plugins"][1:]] == ["installed", "installed"]


def test_plugins_are_listed_even_if_the_settings_are_wrong(run, world: World) -> None:
    world.write("x = 1")

    code, output, _ = run("plugins")

    assert code == 0
    assert "policy: focused, holds\n" in output


HEAVY = {
    "pydantic",
    "pydantic_settings",
    "stevedore",
    "loguru",
    "rich",
    "asyncio",
    "importlib.metadata",
    "pluggy",
    "tomllib",
}


@pytest.mark.parametrize("module", ["commands.config", "commands.plugins", "app", "bounded", "context"])
def test_a_module_that_every_command_reaches_is_light_to_import(module: str) -> None:
    assert modules_after(f"import attention_framework.{module}").isdisjoint(HEAVY - modules_after(""))


def modules_after(program: str) -> set[str]:
    """An editable install brings some of them in by itself."""
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return set(done.stdout.split())
