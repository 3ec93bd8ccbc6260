"""Sockets in memory: an address is a function from what arrives to what is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answers, and whether it then closes the connection or leaves the other side waiting."""

    content: bytes = b""
    closes: bool = True


class MemorySockets:
    def __init__(self) -> None:
        self.servers: dict[str, Callable[[bytes], Reply | bytes]] = {}
        """By address: called with each piece that arrives.
        It may raise an OSError, such as ConnectionResetError.
        """
        self.received: list[tuple[str, bytes]] = []

    def connect(self, address: str, first: bytes, timeout_s: float) -> MemoryConnection:
        if address not in self.servers:
            raise FileNotFoundError(2, "No such file or directory", address)
        connection = MemoryConnection(self, address)
        connection.send(first)
        return connection


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
