"""The settings file that setup writes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.context import StrategyContext
from attention_framework.log import Log
from attention_framework.settings import examine, load_configuration
from attention_framework.settings.starter import render, written
from attention_framework.settings_file import SettingsInstaller
from attention_framework.testing import Memory

if TYPE_CHECKING:
    from attention_framework.settings import AttentionSettings

    from .conftest import World

STATE = Path("/state")
CHOSEN: dict[tuple[str, ...], Any] = {("focus", "sources"): ["tmux"]}


def model(world: World) -> type[AttentionSettings]:
    return world.examine().model


def uncommented(text: str) -> str:
    return re.sub(r"^#(?! |$)", "", text, flags=re.MULTILINE)


def test_only_what_was_chosen_is_in_force(world: World) -> None:
    text = render(model(world), CHOSEN)
    in_force = tomllib.loads(text)
    assert {name: table for name, table in in_force.items() if table} == {"focus": {"sources": ["tmux"]}}
    world.write(text)
    assert world.load().settings.focus.sources == ["tmux"]
    assert world.told == []


def test_everything_in_force_says_the_defaults(world: World) -> None:
    text = uncommented(render(model(world), CHOSEN))
    world.write(text)
    defaults = model(world)(focus={"sources": ["tmux"]})  # type: ignore[arg-type]
    assert world.load().settings.model_dump() == defaults.model_dump()
    assert "[strategy.omp-mailbox]" in text
    assert "retries = [1, 2]" in text
    assert 'use = "focused"\n' in text


def test_every_key_has_its_meaning_before_it(world: World) -> None:
    lines = render(model(world), CHOSEN).splitlines()
    described = {
        line.removeprefix("#").partition(" = ")[0]: lines[at - 1].startswith("# ")
        for at, line in enumerate(lines)
        if re.match(r"#?[a-z_]+ = ", line)
    }
    silent = {key for key, is_described in described.items() if not is_described}
    # Those of the throw-away plugins of this test say nothing.
    assert silent <= {"use", "nudge", "retries", "sockets", "also_keep"}
    assert {"sources", "settle_ms", "transport", "statuses", "level", "ask_ms"} <= set(described)
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize(
    "value",
    ['a "b" \\ \x7f \u00fc', 1, 1.5, True, [], ["a", ["b"]], {"a": 1, "b c": [2]}, {}, [{"x": "y"}]],
    ids=repr,
)
def test_a_value_is_written_as_toml(value: Any) -> None:
    assert tomllib.loads(f"key = {written(value)}") == {"key": value}


class Program:
    def __init__(self, name: str, found: str | None = "1.0") -> None:
        self.name = name
        self.there = found

    def found(self) -> str | None:
        return self.there

    def plan(self, remove: bool) -> list[Any]:
        return []


class Home:
    """The settings installer with a disk in memory, over the plugins of `world`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.memory = Memory()
        self.programs = {"tmux": Program("tmux")}

    @property
    def installer(self) -> SettingsInstaller:
        """As a new start of setup sees it."""
        file = self.world.file
        file.unlink(missing_ok=True)
        if file in self.memory.disk.content:
            file.write_bytes(self.memory.disk.content[file])
        environment = {"ATTENTION_CONFIG": str(file)}
        configuration = load_configuration(None, environment, warn=pytest.fail)
        context = StrategyContext.of(
            configuration, self.memory.effects, STATE, Log(STATE / "attention.log", self.memory.files)
        )
        return SettingsInstaller(configuration, context, self.programs)

    def set_up(self, remove: bool = False) -> list[str]:
        steps = self.installer.plan(remove)
        for step in steps:
            step.carry_out()
        return [step.describe for step in steps]

    @property
    def text(self) -> str:
        return self.memory.disk.content[self.world.file].decode()

    def edit(self, text: str) -> None:
        self.memory.disk.put(self.world.file, text.encode())


@pytest.fixture
def home(world: World) -> Home:
    world.file.unlink()
    world.file = world.file.parent / "attention-framework" / "attention.toml"
    world.file.parent.mkdir()
    return Home(world)


def test_it_is_written_once_and_taken_back_with_its_folder(home: Home) -> None:
    assert home.set_up() == [f"write {home.world.file}"]
    assert home.set_up() == []
    assert 'sources = ["tmux"]' in home.text
    assert home.set_up(remove=True) == [f"remove {home.world.file}"]
    assert home.set_up(remove=True) == []
    assert not home.memory.files.exists(home.world.file.parent)


def test_it_says_what_it_selects_before_it_is_written(home: Home) -> None:
    assert home.installer.advice(remove=False) == [
        "focus.sources = tmux",
        "breaks.sources = left at its default",
    ]
    assert home.installer.advice(remove=True) == []


def test_a_file_that_was_not_changed_is_written_anew_by_another_version(home: Home) -> None:
    home.set_up()
    home.memory.disk.content[home.world.file] += b"# an older text\n"
    record = STATE / "installed.json"
    old = home.memory.disk.content[home.world.file]
    import hashlib
    import json

    digests = {str(home.world.file): [hashlib.sha256(old).hexdigest()]}
    home.memory.disk.put(record, json.dumps({"v": 1, "files": digests}).encode())
    assert home.set_up() == [f"replace {home.world.file}"]
    assert "an older text" not in home.text


def test_a_program_that_cannot_be_found_for_a_moment_stays_selected(home: Home) -> None:
    home.set_up()
    home.programs["tmux"].there = None
    assert home.set_up() == []
    assert 'sources = ["tmux"]' in home.text


def test_without_a_program_nothing_is_selected(home: Home) -> None:
    home.programs["tmux"].there = None
    home.set_up()
    assert "\n#sources = [" in home.text


def test_an_edited_file_is_kept_by_setup_and_by_uninstall_and_forgotten_then(home: Home) -> None:
    home.set_up()
    home.edit("[focus]\nsettle_ms = 5\n")
    assert home.set_up() == []
    assert home.set_up(remove=True) == [f"leave {home.world.file}, which you have edited"]
    assert home.set_up(remove=True) == []
    assert home.text == "[focus]\nsettle_ms = 5\n"


def test_a_file_of_the_persons_is_left_alone_and_gets_a_proposal(home: Home) -> None:
    home.edit("focus.sources = []\n")
    installer = home.installer
    assert installer.plan(remove=False) == []
    assert installer.found() == f"{home.world.file}, which is yours"
    [proposal] = installer.advice(remove=False)
    assert proposal.startswith('tmux was found and is not in focus.sources: to follow it, add "tmux" there')
    assert installer.plan(remove=True) == []


def test_what_setup_wrote_goes_on_working_without_the_file(world: World, tmp_path: Path) -> None:
    usual = tmp_path / "attention-framework" / "attention.toml"
    assert examine(str(usual), {}, world.told.append).settings is not None
