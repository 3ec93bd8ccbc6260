"""The question of an agent to the resident controller, over the address in `serve.addr`
(docs/reference/state-files.md), from a thread of its own.
"""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

LONGEST = 8_192


def ask(
    state: Path, about: Mapping[str, object], within_s: float, answered: Callable[[str | None], None]
) -> None:
    """`answered` gets `run`, `pause` or `unknown`, or None if nobody answers in time."""

    def run() -> None:
        try:
            answer = _ask(state, about, within_s)
        except (OSError, ValueError):
            answer = None
        answered(answer)

    threading.Thread(target=run, name="ask", daemon=True).start()


def _ask(state: Path, about: Mapping[str, object], within_s: float) -> str | None:
    kind, _, where = (state / "serve.addr").read_text(encoding="utf-8").rstrip("\n").partition(" ")
    token: dict[str, object] = {}
    if kind == "unix":
        if (family := getattr(socket, "AF_UNIX", None)) is None:
            raise OSError(f"{where} is no address for this system")
        connection = socket.socket(family)
        address: str | tuple[str, int] = where
    else:
        host, port, token["token"] = where.split(" ")
        connection, address = socket.socket(), (host, int(port))
    with connection:
        connection.settimeout(within_s)
        connection.connect(address)
        words = (f"{name}={quote(str(value), safe='/:')}" for name, value in {**about, **token}.items())
        connection.sendall(" ".join(["ask", *words]).encode() + b"\n")
        return _answer(connection)


def _answer(connection: socket.socket) -> str | None:
    """The word after `answer`; None if the connection closes before the end."""
    found: str | None = None
    with connection.makefile("rb") as lines:
        while line := lines.readline(LONGEST):
            word, _, rest = line.decode().strip().partition(" ")
            if word == "answer":
                found = rest.split(" ")[0]
            elif word == "end":
                return found
    return None
