"""The setting of the log has its effect."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework.app import App
from attention_framework.log import Log
from attention_framework.testing import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import World


@pytest.fixture
def loguru() -> Iterator[None]:
    yield
    from loguru import logger

    logger.remove()


@pytest.mark.parametrize("said_before", [True, False])
def test_the_level_of_the_settings_is_in_force(world: World, tmp_path: Path, said_before: bool) -> None:
    world.write('[log]\nlevel = "ERROR"')
    app = App(str(world.file), str(tmp_path / "state"))
    if said_before:
        assert app.log.level == "INFO"

    assert app.configuration.settings.log.level == "ERROR"
    assert app.log.level == "ERROR"


def test_what_is_less_severe_is_not_written(loguru: None) -> None:
    memory = Memory()
    path = Path("/state/attention.log")
    log = Log(path, memory.files)
    log.file_only("x").debug("one")
    log.level = "DEBUG"
    log.file_only("x").debug("two")
    log.level = "ERROR"
    log.file_only("x").warning("three")
    log.file_only("x").error("four")

    written = [line.rpartition(" ")[2] for line in memory.files.read(path).decode().split("\n") if line]

    assert written == ["two", "four"]
