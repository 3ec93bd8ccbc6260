"""Sockets in memory: a server is a function that gets the bytes which arrive, and returns the answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from ..effects import Connection, Files


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server in `MemorySockets.servers` answers, and whether it then closes the connection."""

    content: bytes = b""
    """The bytes that it sends back."""
    closes: bool = True
    """Whether it closes the connection after that. False: a client that waits for more gets a TimeoutError, at once."""


class MemorySockets:
    """The `Sockets` of a test. A server is a function in `servers`, or the code under test listens itself (`listen`)."""

    def __init__(self) -> None:
        self.servers: dict[str, Callable[[bytes], Reply | bytes]] = {}
        """The servers, by address. Each is a function that is called once for each `send` with the bytes sent, and returns
        the answer; plain bytes stand for a `Reply` that closes. It may raise an OSError, such as ConnectionResetError. To
        connect to an address that nobody serves raises FileNotFoundError.
        """
        self.received: list[tuple[str, bytes]] = []
        """`(address, bytes)` of everything that was sent to `servers`, in order."""
        self.files: Files | None = None
        """The disk on which `listen(path)` makes the file of the socket; once it is removed, connecting is refused. `Memory`
        sets it. None: no file is made.
        """
        self._listeners: dict[str, MemoryListener] = {}

    def listen(self, path: Path | None) -> MemoryListener:
        port = 0 if path else 40_000 + len(self._listeners)
        if path and self.files:
            self.files.create(path)
        listener = MemoryListener(port)
        self._listeners[str(path or port)] = listener
        return listener

    def connect_local(self, port: int, first: bytes, timeout_s: float) -> Connection:
        return self._connect(str(port), first)

    def _connect(self, address: str, first: bytes) -> Connection:
        listener = self._listeners[address]
        if listener.closed or (self.files and not listener.port and not self.files.exists(Path(address))):
            raise ConnectionRefusedError(111, "Connection refused", address)
        ours, theirs = pair()
        listener.arrived.put(theirs)
        ours.send(first)
        return ours

    def connect(self, address: str, first: bytes, timeout_s: float) -> Connection:
        if address in self._listeners:
            return self._connect(address, first)
        if address not in self.servers:
            raise FileNotFoundError(2, "No such file or directory", address)
        connection = MemoryConnection(self, address)
        connection.send(first)
        return connection


class MemoryListener:
    """The `Listener` that `MemorySockets.listen` makes. Its `accept` waits in real time, not by the clock in memory."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.closed = False
        self.arrived: Queue[MemoryEnd | None] = Queue()

    def accept(self, timeout_s: float) -> MemoryEnd | None:
        try:
            return None if self.closed else self.arrived.get(timeout=timeout_s)
        except Empty:
            return None

    def close(self) -> None:
        self.closed = True
        self.arrived.put(None)


class MemoryEnd:
    """One end of a `Connection` to a `MemoryListener`; the other end may be used by another thread. Its `receive_line` waits
    in real time, not by the clock in memory.
    """

    def __init__(self, incoming: Queue[bytes], outgoing: Queue[bytes]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._buffer = b""
        self._over = False

    def send(self, content: bytes) -> None:
        if content:
            self._outgoing.put(content)

    def receive_line(self, timeout_s: float, limit: int) -> bytes:
        while b"\n" not in self._buffer and not self._over:
            if len(self._buffer) > limit:
                raise ValueError(f"a line of more than {limit} bytes")
            try:
                chunk = self._incoming.get(timeout=timeout_s)
            except Empty as error:
                raise TimeoutError(f"no line within {timeout_s:g} s") from error
            self._buffer += chunk
            self._over = not chunk
        line, end, self._buffer = self._buffer.partition(b"\n")
        if len(line) > limit:
            raise ValueError(f"a line of more than {limit} bytes")
        return line + end

    def close(self) -> None:
        self._outgoing.put(b"")

    def __enter__(self) -> MemoryEnd:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def pair() -> tuple[MemoryEnd, MemoryEnd]:
    """Make the two ends of a new connection."""
    there: Queue[bytes] = Queue()
    back: Queue[bytes] = Queue()
    return MemoryEnd(back, there), MemoryEnd(there, back)


class MemoryConnection:
    """A `Connection` to a function in `MemorySockets.servers`. It never waits: where a real one would wait for more bytes, it
    raises TimeoutError at once.
    """

    def __init__(self, sockets: MemorySockets, address: str) -> None:
        self._sockets = sockets
        self._address = address
        self._buffer = b""
        self._closed = False

    def send(self, content: bytes) -> None:
        if self._closed:
            raise BrokenPipeError(32, "Broken pipe")
        self._sockets.received.append((self._address, content))
        reply = self._sockets.servers[self._address](content)
        if isinstance(reply, bytes):
            reply = Reply(reply)
        self._buffer += reply.content
        self._closed = reply.closes

    def receive_line(self, timeout_s: float, limit: int) -> bytes:
        end = self._buffer.find(b"\n") + 1
        if (end or len(self._buffer)) > limit + bool(end):
            raise ValueError(f"a line of more than {limit} bytes")
        if not end and not self._closed:
            raise TimeoutError(f"no line within {timeout_s:g} s")
        end = end or len(self._buffer)
        line, self._buffer = self._buffer[:end], self._buffer[end:]
        return line

    def close(self) -> None:
        self._closed = True

    def __enter__(self) -> MemoryConnection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
