from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from attention_framework.effects import appending, real_effects
from attention_framework.effects import files as files_module

FILES = real_effects().files
WINDOWS = sys.platform == "win32"
posix = pytest.mark.skipif(WINDOWS, reason="modes are POSIX")
has_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writing_replaces_the_whole_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    FILES.write(path, b"a long content")
    FILES.write(path, b"short")
    assert FILES.read(path) == b"short"
    assert names(tmp_path) == ["a.json"]


def test_a_reader_sees_the_old_or_the_new_content_and_nothing_between(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    contents = {b"a" * 100_000, b"b" * 50_000}
    FILES.write(path, b"a" * 100_000)
    done, written = threading.Event(), []

    def write() -> None:
        try:
            for _ in range(50):
                for content in contents:
                    FILES.write(path, content)
            written.append(True)
        finally:
            done.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = {FILES.read(path)}
    while not done.wait(0.02 if WINDOWS else 0):  # There a file that is always open cannot be replaced.
        seen.add(FILES.read(path))
    writer.join()
    assert seen <= contents
    assert written


@posix
def test_new_files_are_for_their_user_alone(tmp_path: Path) -> None:
    FILES.write(tmp_path / "made" / "a", b"")
    FILES.create(tmp_path / "b")
    FILES.append(tmp_path / "c", b"")
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("made/a", "b", "c", "made")]
    assert modes == [0o600, 0o600, 0o600, 0o700]


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    FILES.write(tmp_path / "a" / "b" / "x", b"1")
    FILES.create(tmp_path / "c" / "x", b"2")
    FILES.append(tmp_path / "d" / "x", b"3")
    lock = FILES.try_lock(tmp_path / "e" / "lock")
    assert lock is not None
    lock.release()
    assert [FILES.read(tmp_path / name / "x") for name in ("a/b", "c", "d")] == [b"1", b"2", b"3"]


