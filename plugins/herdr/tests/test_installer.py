from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from attention_herdr.focus import HerdrFocus
from attention_herdr.installer import HerdrInstaller
from attention_herdr.manifest import FILE, PLUGIN_ID, render
from attention_herdr.registry import Linked
from attention_herdr.simulator.faults import ALWAYS

from attention_framework import Completed, HostUnavailable, InstallRefused, OwnedFiles, ThinClient
from attention_framework.testing import MemoryProcesses

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from attention_herdr.testing import World

HERDR = "/opt/herdr"


def installer(world: World) -> HerdrInstaller:
    return HerdrInstaller(world.context, world.focus)


def carry_out(world: World, *, remove: bool = False) -> list[str]:
    steps = installer(world).plan(remove)
    for step in steps:
        step.carry_out()
    return [step.describe for step in steps]


def linked(world: World) -> list[dict[str, object]]:
    plugins: list[dict[str, object]] = world.herdr.call("plugin.list")["plugins"]
    return plugins


def link_another(world: World, folder: Path) -> None:
    folder.mkdir()
    (folder / FILE).write_bytes(render(("/usr/bin/other",), ThinClient(world.context), "9"))
    world.herdr.call("plugin.link", path=str(folder))


def test_it_says_what_it_has_found(world: World) -> None:
    assert str(installer(world).found()).startswith("Herdr 0.8.2")


def test_setup_writes_the_manifest_and_links_it(world: World) -> None:
    said = carry_out(world)
    assert [step.split()[0] for step in said] == ["write", "write", "link"]
    (plugin,) = linked(world)
    assert (plugin["plugin_id"], plugin["enabled"]) == (PLUGIN_ID, True)
    assert world.context.logged == []


def test_a_second_setup_has_nothing_to_do(world: World) -> None:
    carry_out(world)
    assert carry_out(world) == []


def test_another_interpreter_is_written_and_needs_no_link(world: World) -> None:
    carry_out(world)
    world.context.command = ("/elsewhere/python", "-m", "attention_framework")
    assert [step.split()[0] for step in carry_out(world)] == ["replace"]
    assert "/elsewhere/python" in str(linked(world))


def test_the_manifest_of_an_earlier_version_is_replaced(world: World) -> None:
    owned = OwnedFiles(world.context.state, world.context.effects.files)
    (step,) = owned.plan_write(installer(world).folder / FILE, b"id = 'attention-framework'")
    step.carry_out()
    assert [step.split()[0] for step in carry_out(world)] == ["write", "replace", "link"]
    assert "thin_client.py" in str(linked(world))


def test_uninstall_leaves_the_client_to_another_host_whose_hooks_run_it(world: World) -> None:
    carry_out(world)
    state, client = world.context.state, ThinClient(world.context)
    owned = OwnedFiles(state, world.context.effects.files)
    (step,) = owned.plan_write(state / "tmux.conf", f"run-shell -b '{client.path}'".encode())
    step.carry_out()
    carry_out(world, remove=True)
    assert client.plan_write() == []
    assert carry_out(world, remove=True) == []


def test_a_client_that_was_edited_is_left_alone(world: World) -> None:
    carry_out(world)
    ThinClient(world.context).path.write_text("mine")
    for remove in (False, True):
        with pytest.raises(InstallRefused, match=r"thin_client\.py"):
            installer(world).plan(remove=remove)


def test_a_disabled_plugin_is_enabled(world: World) -> None:
    carry_out(world)
    world.herdr.call("plugin.disable", plugin_id=PLUGIN_ID)
    assert [step.split()[0] for step in carry_out(world)] == ["enable"]
    assert linked(world)[0]["enabled"] is True


def test_a_manifest_that_was_edited_is_left_alone(world: World) -> None:
    carry_out(world)
    (world.context.state / "herdr-plugin" / FILE).write_text("mine")
    with pytest.raises(InstallRefused, match="not as"):
        installer(world).plan(remove=False)


def test_another_plugin_under_our_name_is_never_touched(world: World, tmp_path: Path) -> None:
    link_another(world, tmp_path / "other")
    with pytest.raises(InstallRefused, match="other"):
        installer(world).plan(remove=False)
    assert carry_out(world, remove=True) == []
    assert linked(world)[0]["plugin_root"] == str(tmp_path / "other")


def test_a_server_that_hangs_is_not_passed_by(world: World) -> None:
    """Its list is in its hands: whoever changes it behind its back has done so for nothing."""
    world.herdr.fault("*", "hang", times=ALWAYS)
    for remove in (False, True):
        with pytest.raises(HostUnavailable, match="no answer"):
            installer(world).plan(remove=remove)


def test_a_registration_whose_folder_is_gone_is_replaced(world: World, tmp_path: Path) -> None:
    link_another(world, tmp_path / "gone")
    shutil.rmtree(tmp_path / "gone")
    assert carry_out(world)[-1].startswith("link")
    assert linked(world)[0]["plugin_root"] == str(installer(world).folder)


