r"""A named pipe `\\.\pipe\<path>`, and a marker file at the path itself, which is no socket and no proof of life."""

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
            waiting = _winapi.PeekNamedPipe(self._handle)[0]
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
            if _winapi.WaitForSingleObject(overlapped.event, int(SEND_LIMIT_S * 1000)) != _winapi.WAIT_OBJECT_0:
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
        """What is written stays readable for the client. A handle is closed once: its number may be another's by then."""
        handle, self._handle = self._handle, 0
        if handle:
            _winapi.CloseHandle(handle)


class PipeListener:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._name = PREFIX + str(path)
        self._stop = _winapi.CreateEventW(0, True, False, None)
        self._lock = threading.Lock()
        self._next = self._instance(first=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{os.getpid()}:{time.time_ns()}", encoding="utf-8")

    def accept(self) -> PipeConnection | None:
        handle = self._next
        overlapped = _winapi.ConnectNamedPipe(handle, overlapped=True)
        ready = _winapi.WaitForMultipleObjects([self._stop, overlapped.event], False, _winapi.INFINITE)
        if ready == _winapi.WAIT_OBJECT_0:
            overlapped.cancel()
            with contextlib.suppress(OSError):
                overlapped.GetOverlappedResult(True)
            _winapi.CloseHandle(handle)
            _winapi.CloseHandle(self._stop)
            return None
        self._next = self._instance()
        return PipeConnection(handle)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._path.unlink()
        _winapi.SetEvent(self._stop)

    def _instance(self, *, first: bool = False) -> int:
        mode = _winapi.PIPE_ACCESS_DUPLEX | _winapi.FILE_FLAG_OVERLAPPED | (_FIRST_INSTANCE if first else 0)
        limit = _winapi.PIPE_UNLIMITED_INSTANCES
        return _winapi.CreateNamedPipe(self._name, mode, 0, limit, _BUFFER, _BUFFER, 0, 0)