def test_creating_is_for_one_alone(tmp_path: Path) -> None:
    path = tmp_path / "marker"
    made = []

    def create(content: bytes) -> None:
        try:
            FILES.create(path, content)
            made.append(content)
        except FileExistsError:
            pass

    threads = [threading.Thread(target=create, args=(b"%d" % number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert FILES.read(path) == made[0]


def test_appending_keeps_what_is_there(tmp_path: Path) -> None:
    for line in (b"one\r\n", b"two\n"):
        FILES.append(tmp_path / "log", line)
    assert FILES.read(tmp_path / "log") == b"one\r\ntwo\n"
    assert FILES.size(tmp_path / "log") == 9


APPENDER = """
import sys
from pathlib import Path
from attention_framework.effects import real_effects
path, who, lines = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(lines):
    real_effects().files.append(path, f"{who} {number}\\n".encode())
"""
LINES = 1_000


def test_processes_that_append_at_once_lose_no_line(tmp_path: Path) -> None:
    log = tmp_path / "log"
    started = [
        subprocess.Popen([sys.executable, "-c", APPENDER, str(log), who, str(LINES)]) for who in "abcd"
    ]
    assert [process.wait(120) for process in started] == [0] * len(started)
    whole = [f"{who} {number}" for who in "abcd" for number in range(LINES)]
    assert sorted(FILES.read(log).decode().splitlines()) == sorted(whole)


@pytest.mark.skipif(
    not WINDOWS, reason="only there two steps lie between the end of a file and a line behind it"
)
class TestAppendingOnWindows:
    def test_one_waits_for_the_line_of_another(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        log = tmp_path / "log"
        other = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0))
        with contextlib.ExitStack() as in_the_middle:
            in_the_middle.enter_context(appending.alone(other))

            def other_goes_on(seconds: float) -> None:
                os.write(other, b"other\n")
                in_the_middle.close()

            monkeypatch.setattr(appending.time, "sleep", other_goes_on)
            FILES.append(log, b"mine\n")
        os.close(other)
        assert FILES.read(log) == b"other\nmine\n"

    def test_a_stopped_one_does_not_cost_the_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log = tmp_path / "log"
        other = os.open(log, os.O_WRONLY | os.O_CREAT)
        times = iter(range(0, 100, 3))
        monkeypatch.setattr(appending.time, "sleep", lambda seconds: None)
        monkeypatch.setattr(appending.time, "monotonic", lambda: float(next(times)))
        with appending.alone(other):
            FILES.append(log, b"mine\n")
        os.close(other)
        assert FILES.read(log) == b"mine\n"

    def test_the_place_of_the_dead_is_free(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        log = tmp_path / "log"
        dead = os.open(log, os.O_WRONLY | os.O_CREAT)
        appending.alone(dead).__enter__()
        os.close(dead)
        FILES.append(log, b"mine\n")
        assert FILES.read(log) == b"mine\n"


def test_what_is_not_there_is_said_so(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    with pytest.raises(FileNotFoundError):
        FILES.read(gone)
    with pytest.raises(FileNotFoundError):
        FILES.rename(gone, tmp_path / "target")
    assert FILES.names(gone) == []
    assert FILES.size(gone) == 0
    assert not FILES.exists(gone)
    assert not FILES.remove(gone)
    assert not FILES.remove_folder(gone)
    FILES.remove_tree(gone)


def test_renaming_goes_over_what_is_there(tmp_path: Path) -> None:
    FILES.write(tmp_path / "a", b"a")
    FILES.write(tmp_path / "b", b"b")
    FILES.rename(tmp_path / "a", tmp_path / "b")
    assert names(tmp_path) == ["b"]
    assert FILES.read(tmp_path / "b") == b"a"


def test_removing_says_whether_it_was_there(tmp_path: Path) -> None:
    FILES.write(tmp_path / "a", b"")
    assert FILES.remove(tmp_path / "a")
    assert not FILES.remove(tmp_path / "a")


def test_a_folder_is_removed_only_when_nothing_is_in_it(tmp_path: Path) -> None:
    FILES.write(tmp_path / "a" / ".hidden", b"")
    assert not FILES.remove_folder(tmp_path / "a")
    FILES.remove(tmp_path / "a" / ".hidden")
    assert FILES.remove_folder(tmp_path / "a")
    assert names(tmp_path) == []


def test_a_tree_is_removed_with_all_that_is_in_it(tmp_path: Path) -> None:
    FILES.write(tmp_path / "a" / "b" / "c", b"")
    FILES.remove_tree(tmp_path / "a")
    assert names(tmp_path) == []


def test_temporary_names_are_not_listed(tmp_path: Path) -> None:
    for name in ("b", "a", ".a.123.tmp"):
        FILES.write(tmp_path / name, b"")
    assert FILES.names(tmp_path) == ["a", "b"]


def test_a_write_that_fails_leaves_the_old_file_and_no_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    FILES.write(path, b"old")

    def fails(*arguments: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files_module.os, "write", fails)
    with pytest.raises(OSError, match="No space left"):
        FILES.write(path, b"new")
    monkeypatch.undo()
    assert FILES.read(path) == b"old"
    assert names(tmp_path) == ["a"]


def test_a_disk_that_takes_only_a_part_is_given_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(files_module.os, "write", lambda descriptor, content: write(descriptor, content[:3]))
    FILES.append(tmp_path / "log", b"a whole line\n")
    FILES.write(tmp_path / "a", b"a whole file")
    monkeypatch.undo()
    assert FILES.read(tmp_path / "log") == b"a whole line\n"
    assert FILES.read(tmp_path / "a") == b"a whole file"


@has_full
def test_an_error_of_the_disk_names_the_file() -> None:
    with pytest.raises(OSError, match="No space left") as caught:
        FILES.append(Path("/dev/full"), b"x")
    assert caught.value.filename == str(Path("/dev/full"))


class TestWindows:
    """A file that somebody holds open for a moment can be neither replaced nor removed there."""

    def busy(self, monkeypatch: pytest.MonkeyPatch, times: int) -> list[str]:
        paused: list[str] = []
        left = [times]
        replace = os.replace

        def busy_replace(source: Any, target: Any) -> None:
            if left[0]:
                left[0] -= 1
                raise PermissionError(errno.EACCES, "in use", str(target))
            replace(source, target)

        monkeypatch.setattr(files_module, "WINDOWS", True)
        monkeypatch.setattr(files_module.os, "replace", busy_replace)
        monkeypatch.setattr(files_module.time, "sleep", lambda seconds: paused.append("pause"))
        return paused

    def test_it_is_tried_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        paused = self.busy(monkeypatch, files_module.RETRIES - 1)
        FILES.write(tmp_path / "a", b"new")
        assert FILES.read(tmp_path / "a") == b"new"
        assert len(paused) == files_module.RETRIES - 1

    def test_but_not_for_ever(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.busy(monkeypatch, 1_000)
        with pytest.raises(PermissionError):
            FILES.write(tmp_path / "a", b"new")
        assert names(tmp_path) == []


HOLDER = """
import sys, time
from pathlib import Path
from attention_framework.effects import real_effects
lock = real_effects().files.try_lock(Path(sys.argv[1]))
print("taken" if lock else "busy", flush=True)
sys.stdin.read()
"""


class TestLock:
    def hold(self, path: Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def test_one_has_it_until_it_lets_go(self, tmp_path: Path) -> None:
        path = tmp_path / "lock"
        lock = FILES.try_lock(path)
        assert lock is not None
        assert FILES.try_lock(path) is None
        lock.release()
        lock.release()
        again = FILES.try_lock(path)
        assert again is not None
        again.release()
        assert path.exists(), "letting go removes no file"

    def test_another_process_does_not_get_it_meanwhile(self, tmp_path: Path) -> None:
        lock = FILES.try_lock(tmp_path / "lock")
        assert lock is not None
        with self.hold(tmp_path / "lock") as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "busy\n"
            other.communicate(timeout=60)
        lock.release()

    def test_it_is_free_when_its_holder_was_killed(self, tmp_path: Path) -> None:
        with self.hold(tmp_path / "lock") as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "taken\n"
            assert FILES.try_lock(tmp_path / "lock") is None
            os.kill(holder.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
            holder.wait(60)
        lock = FILES.try_lock(tmp_path / "lock")
        assert lock is not None
        lock.release()

    @posix
    def test_a_lock_that_cannot_be_asked_for_leaves_no_file_open(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import fcntl

        def fails(*arguments: object) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        monkeypatch.setattr(fcntl, "flock", fails)
        before = len(os.listdir("/dev/fd"))
        with pytest.raises(OSError, match="No locks"):
            FILES.try_lock(tmp_path / "lock")
        assert len(os.listdir("/dev/fd")) == before

    @posix
    def test_a_file_that_was_removed_before_it_was_locked_is_no_lock(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else two could hold two files of one name."""
        import fcntl

        real, path = fcntl.flock, tmp_path / "lock"

        def late(descriptor: int, how: int) -> None:
            path.unlink()
            real(descriptor, how)

        monkeypatch.setattr(fcntl, "flock", late)
        assert FILES.try_lock(path) is None
        monkeypatch.setattr(fcntl, "flock", real)
        lock = FILES.try_lock(path)
        assert lock is not None
        lock.release()
