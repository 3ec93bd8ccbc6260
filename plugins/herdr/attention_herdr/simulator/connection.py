"""One connection: one line in, one answer out, the end. Or a stream of events until the subscriber leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import methods, requests
from .errors import ApiError, InvalidRequest
from .methods.server import PONG
from .subscriptions import stream, wait

if TYPE_CHECKING:
    from threading import Event as Flag

    from .clock import Clock
    from .faults import Fault
    from .requests import Request
    from .server import Server
    from .transport import Connection

LONGEST_LINE = 1024 * 1024
LINE_WITHIN_S = 5.0
TICK_S = 0.1


def read_line(connection: Connection, clock: Clock, stop: Flag) -> tuple[bytes, bytes] | None:
    """The first line and what came with it; None if it is too
    long (1 MiB with its end), too late (5 s) or never ends.

    Where nothing has arrived when the server looks, it looks again 100 ms later: a client that connects first
    and prepares its line then pays for it (Herdr 0.8.2).
    """
    received, end = b"", clock.now_s() + LINE_WITHIN_S
    while True:
        data = connection.available()
        if data == b"":
            return None
        received += data or b""
        line, found, rest = received.partition(b"\n")
        if len(line) + len(found) > LONGEST_LINE:
            return None
        if found:
            return line + found, rest
        if data is None and (clock.now_s() >= end or not clock.sleep(TICK_S, stop)):
            return None


def serve(server: Server, connection: Connection) -> None:
    got = read_line(connection, server.app.clock, server.stopping)
    if got is None:
        return
    line, rest = got
    try:
        request = requests.read(line)
    except InvalidRequest as error:
        _reply(connection, requests.invalid(error))
        return
    fault = server.faults.take(request.method)
    if fault and not _goes_on(server, connection, request, fault):
        return
    if request.method == "events.subscribe":
        stream(server, connection, request, spoken=bool(rest))
        return
    reply = _answer(server, connection, request)
    server.afterwards(request.method)
    if fault:
        reply = _spoilt(reply, fault)
    _reply(connection, reply, whole=not fault or fault.kind not in ("cut", "stop"))
    if request.method == "server.stop" or (fault and fault.kind == "stop"):
        server.stop_soon()


def _answer(server: Server, connection: Connection, request: Request) -> bytes:
    """`ping` and `server.stop` are answered right here, so they say nothing about the loop."""
    try:
        if request.method == "ping":
            return requests.success(request.id, PONG)
        if request.method == "server.stop":
            return requests.success(request.id, {"type": "ok"})
        if request.method == "events.wait":
            return requests.success(request.id, wait(server, connection, request.params))
        result = server.app.loop.request(
            lambda: methods.answer(server.app, request.method, request.params), server.stopping
        )
        return requests.success(request.id, result)
    except ApiError as error:
        return requests.failure(request.id, error)


def _reply(connection: Connection, body: bytes, *, whole: bool = True) -> None:
    """The line and its end are two writes."""
    connection.write(body)
    if whole:
        connection.write(b"\n")


def _goes_on(server: Server, connection: Connection, request: Request, fault: Fault) -> bool:
    """Carry out what a fault does before the answer. False if there will be none."""
    if fault.kind == "delay":
        return server.app.clock.sleep(fault.delay_s, server.stopping)
    if fault.kind == "hang":
        while not connection.ended() and not server.stopping.wait(TICK_S):
            pass
        return False
    if fault.kind == "error":
        _reply(connection, requests.failure(request.id, ApiError(fault.code, fault.message)))
        return False
    return fault.kind != "close"


def _spoilt(reply: bytes, fault: Fault) -> bytes:
    if fault.kind in ("cut", "stop"):
        return reply[: max(1, len(reply) // 2)]
    if fault.kind == "oversized":
        return reply[:-1] + b" " * max(0, fault.size - len(reply)) + b"}"
    if fault.kind == "not-json":
        return b"\xff this is no reply"
    return reply
