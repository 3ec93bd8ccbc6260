"""The in-memory disk keeps the promises of `Files`, and breaks them only as it is told to.

The promises are tested on the real disk, too.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.effects import Files, real_effects
from attention_framework.testing import Crash, Memory, MemoryDisk

if TYPE_CHECKING:
    from collections.abc import Callable


class TestFilesOfBothKinds:
    @pytest.fixture(params=["memory", "real"])
    def world(self, request: Any, tmp_path: Path) -> tuple[Files, Path]:
        return (
            (MemoryDisk().process(), Path("/state"))
            if request.param == "memory"
            else (real_effects().files, tmp_path)
        )

    def test_a_file_is_written_read_and_replaced(self, world: tuple[Files, Path]) -> None:
        files, root = world
        files.write(root / "a" / "b.json", b"one")
        files.write(root / "a" / "b.json", b"two")
        assert files.read(root / "a" / "b.json") == b"two"
        assert files.size(root / "a" / "b.json") == 3
        assert files.names(root / "a") == ["b.json"]

    def test_what_is_not_there_is_named_in_the_error(self, world: tuple[Files, Path]) -> None:
        files, root = world
        with pytest.raises(FileNotFoundError, match="nothing"):
            files.read(root / "nothing")
        assert files.names(root / "nothing") == []
        assert files.size(root / "nothing") == 0
        assert not files.exists(root / "nothing")
        assert not files.remove(root / "nothing")
        with pytest.raises(FileNotFoundError):
            files.rename(root / "nothing", root / "other")

    def test_creating_never_replaces(self, world: tuple[Files, Path]) -> None:
        files, root = world
        files.create(root / "wake" / "1", b"first")
        with pytest.raises(FileExistsError):
            files.create(root / "wake" / "1", b"second")
        assert files.read(root / "wake" / "1") == b"first"

    def test_a_rename_goes_over_what_is_there(self, world: tuple[Files, Path]) -> None:
        files, root = world
        files.write(root / "a", b"new")
        files.write(root / "b", b"old")
        files.rename(root / "a", root / "b")
        assert files.names(root) == ["b"]
        assert files.read(root / "b") == b"new"

    def test_appending_makes_the_file_and_adds(self, world: tuple[Files, Path]) -> None:
        files, root = world
        files.append(root / "new" / "journal", b"1\n")
        files.append(root / "new" / "journal", b"2\n")
        assert files.read(root / "new" / "journal") == b"1\n2\n"

    def test_a_lock_is_held_once_and_its_file_stays(self, world: tuple[Files, Path]) -> None:
        files, root = world
        lock = files.try_lock(root / "runner.lock")
        assert lock is not None
        assert files.try_lock(root / "runner.lock") is None
        lock.release()
        lock.release()
        again = files.try_lock(root / "runner.lock")
        assert again is not None
        again.release()
        assert files.exists(root / "runner.lock")

    def test_names_show_folders_and_hide_temporary_files(self, world: tuple[Files, Path]) -> None:
        files, root = world
        files.write(root / "x" / "deep" / "er" / "file", b"")
        files.write(root / "x" / ".hidden", b"")
        assert files.names(root / "x") == ["deep"]
        assert files.names(root / "x" / "deep") == ["er"]
        assert files.exists(root / "x" / "deep")

    def test_a_folder_goes_only_when_nothing_is_in_it_hidden_files_included(
        self, world: tuple[Files, Path]
    ) -> None:
        files, root = world
        files.write(root / "x" / ".hidden", b"")
        assert not files.remove_folder(root / "x")
        files.remove(root / "x" / ".hidden")
        assert files.remove_folder(root / "x")
        assert not files.remove_folder(root / "x")
        assert not files.exists(root / "x")

    def test_a_tree_goes_as_a_whole_and_its_absence_is_no_error(self, world: tuple[Files, Path]) -> None:
        files, root = world
        files.write(root / "x" / "deep" / "file", b"")
        files.write(root / "xy", b"")
        files.remove_tree(root / "x")
        files.remove_tree(root / "x")
        assert files.names(root) == ["xy"]


PATH = Path("/state/focus.json")


def test_a_lock_is_free_when_its_holder_dies() -> None:
    disk = MemoryDisk()
    holder, other = disk.process(), disk.process()
    assert holder.try_lock(PATH)
    assert other.try_lock(PATH) is None
    holder.die()
    assert other.try_lock(PATH)


def test_a_dead_process_changes_nothing_more() -> None:
    disk = MemoryDisk()
    files = disk.process()
    files.die()
    with pytest.raises(Crash):
        files.write(PATH, b"late")
    assert not disk.process().exists(PATH)


def test_the_old_lock_object_of_a_dead_holder_does_not_free_the_new_one() -> None:
    disk = MemoryDisk()
    holder, other = disk.process(), disk.process()
    lock = holder.try_lock(PATH)
    assert lock
    holder.die()
    assert other.try_lock(PATH)
    lock.release()
    assert disk.process().try_lock(PATH) is None


@pytest.mark.parametrize("crash", ["crash_before", "crash_after"])
def test_a_crash_at_any_step_of_a_write_leaves_the_old_content_or_the_new(crash: str) -> None:
    seen = set()
    for step in (1, 2):
        disk = MemoryDisk()
        files = disk.process()
        files.write(PATH, b"old")
        getattr(disk.faults, crash)(step)
        with pytest.raises(Crash):
            files.write(PATH, b"new")
        disk.faults.clear()
        seen.add(disk.process().read(PATH))
        assert disk.process().names(PATH.parent) == [PATH.name]
    assert seen == ({b"old"} if crash == "crash_before" else {b"old", b"new"})


def test_a_crash_passes_by_handlers_of_ordinary_errors() -> None:
    disk = MemoryDisk()
    disk.faults.crash_before(1)
    with pytest.raises(Crash):
        _swallowing(lambda: disk.process().read(PATH))


def test_a_process_may_die_after_an_operation_that_fails(memory: Memory) -> None:
    memory.disk.faults.crash_after(1)
    with pytest.raises(Crash):
        memory.files.read(PATH)


def test_a_full_disk_fails_writers_and_keeps_what_is_there(memory: Memory) -> None:
    memory.files.write(PATH, b"old")
    memory.disk.faults.full_disk()
    with pytest.raises(OSError, match="focus") as caught:
        memory.files.write(PATH, b"new")
    assert caught.value.errno == errno.ENOSPC
    assert memory.files.read(PATH) == b"old"
    memory.disk.faults.clear()
    memory.files.write(PATH, b"new")
    assert memory.files.read(PATH) == b"new"


def test_a_fault_hits_the_operation_and_path_it_names_and_only_so_often(memory: Memory) -> None:
    memory.disk.faults.fail("replace", errno.EACCES, path="*/focus.json", times=1)
    memory.files.write(PATH.with_name("other.json"), b"")
    with pytest.raises(PermissionError):
        memory.files.write(PATH, b"")
    assert memory.disk.folders[PATH.parent] == {"other.json"}, "a failed write leaves no temporary file"
    memory.files.write(PATH, b"")


def test_somebody_else_may_go_first_before_every_operation(memory: Memory) -> None:
    seen = []
    memory.disk.on_operation = lambda operation, path: seen.append(operation)
    memory.files.write(PATH, b"")
    memory.files.read(PATH)
    assert seen == ["write", "replace", "read"]


def _swallowing(step: Callable[[], object]) -> None:
    try:
        step()
    except Exception:
        return
