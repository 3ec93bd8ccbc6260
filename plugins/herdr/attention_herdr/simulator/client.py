"""The smallest client: one request, one reply. The simulated agent reports with it, and tests look with it.

It is no model for a real client: it has no hedging and on Windows no time limit.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from typing import Any

WITHIN_S = 10.0


class Failed(Exception):
    """An error reply."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


def call(address: str, method: str, within_s: float = WITHIN_S, **params: Any) -> dict[str, Any]:
    """The `result`. Raises Failed for an error reply, OSError or ValueError where there is no whole reply."""
    line = exchange(
        address, (json.dumps({"id": "1", "method": method, "params": params}) + "\n").encode(), within_s
    )
    document = json.loads(line)
    if "error" in document:
        raise Failed(document["error"]["code"], document["error"]["message"])
    result: dict[str, Any] = document["result"]
    return result


def exchange(address: str, line: bytes, within_s: float = WITHIN_S) -> bytes:
    """Send bytes and read until the server closes."""
    if sys.platform == "win32":
        return _over_pipe(address, line)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(within_s)
        connection.connect(address)
        connection.sendall(line)
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts)


def _over_pipe(address: str, line: bytes) -> bytes:
    for left in range(100, 0, -1):
        try:
            pipe = open("\\\\.\\pipe\\" + address, "r+b", buffering=0)  # noqa: SIM115
            break
        except OSError:  # All instances are taken for the moment.
            if left == 1:
                raise
            time.sleep(0.01)
    with pipe:
        pipe.write(line)
        parts = []
        try:
            while part := pipe.read(65536):
                parts.append(part)
        except OSError:
            pass  # The other end is closed: that is how a reply ends on a pipe.
    return b"".join(parts)
