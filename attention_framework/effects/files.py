"""Files on the real disk."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from .appending import alone
from .protocols import Stamp

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .protocols import Lock

T = TypeVar("T")
WINDOWS = sys.platform == "win32"
RETRIES = 20
RETRY_PAUSE_S = 0.01


class RealFiles:
    """See `Files`. On Windows a file that somebody holds open, an antivirus for instance, can be neither
    replaced nor removed for a moment: such steps are tried again.
    """

    def read(self, path: Path) -> bytes:
        return _again(path.read_bytes)

    def read_part(self, path: Path, start: int, most: int) -> bytes:
        with _again(lambda: path.open("rb")) as file:
            file.seek(start)
            return file.read(most)

    def write(self, path: Path, content: bytes) -> None:
        temporary = path.with_name(f".{path.name}.{uuid4().hex[:8]}.tmp")
        try:
            _in_folder(path, lambda: _write_new(temporary, content))
            _again(lambda: os.replace(temporary, path))
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise

    def create(self, path: Path, content: bytes = b"") -> None:
        _in_folder(path, lambda: _write_new(path, content))

    def append(self, path: Path, content: bytes) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = _in_folder(path, lambda: _again(lambda: os.open(path, flags, 0o600)))
        try:
            with alone(descriptor):
                _write_all(descriptor, path, content)
        finally:
            os.close(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        _again(lambda: os.replace(source, target))

    def remove(self, path: Path) -> bool:
        try:
            _again(path.unlink)
        except FileNotFoundError:
            return False
        return True

    def remove_folder(self, path: Path) -> bool:
        try:
            path.rmdir()
        except OSError:
            if path.is_dir() and not any(path.iterdir()):
                raise
            return False
        return True

    def remove_tree(self, path: Path) -> None:
        with contextlib.suppress(FileNotFoundError):
            _again(lambda: shutil.rmtree(path))

    def names(self, folder: Path) -> list[str]:
        try:
            return sorted(name for name in os.listdir(folder) if not name.startswith("."))
        except (FileNotFoundError, NotADirectoryError):
            return []

    def stamps(self, folder: Path) -> dict[str, Stamp]:
        found = {}
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    name = entry.name
                    try:
                        if name[0] != ".":
                            found[name] = _stamp(entry)
                    except FileNotFoundError:  # It has gone meanwhile.
                        continue
        except (FileNotFoundError, NotADirectoryError):
            return {}
        return found

    def exists(self, path: Path) -> bool:
        return path.exists()

    def size(self, path: Path) -> int:
        try:
            return path.stat().st_size
        except FileNotFoundError:
            return 0

    def make_folder(self, path: Path) -> None:
        _make_private(path)

    def try_lock(self, path: Path) -> Lock | None:
        descriptor = _in_folder(path, lambda: os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            taken = _lock(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        if not taken or _was_replaced(descriptor, path):
            os.close(descriptor)
            return None
        return RealLock(descriptor)


class RealLock:
    """Closing the file lets go of the lock; the system does so when the process dies."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _was_replaced(descriptor: int, path: Path) -> bool:
    """Between opening and locking the file may have been removed with its folder: the next one would lock another.
    Windows removes no file that is open.
    """
    if WINDOWS:
        return False
    try:
        return not os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return True


def _stamp(entry: os.DirEntry[str]) -> Stamp:
    """On Windows an entry does not know the number of its file, and learns late of a change."""
    found = os.stat(entry.path) if WINDOWS else entry.stat()
    return Stamp(found.st_mtime * 1000, (found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_size))


def _write_new(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        _write_all(descriptor, path, content)
    except BaseException:
        os.close(descriptor)
        os.unlink(path)
        raise
    os.close(descriptor)


def _write_all(descriptor: int, path: Path, content: bytes) -> None:
    """A disk that is nearly full takes a part and refuses the rest, without saying of which file."""
    rest = memoryview(content)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError as error:
        error.filename = str(path)
        raise


def _in_folder(path: Path, step: Callable[[], T]) -> T:
    """Carry out a step that needs the file's folder, making it only when it turns out to be missing."""
    try:
        return step()
    except FileNotFoundError:
        _make_private(path.parent)
        return step()


def _make_private(folder: Path) -> None:
    """`parents=True` would give the mode to the last folder alone, and leave the others to the umask."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileNotFoundError:
        if folder.parent == folder:  # A drive that is not there.
            raise
        _make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _again(step: Callable[[], T]) -> T:
    for left in range(RETRIES if WINDOWS else 0, 0, -1):
        try:
            return step()
        except PermissionError:
            if left == 1:
                raise
            time.sleep(RETRY_PAUSE_S)
    return step()
