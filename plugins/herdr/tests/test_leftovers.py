"""What Herdr itself makes when a plugin is linked, and leaves when it is unlinked."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_herdr.addresses import state_folder
from attention_herdr.installer import HerdrInstaller
from attention_herdr.leftovers import NOTE, Leftovers
from attention_herdr.manifest import FOLDER, PLUGIN_ID
from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.testing import World

from attention_framework import HostUnavailable, InstallStep, real_effects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework import Step


@pytest.fixture
def home() -> Iterator[Path]:
    """With a name that is short, for the socket, and has a space."""
    folder = Path(tempfile.mkdtemp(prefix="a t "))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def config(home: Path) -> Path:
    return home / ".config/herdr"


@pytest.fixture
def world(home: Path, config: Path) -> Iterator[World]:
    """A Herdr that lies where the environment says. It has run before, and has had no plugin."""
    with SimulatedHerdr(config, state=home / ".local/state/herdr", startup_grace_s=0) as herdr:
        (config / ".plugins.lock").touch()
        world = World.around(herdr, home)
        folders = {"XDG_CONFIG_HOME": str(config.parent), "XDG_STATE_HOME": str(home / ".local/state")}
        world.context.effects.environment.update(folders)  # type: ignore[attr-defined]
        yield world


def steps(world: World, *, remove: bool) -> list[Step]:
    return list(HerdrInstaller(world.context, world.focus).plan(remove))


def set_up(world: World) -> None:
    for step in steps(world, remove=False):
        step.carry_out()


def uninstall(world: World) -> list[str]:
    planned = steps(world, remove=True)
    for step in planned:
        step.carry_out()
    return [step.describe for step in planned]


def disk(home: Path) -> dict[str, bytes | None]:
    """What lies outside of the state folder, but for the socket."""
    found = {}
    for path in sorted(home.rglob("*")):
        if not path.is_relative_to(home / "state") and not path.is_socket():
            found[str(path.relative_to(home))] = path.read_bytes() if path.is_file() else None
    return found


def link_another(world: World, folder: Path) -> None:
    folder.mkdir()
    (folder / "herdr-plugin.toml").write_text(
        'id = "other"\nname = "Other"\nversion = "1"\nmin_herdr_version = "0.7.5"\n'
        'platforms = ["linux", "macos", "windows"]\n'
    )
    world.herdr.call("plugin.link", path=str(folder))


def test_uninstall_leaves_the_disk_as_it_was(world: World, home: Path) -> None:
    before = disk(home)
    set_up(world)
    world.herdr.split("w1:p1", focus=True)
    assert world.herdr.wait_hooks()
    assert disk(home) != before
    assert any("what Herdr has made for it" in said for said in uninstall(world))
    assert disk(home) == before
    assert sorted(path.name for path in (home / "state").iterdir()) == ["installed.json"]


def test_that_the_folder_of_the_plugin_goes_with_the_note_in_it_is_foreseen(world: World) -> None:
    set_up(world)
    folder = world.context.state / FOLDER
    left = frozenset(folder.iterdir())
    assert folder / NOTE in left
    for step in HerdrInstaller(world.context, world.focus).plan(remove=True):
        assert isinstance(step, InstallStep)
        left = step.after(left)
        step.carry_out()
    assert (left, folder.exists()) == (frozenset(), False)


def test_a_second_uninstall_has_nothing_to_do(world: World) -> None:
    set_up(world)
    uninstall(world)
    assert uninstall(world) == []


def test_what_was_there_before_stays_and_is_not_changed(world: World, home: Path) -> None:
    link_another(world, home / "other")
    before = disk(home)
    set_up(world)
    uninstall(world)
    assert disk(home) == before


def test_a_plugin_that_came_later_keeps_the_list_and_its_folders(
    world: World, home: Path, config: Path
) -> None:
    set_up(world)
    link_another(world, home / "other")
    uninstall(world)
    assert [entry["plugin_id"] for entry in json.loads((config / "plugins.json").read_text())] == ["other"]
    assert [path.name for path in (config / "plugins/config").iterdir()] == ["other"]


def test_an_empty_list_that_was_there_before_stays(world: World, home: Path, config: Path) -> None:
    (config / "plugins.json").write_text("[]")
    (config / "plugins/config").mkdir(parents=True)
    before = disk(home)
    set_up(world)
    uninstall(world)
    assert disk(home) == before


def test_a_list_that_is_none_stays(world: World, config: Path) -> None:
    set_up(world)
    deep = "[" * 100_000
    world.herdr.call("plugin.unlink", plugin_id="attention-framework")
    (config / "plugins.json").write_text(deep)
    Leftovers(world.context.state / FOLDER, PLUGIN_ID, world.context.effects).remove()
    assert (config / "plugins.json").read_text() == deep


def test_a_list_that_herdr_is_writing_stays(world: World, config: Path) -> None:
    set_up(world)
    lock = world.context.effects.files.try_lock(config / ".plugins.lock")
    assert lock is not None
    uninstall(world)
    lock.release()
    assert (config / "plugins.json").read_text() == "[]"


def test_what_the_person_put_into_our_folder_stays(world: World, config: Path) -> None:
    set_up(world)
    note = config / "plugins/config/attention-framework/note.txt"
    note.write_text("mine")
    uninstall(world)
    assert note.read_text() == "mine"


def test_a_setup_that_failed_half_way_still_knows_what_was_there(world: World, home: Path) -> None:
    before = disk(home)
    world.herdr.fault("plugin.link", "close")
    with pytest.raises(HostUnavailable, match=r"plugin\.link"):
        set_up(world)
    set_up(world)
    uninstall(world)
    assert disk(home) == before


def test_folders_go_also_where_the_person_has_unlinked_the_plugin(world: World, home: Path) -> None:
    before = disk(home)
    set_up(world)
    world.herdr.call("plugin.unlink", plugin_id="attention-framework")
    uninstall(world)
    assert disk(home) == before


def test_the_state_of_herdr_lies_where_the_environment_says() -> None:
    assert state_folder({"HOME": "/home/me"}, windows=False) == "/home/me/.local/state"
    assert state_folder({"HOME": "/home/me", "XDG_STATE_HOME": "/x"}, windows=False) == "/x"
    assert state_folder({"LOCALAPPDATA": r"C:\l"}, windows=True) == r"C:\l"
    assert state_folder({"USERPROFILE": r"C:\me"}, windows=True) == r"C:\me\AppData\Local"
    assert state_folder({}, windows=False) is None


def test_without_a_home_nothing_is_looked_for(world: World) -> None:
    effects = replace(real_effects(), environment={"HERDR_SOCKET_PATH": world.herdr.address})
    bare = replace(world, context=replace(world.context, effects=effects))
    set_up(bare)
    assert not any("what Herdr has made" in said for said in uninstall(bare))
