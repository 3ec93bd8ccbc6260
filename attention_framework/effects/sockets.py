"""Real sockets: Unix sockets, and named pipes on Windows."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from .protocols import Connection, Listener

CHUNK = 65_536
BACKLOG = 512
LOCAL = "127.0.0.1"
ANSWER_WITHIN_S = 5.0
"""A client that has connected to us and does not read is left after so long."""
PIPE_BUSY_PAUSE_S = 0.01


class RealSockets:
    def connect(self, address: str, first: bytes, timeout_s: float) -> Connection:
        if sys.platform == "win32":
            return PipeConnection(_open_pipe(address, timeout_s), first)
        return _connected(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), address, first, timeout_s)  # type: ignore[attr-defined,unused-ignore]

    def connect_local(self, port: int, first: bytes, timeout_s: float) -> Connection:
        return _connected(socket.socket(socket.AF_INET), (LOCAL, port), first, timeout_s)

    def listen(self, path: Path | None) -> Listener:
        return SocketListener(_bound(path))


def _bound(path: Path | None) -> socket.socket:
    """Nobody can connect before it listens, so its mode is narrowed in time."""
    family = socket.AF_INET if path is None else socket.AF_UNIX  # type: ignore[attr-defined,unused-ignore]
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.bind((LOCAL, 0) if path is None else str(path))
        if path is not None:
            os.chmod(path, 0o600)
        opened.listen(BACKLOG)
    except BaseException:
        opened.close()
        raise
    return opened


class SocketListener:
    """See `Listener`."""

    def __init__(self, opened: socket.socket) -> None:
        self._socket = opened
        self._closed = False
        name = opened.getsockname()
        self.port = int(name[1]) if isinstance(name, tuple) else 0

    def accept(self, timeout_s: float) -> Connection | None:
        try:
            self._socket.settimeout(timeout_s)
            opened, _ = self._socket.accept()
        except TimeoutError:
            return None
        except OSError:
            if self._closed:
                return None
            raise
        return SocketConnection(opened, ANSWER_WITHIN_S)

    def close(self) -> None:
        self._closed = True
        with contextlib.suppress(OSError):  # Where the system can, this ends a wait at once.
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class _Lines:
    """Cuts what arrives into lines."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def add(self, chunk: bytes) -> None:
        self._buffer += chunk

    def take(self, limit: int) -> bytes | None:
        end = self._buffer.find(b"\n")
        if (end if end >= 0 else len(self._buffer)) > limit:
            raise ValueError(f"a line of more than {limit} bytes")
        if end < 0:
            return None
        line = bytes(self._buffer[: end + 1])
        del self._buffer[: end + 1]
        return line

    def rest(self) -> bytes:
        rest = bytes(self._buffer)
        self._buffer.clear()
        return rest


class _Closes(ABC):
    @abstractmethod
    def close(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _connected(opened: socket.socket, address: object, first: bytes, timeout_s: float) -> SocketConnection:
    try:
        opened.settimeout(timeout_s)
        opened.connect(address)  # type: ignore[arg-type]
        if first:  # Nothing to send must not ask whether the peer still reads.
            opened.sendall(first)
    except BaseException:
        opened.close()
        raise
    return SocketConnection(opened, timeout_s)


class SocketConnection(_Closes):
    def __init__(self, opened: socket.socket, timeout_s: float) -> None:
        self._lines = _Lines()
        self._socket = opened
        self._timeout_s = timeout_s
        if opened.family == socket.AF_INET:  # Small lines both ways must not wait for each other.
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> SocketConnection:
        return self

    def send(self, content: bytes) -> None:
        self._socket.settimeout(self._timeout_s)
        self._socket.sendall(content)

    def receive_line(self, timeout_s: float, limit: int) -> bytes:
        end = time.monotonic() + timeout_s
        while (line := self._lines.take(limit)) is None:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no line within {timeout_s:g} s")
            self._socket.settimeout(left)
            chunk = self._socket.recv(CHUNK)
            if not chunk:
                return self._lines.rest()
            self._lines.add(chunk)
        return line

    def close(self) -> None:
        self._socket.close()


class PipeConnection(_Closes):
    """A named pipe has no time limit of its own, so a thread reads it. Nothing may be written while it
    reads: both share one synchronous handle.
    """

    def __init__(self, pipe: IO[bytes], first: bytes) -> None:
        self._pipe = pipe
        self._lines = _Lines()
        self._arrived = threading.Condition()
        self._chunks: deque[bytes] = deque()
        self._thread: threading.Thread | None = None
        self.send(first)

    def __enter__(self) -> PipeConnection:
        return self

    def send(self, content: bytes) -> None:
        rest = memoryview(content)
        while rest:
            rest = rest[self._pipe.write(rest) or 0 :]

    def receive_line(self, timeout_s: float, limit: int) -> bytes:
        self._start_reading()
        end = time.monotonic() + timeout_s
        while (line := self._lines.take(limit)) is None:
            chunk = self._next_chunk(end)
            if chunk is None:
                raise TimeoutError(f"no line within {timeout_s:g} s")
            if not chunk:
                return self._lines.rest()
            self._lines.add(chunk)
        return line

    def close(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            _cancel_reading(self._pipe)
            self._thread.join(1)
        with contextlib.suppress(OSError):
            self._pipe.close()

    def _start_reading(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._read, name="pipe-reader", daemon=True)
            self._thread.start()

    def _read(self) -> None:
        while True:
            try:
                chunk = self._pipe.read(CHUNK) or b""
            except (OSError, ValueError):
                chunk = b""
            with self._arrived:
                self._chunks.append(chunk)
                self._arrived.notify()
            if not chunk:
                return

    def _next_chunk(self, end: float) -> bytes | None:
        with self._arrived:
            while not self._chunks:
                left = end - time.monotonic()
                if left <= 0 or not self._arrived.wait(left):
                    return None
            return self._chunks.popleft()


def _open_pipe(address: str, timeout_s: float) -> IO[bytes]:
    """The name of the pipe is the whole path (facts of Herdr's
    API on Windows). All instances may be busy for a moment.
    """
    end = time.monotonic() + timeout_s
    while True:
        try:
            return open("\\\\.\\pipe\\" + address, "r+b", buffering=0)
        except FileNotFoundError:
            raise
        except OSError:
            if time.monotonic() >= end:
                raise
            time.sleep(PIPE_BUSY_PAUSE_S)


def _cancel_reading(pipe: IO[bytes]) -> None:
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        ctypes.windll.kernel32.CancelIoEx(ctypes.c_void_p(msvcrt.get_osfhandle(pipe.fileno())), None)
