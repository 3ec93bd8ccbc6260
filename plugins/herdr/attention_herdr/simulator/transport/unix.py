"""AF_UNIX stream socket, mode 0600."""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import sys
from typing import TYPE_CHECKING

from . import SEND_LIMIT_S

if TYPE_CHECKING:
    from pathlib import Path


assert sys.platform != "win32"


class SocketConnection:
    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    def available(self) -> bytes | None:
        self._socket.setblocking(False)
        try:
            return self._socket.recv(65536)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        self._socket.settimeout(SEND_LIMIT_S)
        self._socket.sendall(data)

    def ended(self) -> bool:
        """Any byte, and the end of what the client can send, end the stream (Herdr 0.8.2 on Unix)."""
        return self.available() is not None

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class SocketListener:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._remove_stale()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(str(path))
        except BaseException:
            self._socket.close()
            raise
        os.chmod(path, 0o600)
        self._inode = os.stat(path).st_ino
        self._socket.listen(128)
        self._socket.setblocking(False)
        self._wake, self._waker = socket.socketpair()

    def accept(self) -> SocketConnection | None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            selector.register(self._wake, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._wake in ready:
                    self._wake.close()
                    self._socket.close()
                    return None
                with contextlib.suppress(BlockingIOError, ConnectionError):
                    return SocketConnection(self._socket.accept()[0])

    def close(self) -> None:
        with contextlib.suppress(FileNotFoundError):
            if os.stat(self._path).st_ino == self._inode:
                self._path.unlink()
        self._waker.close()

    def _remove_stale(self) -> None:
        """A file that a dead server left is in the way; a server that answers keeps its place."""
        if not self._path.exists():
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            try:
                probe.connect(str(self._path))
            except OSError:
                self._path.unlink(missing_ok=True)
                return
        raise FileExistsError(f"a server listens at {self._path} already")
