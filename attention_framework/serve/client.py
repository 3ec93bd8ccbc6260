"""Asking the resident controller, for commands written in Python."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .address import read_address
from .protocol import request_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..effects import Connection, Effects
    from ..state.folder import StateFolder
    from .address import Address

LINE_LIMIT = 1024 * 1024
CONNECT_WITHIN_S = 1.0
CYCLE_WITHIN_S = 12.0
"""A host that hangs is given up twice in a cycle; a controller that was stopped must not stop its clients."""
STATUS_WITHIN_S = 2.0
HEARD_WITHIN_S = 1.0
"""One that takes a while says at once that it has heard, unless it is stopped."""
FOLLOWED_HERE = frozenset({"following", "backing off", "gives no answer"})


class NoServer(Exception):
    """Nobody answers, or not to the end: whoever asks does it without."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer: its lines without the last, each cut at its first space, and the exit code."""

    lines: tuple[tuple[str, str], ...]
    code: int

    def of(self, word: str) -> list[str]:
        return [rest for found, rest in self.lines if found == word]


def ask_server(state: StateFolder, effects: Effects, verb: str, within_s: float, **values: str) -> Answer:
    """Send one request and read its answer to the end. Raises NoServer."""
    address = read_address(state, effects.files)
    if address is None:
        raise NoServer("no controller has said where it listens")
    try:
        lines = list(_lines(address, effects, verb, within_s, values))
    except (OSError, ValueError) as error:
        raise NoServer(f"{address}: {error}") from error
    if not lines or lines[-1][0] != "end" or not lines[-1][1].isdecimal():
        raise NoServer(f"{address}: the answer has no end")
    return Answer(tuple(lines[:-1]), int(lines[-1][1]))


def server_status(state: StateFolder, effects: Effects) -> dict[str, Any]:
    """What `status` answers (docs/reference/serve-protocol.md). Raises NoServer."""
    answer = ask_server(state, effects, "status", STATUS_WITHIN_S)
    try:
        found = json.loads(answer.of("json")[0])
    except (IndexError, ValueError) as error:
        raise NoServer(f"its status is no JSON: {error}") from error
    return found if isinstance(found, dict) else {}


def follows_breaks(state: StateFolder, effects: Effects) -> bool | None:
    """Whether the controller that runs has the lock of those who follow break sources; None where it does not say."""
    try:
        breaks = server_status(state, effects)["breaks"]
        return any(one["state"] in FOLLOWED_HERE for one in breaks)
    except (NoServer, KeyError, TypeError):
        return None


def _lines(
    address: Address, effects: Effects, verb: str, within_s: float, values: dict[str, str]
) -> Iterator[tuple[str, str]]:
    end_ms = effects.clock.monotonic_ms() + within_s * 1000
    left_s = min(within_s, HEARD_WITHIN_S) if verb == "wake" else within_s
    if address.token:
        values = {"token": address.token, **values}
    with _open(address, effects, request_line(verb, values)) as connection:
        while True:
            line = connection.receive_line(left_s, LINE_LIMIT)
            if not line.endswith(b"\n"):
                return
            word, _, rest = line.decode(errors="replace").rstrip("\n").partition(" ")
            yield word, rest
            if word == "end":
                return
            left_s = max(0.001, (end_ms - effects.clock.monotonic_ms()) / 1000)


def _open(address: Address, effects: Effects, line: bytes) -> Connection:
    if address.path:
        return effects.sockets.connect(address.path, line, CONNECT_WITHIN_S)
    return effects.sockets.connect_local(address.port, line, CONNECT_WITHIN_S)