def test_the_way_out_of_a_foreign_plugin_needs_no_server(world: World, tmp_path: Path) -> None:
    link_another(world, tmp_path / "other")
    with pytest.raises(InstallRefused, match=f"herdr plugin uninstall {PLUGIN_ID}"):
        installer(world).plan(remove=False)


def test_uninstall_takes_everything_back(world: World) -> None:
    carry_out(world)
    said = carry_out(world, remove=True)
    assert [step.split()[0] for step in said] == ["unlink", "remove", "remove", "remove"]
    assert linked(world) == []
    assert [path.name for path in world.context.state.iterdir()] == ["installed.json"]
    assert carry_out(world, remove=True) == []


def test_uninstall_keeps_what_the_person_put_beside_it(world: World) -> None:
    carry_out(world)
    note = world.context.state / "herdr-plugin" / "note.txt"
    note.write_text("mine")
    carry_out(world, remove=True)
    assert note.exists()


def test_uninstall_without_a_setup_has_nothing_to_do(world: World) -> None:
    assert carry_out(world, remove=True) == []


def test_a_warning_of_herdrs_is_passed_on(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "attention_herdr.registry.Registry.link",
        lambda self, folder: Linked(str(folder), True, ("unknown event 'x'",)),
    )
    carry_out(world)
    assert "unknown event 'x'" in world.context.logged[0][1]


def test_a_server_that_fails_half_way_is_told_and_the_next_setup_goes_on(world: World) -> None:
    world.herdr.fault("plugin.link", "close")
    with pytest.raises(HostUnavailable, match=r"plugin\.link"):
        carry_out(world)
    assert [step.split()[0] for step in carry_out(world)] == ["link"]


class Command:
    """The `herdr` command without a server, as in its source: `unlink` wants one, `uninstall` does not."""

    def __init__(self, version: str = "herdr 0.8.2\n") -> None:
        self.version = version
        self.plugins: list[dict[str, object]] = []
        self.broken = False

    def __call__(self, words: Sequence[str]) -> Completed:
        match list(words[1:]):
            case ["--version"]:
                return Completed(0, self.version, "")
            case ["plugin", "list", "--json"]:
                return self._result({"type": "plugin_list", "plugins": self.plugins})
            case ["plugin", "link", folder]:
                self.plugins = [{"plugin_id": PLUGIN_ID, "plugin_root": folder, "enabled": True}]
                return self._result({"type": "plugin_linked", "plugin": self.plugins[0]})
            case ["plugin", "uninstall", name]:
                self.plugins = []
                return Completed(0, f"Uninstalled {name}.\n", "")
        return Completed(1, "", '{"error":{"code":"server_not_running"}}')

    def _result(self, result: dict[str, object]) -> Completed:
        if self.broken:
            return Completed(0, "No plugins.\n", "")
        return Completed(0, json.dumps({"id": "cli:plugin", "result": result}) + "\n", "")


@pytest.fixture
def command() -> Command:
    return Command()


@pytest.fixture
def without_server(world: World, command: Command) -> World:
    """Herdr is installed and not running."""
    processes = MemoryProcesses()
    processes.programs[HERDR] = command
    environment = {"HERDR_BIN_PATH": HERDR, "HOME": world.context.effects.environment["HOME"]}
    context = replace(
        world.context, effects=replace(world.context.effects, processes=processes, environment=environment)
    )
    return replace(world, context=context, focus=HerdrFocus(None, context))


def test_setup_works_without_a_server(without_server: World, command: Command) -> None:
    assert installer(without_server).found() == f"Herdr 0.8.2 at {HERDR}"
    carry_out(without_server)
    assert command.plugins[0]["plugin_root"] == str(without_server.context.state / "herdr-plugin")
    assert carry_out(without_server) == []


def test_uninstall_works_without_a_server(without_server: World, command: Command) -> None:
    carry_out(without_server)
    carry_out(without_server, remove=True)
    assert command.plugins == []


@pytest.mark.parametrize("version", ["herdr 0.7.4\n", "herdr 0.6.11\n"])
def test_an_old_herdr_is_refused(without_server: World, command: Command, version: str) -> None:
    command.version = version
    with pytest.raises(InstallRefused, match="too old"):
        installer(without_server).plan(remove=False)


def test_a_version_of_a_channel_is_new_enough(without_server: World, command: Command) -> None:
    command.version = "herdr 0.9.0-nightly.3\n"
    assert installer(without_server).plan(remove=False)


def test_without_herdr_there_is_nothing_to_set_up(without_server: World) -> None:
    without_server.context.effects.environment.pop("HERDR_BIN_PATH")  # type: ignore[attr-defined]
    assert installer(without_server).found() is None
    with pytest.raises(InstallRefused, match="no herdr"):
        installer(without_server).plan(remove=False)
    assert list(installer(without_server).plan(remove=True)) == []


def test_a_command_that_answers_something_else_is_named(without_server: World, command: Command) -> None:
    command.broken = True
    with pytest.raises(HostUnavailable, match="plugin list --json"):
        installer(without_server).plan(remove=False)
