from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_herdr.addresses import Address, candidates, config_folder

if TYPE_CHECKING:
    from attention_framework.testing import Memory

HOME = {"HOME": "/home/me"}
PROFILE = {"USERPROFILE": r"C:\Users\me"}
APPDATA = {"APPDATA": r"C:\Users\me\AppData\Roaming"}


@pytest.mark.parametrize(
    ("environment", "windows", "folder"),
    [
        (HOME, False, "/home/me/.config"),
        ({**HOME, "XDG_CONFIG_HOME": "/x"}, False, "/x"),
        ({**HOME, "XDG_CONFIG_HOME": ""}, False, "/home/me/.config"),
        (APPDATA, True, r"C:\Users\me\AppData\Roaming"),
        (PROFILE, True, r"C:\Users\me\AppData\Roaming"),
        ({**APPDATA, "XDG_CONFIG_HOME": r"D:\x"}, True, r"D:\x"),
        ({}, False, None),
        ({}, True, None),
    ],
)
def test_the_configuration_lies_where_herdr_has_it(
    environment: dict[str, str], windows: bool, folder: str | None
) -> None:
    assert config_folder(environment, windows) == folder


def test_the_default_session_and_every_named_one_is_a_candidate(memory: Memory) -> None:
    memory.environment.update(HOME)
    for name in ("work", "play"):
        memory.files.create(Path(f"/home/me/.config/herdr/sessions/{name}/herdr.sock"))
    assert [
        found for found in candidates(memory.effects, windows=False) if "herdr-dev" not in found.path
    ] == [
        Address("/home/me/.config/herdr/herdr.sock", "default"),
        Address("/home/me/.config/herdr/sessions/play/herdr.sock", "play"),
        Address("/home/me/.config/herdr/sessions/work/herdr.sock", "work"),
    ]


def test_the_one_in_the_environment_comes_first_and_once(memory: Memory) -> None:
    own = "/home/me/.config/herdr/sessions/work/herdr.sock"
    memory.files.create(Path(own))
    memory.environment.update(HOME, HERDR_SOCKET_PATH=own)
    found = candidates(memory.effects, windows=False)
    assert found[0] == Address(own, "work")
    assert [address.path for address in found].count(own) == 1


def test_one_that_lies_elsewhere_has_no_name(memory: Memory) -> None:
    memory.environment.update(HOME, HERDR_SOCKET_PATH="/tmp/other.sock")
    assert candidates(memory.effects, windows=False)[0] == Address("/tmp/other.sock")


def test_on_windows_the_pipe_has_the_name_of_the_path(memory: Memory) -> None:
    memory.environment.update(APPDATA, HERDR_SOCKET_PATH="c:/users/me/appdata/roaming/herdr/herdr.sock")
    found = candidates(memory.effects, windows=True)
    assert found[0] == Address("c:/users/me/appdata/roaming/herdr/herdr.sock", "default")
    assert r"C:\Users\me\AppData\Roaming\herdr\herdr.sock" not in {address.path for address in found}


def test_without_a_home_there_is_nothing_to_look_for(memory: Memory) -> None:
    assert candidates(memory.effects, windows=False) == []
