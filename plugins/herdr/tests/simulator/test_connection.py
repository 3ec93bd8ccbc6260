"""One request per connection, and what Herdr does with lines that are late, long or wrong."""

from __future__ import annotations

import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import ManualClock, SimulatedHerdr
from attention_herdr.simulator.connection import LONGEST_LINE, read_line

if TYPE_CHECKING:
    from collections.abc import Callable

PING = b'{"id":"1","method":"ping","params":{}}\n'
ONLY_SOCKETS = pytest.mark.skipif(sys.platform == "win32", reason="looks at a Unix socket")


class Chunks:
    """A connection whose bytes come in when the test says."""

    def __init__(self, *chunks: bytes | None) -> None:
        self.chunks = list(chunks)
        self.looks = 0

    def available(self) -> bytes | None:
        self.looks += 1
        return self.chunks.pop(0) if self.chunks else None

    def write(self, data: bytes) -> None: ...

    def ended(self) -> bool:
        return False

    def close(self) -> None: ...


class Ticks(ManualClock):
    """Never waits: sleeping moves the time."""

    def __init__(self) -> None:
        super().__init__()
        self.slept: list[float] = []

    def sleep(self, seconds: float, stop: threading.Event) -> bool:
        self.slept.append(seconds)
        self.advance(seconds)
        return True


def line_of(*chunks: bytes | None) -> tuple[tuple[bytes, bytes] | None, list[float]]:
    clock = Ticks()
    return read_line(Chunks(*chunks), clock, threading.Event()), clock.slept


def test_a_line_that_is_there_costs_no_tick() -> None:
    assert line_of(PING) == ((PING, b""), [])


def test_a_line_that_comes_after_the_first_look_costs_100_ms() -> None:
    assert line_of(None, PING) == ((PING, b""), [0.1])


def test_a_line_that_comes_in_two_parts_costs_100_ms_again() -> None:
    assert line_of(PING[:5], None, PING[5:]) == ((PING, b""), [0.1])


def test_a_line_may_take_5_s_and_no_longer() -> None:
    line, slept = line_of(PING[:5])
    assert line is None
    assert sum(slept) == pytest.approx(5.0)


@pytest.mark.parametrize(("length", "taken"), [(LONGEST_LINE - 1, True), (LONGEST_LINE, False)])
def test_a_line_of_more_than_1_mib_with_its_end_is_dropped(length: int, taken: bool) -> None:
    assert (line_of(b"x" * length + b"\n")[0] is not None) is taken


def test_a_client_that_leaves_is_dropped() -> None:
    assert line_of(PING[:5], b"") == (None, [])


@ONLY_SOCKETS
def test_the_reply_to_a_late_line_waits_for_the_tick(until: Callable[..., Any]) -> None:
    clock = ManualClock()
    with SimulatedHerdr(clock=clock, first_pane=False) as herdr, socket.socket(socket.AF_UNIX) as client:
        client.connect(herdr.address)
        until(lambda: clock.sleepers() == [0.1])
        client.sendall(PING)
        client.setblocking(False)
        with pytest.raises(BlockingIOError):
            client.recv(1)
        clock.advance(0.1)
        client.settimeout(30)
        assert b"pong" in client.recv(4096)


def test_there_is_one_answer_and_then_the_end(raw: Callable[[bytes], bytes]) -> None:
    assert raw(PING + PING).count(b"\n") == 1


@ONLY_SOCKETS
def test_the_socket_is_for_its_user_alone(herdr: SimulatedHerdr) -> None:
    assert herdr.socket_path.stat().st_mode & 0o777 == 0o600


@ONLY_SOCKETS
def test_a_file_that_a_dead_server_left_is_replaced_and_a_live_server_is_not(herdr: SimulatedHerdr) -> None:
    refused = SimulatedHerdr(socket=herdr.socket_path)
    with pytest.raises(FileExistsError), refused:
        pass
    assert not refused.config_dir.exists()
    left = herdr.config_dir / "left.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(left))
    with SimulatedHerdr(socket=left) as other:
        assert other.running


@pytest.mark.skipif(sys.platform != "win32", reason="the marker of a named pipe")
def test_the_path_of_a_pipe_has_a_marker_that_is_no_socket(herdr: SimulatedHerdr) -> None:
    pid, _, nanos = herdr.socket_path.read_text(encoding="utf-8").partition(":")
    assert pid.isdigit()
    assert nanos.isdigit()


def test_ping_is_answered_while_the_loop_stands_still(herdr: SimulatedHerdr, ask: Callable[..., Any]) -> None:
    with herdr.frozen():
        assert ask("ping")["type"] == "pong"
        answers: list[Any] = []
        waiting = threading.Thread(target=lambda: answers.append(ask("pane.list", within_s=60.0)))
        waiting.start()
        assert ask("ping")["type"] == "pong"
        assert answers == []
    waiting.join()
    assert answers[0]["type"] == "pane_list"


def test_a_client_stops_the_server(
    herdr: SimulatedHerdr, ask: Callable[..., Any], until: Callable[..., Any]
) -> None:
    assert ask("server.stop") == {"type": "ok"}
    until(lambda: not herdr.running)
    until(lambda: not herdr.socket_path.exists())
    herdr.start()
    assert ask("ping")["type"] == "pong"


def test_many_clients_are_served_at_once(herdr: SimulatedHerdr, ask: Callable[..., Any]) -> None:
    answers: list[Any] = []
    clients = [
        threading.Thread(target=lambda: answers.append(ask("session.snapshot")["type"])) for _ in range(20)
    ]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert answers == ["session_snapshot"] * 20
