r"""A named pipe `\\.\pipe\<path>`, and a marker file at the path itself, which is no socket and no proof of
life.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from typing import TYPE_CHECKING

from . import SEND_LIMIT_S

if TYPE_CHECKING:
    from pathlib import Path

assert sys.platform == "win32"

import _winapi  # The module behind multiprocessing's pipes; the standard library has no public one.  # noqa: E402

PREFIX = "\\\\.\\pipe\\"
_BUFFER = 65536
_FIRST_INSTANCE = 0x00080000


class PipeConnection:
    def __init__(self, handle: int) -> None:
        self._handle = handle

    def available(self) -> bytes | None:
        try:
            waiting = int(_winapi.PeekNamedPipe(self._handle)[0])
            if not waiting:
                return None
            overlapped, _ = _winapi.ReadFile(self._handle, waiting, overlapped=True)
            overlapped.GetOverlappedResult(True)
            return bytes(overlapped.getbuffer() or b"")
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        while data:
            overlapped, _ = _winapi.WriteFile(self._handle, data[:_BUFFER], overlapped=True)
            if (
                _winapi.WaitForSingleObject(overlapped.event, int(SEND_LIMIT_S * 1000))
                != _winapi.WAIT_OBJECT_0
            ):
                overlapped.cancel()
                raise TimeoutError("the client does not read")
            written, _ = overlapped.GetOverlappedResult(True)
            data = data[written:]

    def ended(self) -> bool:
        """Only a real disconnect ends a stream here; bytes that a subscriber writes stay unread."""
        try:
            _winapi.PeekNamedPipe(self._handle)
        except OSError:
            return True
        return False

    def close(self) -> None:
        """What is written stays readable for the client.
        A handle is closed once: its number may be another's by then.
        """
        handle, self._handle = self._handle, 0
        if handle:
            _winapi.CloseHandle(handle)


class PipeListener:
    """One instance of the pipe is always there and waits for the next client."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = PREFIX + str(path)
        self._lock = threading.Lock()
        self._closed = False
        self._waiting: _winapi.Overlapped | None = None
        self._next = self._instance(_FIRST_INSTANCE)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{os.getpid()}:{time.time_ns()}", encoding="utf-8")

    def accept(self) -> PipeConnection | None:
        handle = self._next
        with self._lock:
            if not self._closed:
                self._waiting = _winapi.ConnectNamedPipe(handle, overlapped=True)
        with contextlib.suppress(OSError):  # A client that has left already, or `close`.
            if self._waiting is not None:
                _winapi.WaitForSingleObject(self._waiting.event, _winapi.INFINITE)
                self._waiting.GetOverlappedResult(True)
        if self._closed:
            _winapi.CloseHandle(handle)
            return None
        self._next = self._instance()
        return PipeConnection(handle)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()
        with self._lock:
            self._closed = True
            if self._waiting is not None:
                with contextlib.suppress(OSError):
                    self._waiting.cancel()

    def _instance(self, more: int = 0) -> int:
        mode = _winapi.PIPE_ACCESS_DUPLEX | _winapi.FILE_FLAG_OVERLAPPED | more
        return _winapi.CreateNamedPipe(
            self._name, mode, 0, _winapi.PIPE_UNLIMITED_INSTANCES, _BUFFER, _BUFFER, 0, 0
        )
