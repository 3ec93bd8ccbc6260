"""A disk in memory that several processes use, with files that are replaced in one step, kernel locks, and faults."""

from __future__ import annotations

import errno
import os
import threading
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

from ..effects.protocols import Stamp
from .faults import Crash, Faults

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class MemoryDisk:
    """The files on a disk. A process reads and writes them through its own `MemoryFiles`, made by `process()`. A test may
    also look at them and change them here: that counts as no operation, and no fault hits it.
    """

    def __init__(self) -> None:
        self.content: dict[Path, bytes] = {}
        """The content of each file."""
        self.folders: dict[Path, set[str]] = {}
        """The names of the files and folders in each folder."""
        self.locks: dict[Path, MemoryLock] = {}
        """The locks that are held, by the path of the locked file."""
        self.temporaries: Iterator[int] = count(1)
        """Numbers for the names of temporary files. They are the same in every run, so a test always runs alike."""
        self.faults = Faults()
        """What goes wrong in operations, and when."""
        self.on_operation: Callable[[str, Path], None] | None = None
        """Called before every operation of a process, with the operation and the path. Here a test can let another process
        act first.
        """
        self.guard = threading.RLock()
        """Held during every operation, so that several threads can use the disk."""

    def process(self) -> MemoryFiles:
        """Make the access to the disk for another process."""
        return MemoryFiles(self)

    def put(self, path: Path, content: bytes) -> None:
        """Write a file, and make its folders."""
        self.add_folder(path.parent)
        self.folders[path.parent].add(path.name)
        self.content[path] = content

    def add_folder(self, folder: Path) -> None:
        """Make a folder, and its parents."""
        if folder in self.folders:
            return
        self.folders[folder] = set()
        if folder.parent != folder:
            self.add_folder(folder.parent)
            self.folders[folder.parent].add(folder.name)

    def take(self, path: Path) -> bytes:
        """Remove a file, and return its content. Raises KeyError if it is not there."""
        content = self.content.pop(path)
        self.folders[path.parent].discard(path.name)
        return content


class MemoryLock:
    """A `Lock` that one process holds until it releases it or dies."""

    def __init__(self, disk: MemoryDisk, path: Path, holder: MemoryFiles) -> None:
        self._disk = disk
        self._path = path
        self.holder = holder

    def release(self) -> None:
        with self._disk.guard:
            if self._disk.locks.get(self._path) is self:
                del self._disk.locks[self._path]


class MemoryFiles:
    """The `Files` of one process on a `MemoryDisk`. When the process dies, its locks are free, and it can do nothing more."""

    def __init__(self, disk: MemoryDisk) -> None:
        self.disk = disk
        """The disk that it reads and writes."""
        self.dead = False
        """True once the process has died: from then on every method raises Crash."""

    def die(self) -> None:
        """Let the process die now, as `kill -9` does."""
        with self.disk.guard:
            self.dead = True
            self.disk.locks = {
                path: lock for path, lock in self.disk.locks.items() if lock.holder is not self
            }

    @contextmanager
    def _operation(self, operation: str, path: Path) -> Iterator[None]:
        if self.disk.on_operation is not None and not self.dead:
            self.disk.on_operation(operation, path)
        with self.disk.guard:
            if self.dead:
                raise Crash(f"a dead process does nothing: {operation} {path}")
            try:
                self.disk.faults.enter(operation, path)
                try:
                    yield
                finally:  # Also after an error: the process may die before it sees it.
                    self.disk.faults.leave(operation, path)
            except Crash:
                self.die()
                raise

    def read(self, path: Path) -> bytes:
        with self._operation("read", path):
            if path in self.disk.folders:
                raise _error(errno.EISDIR, path)
            return self._existing(path)

    def read_part(self, path: Path, start: int, most: int) -> bytes:
        return self.read(path)[start : start + most]

    def write(self, path: Path, content: bytes) -> None:
        temporary = path.with_name(f".{path.name}.{next(self.disk.temporaries)}.tmp")
        with self._operation("write", path):
            self.disk.put(temporary, content)
        try:
            with self._operation("replace", path):
                if path in self.disk.folders:
                    raise _error(errno.EISDIR, path)
                self.disk.put(path, self.disk.take(temporary))
        except OSError:
            self.disk.take(temporary)
            raise

    def create(self, path: Path, content: bytes = b"") -> None:
        with self._operation("create", path):
            if path in self.disk.content or path in self.disk.folders:
                raise _error(errno.EEXIST, path)
            self.disk.put(path, content)

    def append(self, path: Path, content: bytes) -> None:
        with self._operation("append", path):
            self.disk.put(path, self.disk.content.get(path, b"") + content)

    def rename(self, source: Path, target: Path) -> None:
        with self._operation("rename", source):
            self._existing(source)
            if target.parent not in self.disk.folders:
                raise _error(errno.ENOENT, target)
            self.disk.put(target, self.disk.take(source))

    def remove(self, path: Path) -> bool:
        with self._operation("remove", path):
            if path not in self.disk.content:
                return False
            self.disk.take(path)
            return True

    def remove_folder(self, path: Path) -> bool:
        with self._operation("remove_folder", path):
            if self.disk.folders.get(path) != set():
                return False
            self._drop_folder(path)
            return True

    def remove_tree(self, path: Path) -> None:
        with self._operation("remove_tree", path):
            for file in [file for file in self.disk.content if file.is_relative_to(path)]:
                self.disk.take(file)
            below = [folder for folder in self.disk.folders if folder.is_relative_to(path)]
            for folder in sorted(below, key=lambda folder: -len(folder.parts)):
                self._drop_folder(folder)

    def names(self, folder: Path) -> list[str]:
        with self._operation("names", folder):
            return sorted(name for name in self.disk.folders.get(folder, ()) if not name.startswith("."))

    def stamps(self, folder: Path) -> dict[str, Stamp]:
        with self._operation("stamps", folder):
            names = [name for name in self.disk.folders.get(folder, ()) if not name.startswith(".")]
            return {name: self._stamp(folder / name) for name in names}

    def exists(self, path: Path) -> bool:
        with self._operation("exists", path):
            return path in self.disk.content or path in self.disk.folders

    def size(self, path: Path) -> int:
        with self._operation("size", path):
            return len(self.disk.content.get(path, b""))

    def make_folder(self, path: Path) -> None:
        with self._operation("make_folder", path):
            if path in self.disk.content:
                raise _error(errno.EEXIST, path)
            self.disk.add_folder(path)

    def try_lock(self, path: Path) -> MemoryLock | None:
        with self._operation("try_lock", path):
            if path not in self.disk.content:
                self.disk.put(path, b"")
            if path in self.disk.locks:
                return None
            lock = self.disk.locks[path] = MemoryLock(self.disk, path, self)
            return lock

    def _stamp(self, path: Path) -> Stamp:
        """Made of the size and a hash of the content. These tell two contents apart, so the time of writing is 0."""
        content = self.disk.content.get(path, b"")
        return Stamp(0.0, (len(content), hash(content)))

    def _existing(self, path: Path) -> bytes:
        if path not in self.disk.content:
            raise _error(errno.ENOENT, path)
        return self.disk.content[path]

    def _drop_folder(self, folder: Path) -> None:
        self.disk.folders.pop(folder)
        self.disk.folders.get(folder.parent, set()).discard(folder.name)


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
