from __future__ import annotations

from pathlib import Path

import pytest

from attention_framework import InstallRefused, OwnedFiles
from attention_framework.testing import Memory

STATE = Path("/state")
FILE = Path("/other/file")
BROKEN = [
    b"",
    b"\xff\x00",
    b"[]",
    b"{}",
    b'{"files": null}',
    b'{"files": []}',
    b'{"files": {"/other/file": 3}}',
    b"[" * 100_000,
]


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def owned(memory: Memory) -> OwnedFiles:
    return OwnedFiles(STATE, memory.files)


def write(owned: OwnedFiles, content: bytes = b"ours") -> None:
    for step in owned.plan_write(FILE, content):
        step.carry_out()


@pytest.mark.parametrize("record", BROKEN)
def test_a_record_that_is_lost_is_said_before_anything_is_taken_back(
    owned: OwnedFiles, memory: Memory, record: bytes
) -> None:
    write(owned)
    memory.files.write(STATE / "installed.json", record)
    with pytest.raises(InstallRefused, match=r"installed\.json.*attention setup"):
        owned.refuse_lost_record()


@pytest.mark.parametrize("record", BROKEN)
def test_setup_begins_a_record_that_is_lost_anew(owned: OwnedFiles, memory: Memory, record: bytes) -> None:
    write(owned)
    memory.files.write(STATE / "installed.json", record)
    write(owned)
    owned.refuse_lost_record()
    for step in owned.plan_remove(FILE):
        step.carry_out()
    assert not memory.files.exists(FILE)


def test_where_nothing_was_set_up_no_record_is_missed(owned: OwnedFiles) -> None:
    owned.refuse_lost_record()
