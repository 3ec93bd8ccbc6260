"""A second connection with the same request, where the reply to the first is late; the first reply wins.

A reply of Herdr's can wait on a 100 ms tick of its own, on one connection and not on the next (read in 0.8.2:
`api/server.rs`). For requests that only read: whoever answers late has answered for nothing, and that is all.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework import Connection

HEDGE_AFTER_S: Final = 0.015
"""A snapshot takes 1.3 ms (p50, Herdr 0.8.2), several times that on a busy machine, and the tick a hundred."""
READS: Final = frozenset({
    "agent.get", "agent.list", "agent.read", "pane.current", "pane.get", "pane.list", "pane.read", "ping",
    "plugin.list", "plugin.log.list", "session.snapshot",
})  # fmt: skip
"""Methods that change nothing, however often they are carried out."""
FIRST_SLICE_S: Final = 0.002
LONGEST_SLICE_S: Final = 0.02


def first_line(
    first: Connection,
    again: Callable[[], Connection],
    timeout_s: float,
    limit: int,
    after_s: float = HEDGE_AFTER_S,
) -> bytes:
    """The first line that one of the two gives, with `again` opening the second. Both are left open.
    Raises TimeoutError, and what both have raised.
    """
    try:
        return first.receive_line(min(after_s, timeout_s), limit)
    except TimeoutError:
        if timeout_s <= after_s:
            raise
    racing = [first]
    with suppress(OSError):  # Whoever answers late may take no second one at all.
        racing.insert(0, again())
    return _race(racing, timeout_s - after_s, limit)


def _race(racing: list[Connection], left_s: float, limit: int) -> bytes:
    """Look at one after the other. The time is counted by the looks, which are bounded. When both have
    failed, what the one has said that has said more.
    """
    slice_s, failed = FIRST_SLICE_S, b""
    while left_s > 0:
        for connection in list(racing):
            look_s = min(slice_s, left_s) if len(racing) > 1 else left_s
            line = _line(connection, look_s, limit, last=len(racing) == 1 and not failed)
            if line is None:
                left_s -= look_s
            elif line.endswith(b"\n"):
                return line
            else:
                failed = max(failed, line, key=len)
                racing.remove(connection)
        if not racing:
            return failed
        slice_s = min(slice_s * 2, LONGEST_SLICE_S)
    raise TimeoutError


def _line(connection: Connection, timeout_s: float, limit: int, *, last: bool) -> bytes | None:
    """None if there is none yet; cut off or empty where it has failed. Raises what the last one raises."""
    try:
        return connection.receive_line(max(0.001, timeout_s), limit)
    except TimeoutError:
        return None
    except (OSError, ValueError):
        if last:
            raise
        return b""
