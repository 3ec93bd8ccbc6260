"""Where Stretchly's program is, and what `attention doctor` says of it and of the log."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.checks import StretchlyCheck
from attention_stretchly.driver.program import find_program, named_program
from attention_stretchly.source import StretchlySettings

from attention_framework import CheckLevel
from attention_framework.testing import FakeContext, Memory

if TYPE_CHECKING:
    from conftest import LogFile

WINDOWS = {"LOCALAPPDATA": "L", "PROGRAMFILES": "P"}


@pytest.mark.parametrize(
    ("platform", "environment", "place"),
    [
        ("win32", WINDOWS, "L/Programs/Stretchly/Stretchly.exe"),
        ("win32", WINDOWS, "P/Stretchly/Stretchly.exe"),
        ("win32", WINDOWS, "L/Microsoft/WindowsApps/Stretchly.exe"),
        ("darwin", {"HOME": "/Users/me"}, "/Applications/Stretchly.app/Contents/MacOS/Stretchly"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Applications/Stretchly.app/Contents/MacOS/Stretchly"),
        ("linux", {}, "/usr/bin/stretchly"),
        ("linux", {}, "/snap/bin/stretchly"),
        ("linux", {}, "/var/lib/flatpak/exports/bin/net.hovancik.Stretchly"),
        ("linux", {"HOME": "/home/me"}, "/home/me/.local/share/flatpak/exports/bin/net.hovancik.Stretchly"),
    ],
)
def test_each_packaging_is_found(platform: str, environment: dict[str, str], place: str) -> None:
    found = find_program({"PATH": "", **environment}, platform, lambda path: Path(path) == Path(place))

    assert found is not None
    assert Path(found) == Path(place)


def test_an_app_image_is_found(tmp_path: Path) -> None:
    program = tmp_path / "Applications" / "Stretchly-1.22.1.AppImage"
    program.parent.mkdir()
    program.write_bytes(b"")
    environment = {"PATH": "", "HOME": str(tmp_path)}

    assert find_program(environment, "linux", lambda path: path == str(program)) == str(program)


@pytest.mark.skipif(sys.platform == "win32", reason="what is a program there is told by its name")
def test_the_one_on_the_path_comes_first(tmp_path: Path) -> None:
    program = tmp_path / "stretchly"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert find_program({"PATH": str(tmp_path)}, is_there=lambda path: True) == str(program)


def test_none_is_found_where_there_is_none() -> None:
    assert find_program({"PATH": "", **WINDOWS}, "win32", lambda path: False) is None


def test_a_named_program_is_called_as_it_was_named() -> None:
    assert named_program(["./it", "-x"], {"HOME": "/h"}) == ("./it", "-x")
    assert named_program(["~/it"], {"HOME": "/h"}) == ("/h/it",)


def check(
    memory: Memory, settings: StretchlySettings, selected: bool = False
) -> dict[str, tuple[CheckLevel, str]]:
    context = FakeContext(
        memory.effects,
        strategies={"stretchly": settings},
        break_sources=["stretchly"] if selected else [],
    )
    return {each.name: (each.level, each.message) for each in StretchlyCheck(context).run()}


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    from attention_stretchly import checks

    monkeypatch.setattr(checks, "find_program", lambda environment: None)


@pytest.mark.usefixtures("nowhere")
def test_the_doctor_is_silent_for_those_who_have_none(memory: Memory) -> None:
    assert check(memory, StretchlySettings()) == {}


@pytest.mark.usefixtures("nowhere")
def test_a_source_that_is_selected_and_has_no_log_is_warned_of(memory: Memory, tmp_path: Path) -> None:
    memory.environment["HOME"] = str(tmp_path)

    found = check(memory, StretchlySettings(), selected=True)

    assert {name: level for name, (level, _) in found.items()} == {
        "stretchly log": CheckLevel.WARNING,
        "stretchly program": CheckLevel.WARNING,
    }
    assert str(tmp_path) in found["stretchly log"][1]


@pytest.mark.usefixtures("nowhere")
def test_an_old_log_is_all_right(memory: Memory, log: LogFile) -> None:
    import os

    log.start()
    os.utime(log.path, (0, 0))

    assert check(memory, StretchlySettings(log=str(log.path)))["stretchly log"] == (
        CheckLevel.OK,
        str(log.path),
    )


def test_a_folder_is_no_log(memory: Memory, tmp_path: Path) -> None:
    level, message = check(memory, StretchlySettings(log=str(tmp_path)))["stretchly log"]

    assert level is CheckLevel.WARNING
    assert str(tmp_path) in message


def test_a_program_that_is_named_and_not_there(memory: Memory) -> None:
    level, message = check(memory, StretchlySettings(program=["/nowhere/it"]))["stretchly program"]

    assert (level, "/nowhere/it" in message) == (CheckLevel.WARNING, True)


def test_a_program_that_is_named_and_there(memory: Memory) -> None:
    level, _ = check(memory, StretchlySettings(program=[sys.executable, "-m", "x"]))["stretchly program"]

    assert level is CheckLevel.OK
