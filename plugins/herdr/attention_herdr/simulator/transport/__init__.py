"""How bytes come in and go out: a Unix socket, or a named pipe on Windows."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

SEND_LIMIT_S = 5.0


class Connection(Protocol):
    def available(self) -> bytes | None:
        """What has arrived, without waiting: None for nothing, empty when the client has closed."""

    def write(self, data: bytes) -> None:
        """Raises OSError when the client is gone or does not read for 5 s."""

    def ended(self) -> bool:
        """Whether a subscriber's stream is over: it left, and on Unix also if it wrote anything."""

    def close(self) -> None: ...


class Listener(Protocol):
    def accept(self) -> Connection | None:
        """The next connection; None once the listener is closed."""

    def close(self) -> None:
        """Take the address away and wake up `accept`."""


def listen(path: Path) -> Listener:
    """Raises OSError if something lives at the address already."""
    if sys.platform == "win32":
        from .windows import PipeListener as ListenerHere
    else:
        from .unix import SocketListener as ListenerHere
    return ListenerHere(path)
