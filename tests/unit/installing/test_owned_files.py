from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework import InstallRefused, OwnedFiles
from attention_framework.installing import Condition
from attention_framework.testing import Crash, Memory

if TYPE_CHECKING:
    from attention_framework import InstallStep

STATE, PATH = Path("/state"), Path("/home/me/.herdr/plugin.toml")


@pytest.fixture
def owned(memory: Memory) -> OwnedFiles:
    return OwnedFiles(STATE, memory.files)


def carry_out(steps: list[InstallStep]) -> list[str]:
    for step in steps:
        step.carry_out()
    return [step.describe for step in steps]


def test_a_file_is_written_once_and_its_plan_says_so(memory: Memory, owned: OwnedFiles) -> None:
    assert carry_out(owned.plan_write(PATH, b"one")) == [f"write {PATH}"]
    assert memory.files.read(PATH) == b"one"
    assert owned.plan_write(PATH, b"one") == []


def test_planning_does_nothing(memory: Memory, owned: OwnedFiles) -> None:
    owned.plan_write(PATH, b"one")
    assert memory.disk.content == {}


def test_a_file_of_ours_is_replaced_and_removed(memory: Memory, owned: OwnedFiles) -> None:
    carry_out(owned.plan_write(PATH, b"one"))
    assert carry_out(owned.plan_write(PATH, b"two")) == [f"replace {PATH}"]
    assert owned.written(PATH.parent) == [PATH]
    assert owned.written(Path("/elsewhere")) == []
    assert carry_out(owned.plan_remove(PATH)) == [f"remove {PATH}"]
    assert not memory.files.exists(PATH)
    assert owned.plan_remove(PATH) == []
    assert owned.written(PATH.parent) == []


def test_a_file_of_the_persons_is_neither_replaced_nor_removed(memory: Memory, owned: OwnedFiles) -> None:
    memory.disk.put(PATH, b"mine")
    with pytest.raises(InstallRefused, match="Move it away"):
        owned.plan_write(PATH, b"one")
    assert owned.plan_remove(PATH) == []


def test_one_that_was_edited_since_is_the_persons(memory: Memory, owned: OwnedFiles) -> None:
    carry_out(owned.plan_write(PATH, b"one"))
    memory.disk.put(PATH, b"one, edited")
    with pytest.raises(InstallRefused, match="not as `attention setup` left it"):
        owned.plan_write(PATH, b"two")
    with pytest.raises(InstallRefused, match="Remove it yourself"):
        owned.plan_remove(PATH)
    assert memory.files.read(PATH) == b"one, edited"


def test_one_that_the_person_removed_is_written_again_and_needs_no_removing(
    memory: Memory, owned: OwnedFiles
) -> None:
    carry_out(owned.plan_write(PATH, b"one"))
    memory.files.remove(PATH)
    assert owned.plan_remove(PATH) == []
    assert carry_out(owned.plan_write(PATH, b"one")) == [f"write {PATH}"]


def test_after_a_crash_at_any_step_the_file_is_known_as_ours() -> None:
    died = 0
    for nth in range(1, 20):
        memory = Memory()
        carry_out(OwnedFiles(STATE, memory.files).plan_write(PATH, b"one"))
        steps = OwnedFiles(STATE, memory.process().files).plan_write(PATH, b"two")
        memory.disk.faults.crash_before(nth)
        try:
            carry_out(steps)
        except Crash:
            died += 1
        memory.disk.faults.clear()
        carry_out(OwnedFiles(STATE, memory.process().files).plan_write(PATH, b"three"))
        assert memory.disk.content[PATH] == b"three", nth
    assert died >= 6


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"files": []}', b'{"files": {"x": "abc"}}', b'{"files": 7}', b"\xff"],
)
def test_a_broken_record_makes_every_file_the_persons(
    memory: Memory, owned: OwnedFiles, content: bytes
) -> None:
    memory.disk.put(STATE / "installed.json", content)
    memory.disk.put(PATH, b"one")
    with pytest.raises(InstallRefused):
        owned.plan_write(PATH, b"two")
    assert owned.plan_remove(PATH) == []
    assert owned.written(PATH.parent) == []


def test_a_full_disk_leaves_the_file_as_it_was(memory: Memory, owned: OwnedFiles) -> None:
    carry_out(owned.plan_write(PATH, b"one"))
    memory.disk.faults.fail("write", errno.ENOSPC, path="*/plugin.toml")
    with pytest.raises(OSError, match="No space left"):
        carry_out(owned.plan_write(PATH, b"two"))
    memory.disk.faults.clear()
    assert memory.files.read(PATH) == b"one"
    assert carry_out(owned.plan_remove(PATH)) == [f"remove {PATH}"]


def test_folders_that_were_made_go_with_the_last_file(memory: Memory, owned: OwnedFiles) -> None:
    memory.disk.add_folder(Path("/home/me"))
    inner, outer = Path("/home/me/.omp/agent/index.ts"), Path("/home/me/.omp/other.ts")
    carry_out(owned.plan_write(inner, b"one"))
    carry_out(owned.plan_write(outer, b"two"))
    carry_out(owned.plan_remove(inner))
    assert not memory.files.exists(inner.parent)
    assert memory.files.exists(outer.parent)
    carry_out(owned.plan_remove(outer))
    assert memory.files.names(Path("/home/me")) == []
    assert not memory.files.exists(outer.parent)
    assert memory.files.exists(Path("/home/me"))
    assert not memory.files.exists(STATE / "installed.json"), "nothing is left to remember"


def test_a_folder_that_the_person_has_put_something_into_stays(memory: Memory, owned: OwnedFiles) -> None:
    memory.disk.add_folder(Path("/home/me"))
    carry_out(owned.plan_write(PATH, b"one"))
    memory.disk.put(PATH.with_name("mine"), b"")
    carry_out(owned.plan_remove(PATH))
    assert memory.files.exists(PATH.parent)


def test_a_folder_that_was_there_stays(memory: Memory, owned: OwnedFiles) -> None:
    memory.disk.add_folder(PATH.parent)
    carry_out(owned.plan_write(PATH, b"one"))
    carry_out(owned.plan_remove(PATH))
    assert memory.files.exists(PATH.parent)


def test_what_has_become_of_a_file(memory: Memory, owned: OwnedFiles) -> None:
    assert owned.condition(PATH) is Condition.ABSENT
    memory.disk.put(PATH, b"mine")
    assert owned.condition(PATH) is Condition.FOREIGN
    memory.files.remove(PATH)
    carry_out(owned.plan_write(PATH, b"one"))
    assert owned.condition(PATH) is Condition.OURS
    memory.disk.put(PATH, b"edited")
    assert owned.condition(PATH) is Condition.EDITED
    memory.files.remove(PATH)
    assert owned.condition(PATH) is Condition.GONE
    owned.forget_what_is_gone()
    assert owned.condition(PATH) is Condition.ABSENT
