from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework.log import MAX_BYTES, Log

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework.testing import Memory

PATH = Path("/state/attention.log")


@pytest.fixture
def log(memory: Memory) -> Iterator[Log]:
    yield Log(PATH, memory.files)
    from loguru import logger

    logger.remove()


def lines(memory: Memory, path: Path = PATH) -> list[str]:
    return memory.files.read(path).decode().splitlines()


def test_a_message_names_who_said_it(memory: Memory, log: Log) -> None:
    log.named("omp-keys").info("pressed {}", "f12")
    assert lines(memory)[0].endswith("INFO    omp-keys: pressed f12")


def test_a_warning_goes_to_the_person_too_unless_told_already(
    memory: Memory, log: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    log.named("herdr").info("quiet")
    log.named("herdr").warning("protocol {}", 99)
    log.file_only("herdr").error("told already")
    assert capsys.readouterr().err == "attention: herdr: protocol 99\n"
    assert len(lines(memory)) == 3


def test_braces_of_a_message_without_arguments_stay(memory: Memory, log: Log) -> None:
    log.file_only("attention").warning("{}", 'a reply was {"error": {}}')
    assert lines(memory)[0].endswith('a reply was {"error": {}}')


def test_a_file_that_has_grown_is_kept_as_one_older(memory: Memory, log: Log) -> None:
    memory.disk.put(PATH, b"x" * (MAX_BYTES + 1))
    log.named("a").info("after")
    assert memory.files.size(PATH.with_name("attention.1.log")) == MAX_BYTES + 1
    assert lines(memory)[0].endswith("after")


@pytest.mark.parametrize("operation", ["append", "rename", "size"])
def test_a_log_that_cannot_be_written_fills_no_screen(
    memory: Memory, log: Log, capsys: pytest.CaptureFixture[str], operation: str
) -> None:
    memory.disk.put(PATH, b"x" * (MAX_BYTES + 1))
    memory.disk.faults.fail(operation, errno.ENOSPC)
    log.named("a").info("hello")
    assert capsys.readouterr().err == ""


def test_half_a_character_is_no_error(memory: Memory, log: Log) -> None:
    log.named("a").info("label {}", "\ud83d")
    assert "label ?" in lines(memory)[0]


def test_without_streams_the_file_is_written_all_the_same(
    memory: Memory, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    log.named("a").warning("under pythonw")
    assert lines(memory)[0].endswith("under pythonw")


def test_loguru_is_imported_with_the_first_message_and_not_before(memory: Memory) -> None:
    log = Log(PATH, memory.files)
    log.named("a")
    assert "logger" not in log.__dict__
