"""Sockets in memory: an address is a function from what arrives to what is answered."""

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
    """What a server answers, and whether it then closes the connection or leaves the other side waiting."""

    content: bytes = b""
    """What is sent back."""
    closes: bool = True
    """False: the other side waits for more, and gets a TimeoutError."""


class MemorySockets:
    """`Sockets` of functions: what a server answers is what its function returns."""

    def __init__(self) -> None:
        self.servers: dict[str, Callable[[bytes], Reply | bytes]] = {}
        """By address: called with each piece that arrives.
        It may raise an OSError, such as ConnectionResetError.
        """
        self.received: list[tuple[str, bytes]] = []
        """`(address, bytes)` of every piece that arrived, in order."""
        self.files: Files | None = None
        """Where a socket that is listened at leaves its file."""
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
    """See `Listener`. Waits in real time."""

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
    """One end of a connection between two threads. Waits in real time."""

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
    """The two ends of a connection."""
    there: Queue[bytes] = Queue()
    back: Queue[bytes] = Queue()
    return MemoryEnd(back, there), MemoryEnd(there, back)


class MemoryConnection:
    """See `Connection`. No time passes: where a real one would wait, it times out at once."""

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
