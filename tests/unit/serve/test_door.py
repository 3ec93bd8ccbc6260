"""The door with real sockets: what a client does wrong, and what others do to the files."""

from __future__ import annotations

import os
import socket
import stat
import sys
import tempfile
import threading
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import real_effects
from attention_framework.serve import client
from attention_framework.serve.address import Address, read_address
from attention_framework.serve.client import NoServer, ask_server
from attention_framework.serve.door import REQUEST_WITHIN_S, Door, Gone
from attention_framework.serve.protocol import HEARD, LIMIT
from attention_framework.state.folder import StateFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attention_framework.serve.protocol import Request

BOUND_S = 10.0
unix_only = pytest.mark.skipif(sys.platform == "win32", reason="there are no Unix sockets")
EFFECTS = real_effects()


slow = threading.Event()
carried_out = threading.Event()


def handle(request: Request) -> Iterator[str]:
    if request.verb == "gone":
        raise Gone
    if request.verb == "slow":
        yield HEARD
        assert slow.wait(BOUND_S)
    if request.verb == "unheard":
        assert slow.wait(BOUND_S)
        yield HEARD
        carried_out.set()
    yield f"out {request.verb}"
    yield "end 0"


class Doors:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.said: list[str] = []
        self.doors: list[Door] = []

    def open(self, tcp: bool = False, state: Path | None = None) -> Door:
        door = Door(StateFolder(state or self.root), EFFECTS, handle, self.said.append, tcp)
        self.doors.append(door)
        door.open()
        return door

    def ask(self, verb: str) -> list[str]:
        return ask_server(StateFolder(self.root), EFFECTS, verb, BOUND_S).of("out")


@pytest.fixture
def doors() -> Iterator[Doors]:
    """In a folder with a short name, as the path of a socket must have."""
    with tempfile.TemporaryDirectory(prefix="attn") as folder:
        doors = Doors(Path(folder).resolve())
        yield doors
        for door in doors.doors:
            door.close()
    assert doors.said == []


@pytest.fixture(params=[pytest.param(False, id="unix", marks=unix_only), pytest.param(True, id="tcp")])
def door(request: pytest.FixtureRequest, doors: Doors) -> Door:
    return doors.open(tcp=request.param)


def connect(door: Door) -> socket.socket:
    if door.address.port:
        opened = socket.create_connection(("127.0.0.1", door.address.port))
    else:
        opened = socket.socket(socket.AF_UNIX)
        opened.connect(door.address.path)
    opened.settimeout(BOUND_S)
    return opened


def said(door: Door, content: bytes, closes: bool = False) -> bytes:
    """All that comes back before the connection is closed."""
    with connect(door) as opened:
        try:
            opened.sendall(content)
            if closes:
                opened.shutdown(socket.SHUT_WR)
            parts = []
            while part := opened.recv(65_536):
                parts.append(part)
        except TimeoutError:
            raise
        except OSError:  # Closed while we were still sending.
            return b""
        return b"".join(parts)


def line(door: Door, rest: str) -> bytes:
    token = f" token={door.address.token}" if door.address.token else ""
    return f"{rest}{token}\n".encode()


def test_a_request_is_answered_to_the_end_and_the_connection_closed(door: Door) -> None:
    assert said(door, line(door, "hello a=1")) == b"out hello\nend 0\n"


def test_the_client_of_python_finds_it(door: Door, doors: Doors) -> None:
    assert doors.ask("x") == ["x"]


def test_a_client_that_has_closed_its_side_is_answered_too(door: Door) -> None:
    assert said(door, line(door, "hello"), closes=True) == b"out hello\nend 0\n"


def test_that_a_request_was_heard_is_said_before_it_is_answered(door: Door) -> None:
    slow.clear()
    with connect(door) as opened:
        opened.sendall(line(door, "slow"))
        assert opened.recv(65_536) == b"heard\n"
        slow.set()
        assert b"".join(iter(lambda: opened.recv(65_536), b"")) == b"out slow\nend 0\n"


def test_what_a_client_asked_for_that_was_killed_since_is_done_all_the_same(door: Door) -> None:
    slow.clear()
    carried_out.clear()
    with connect(door) as opened:
        opened.sendall(line(door, "unheard"))
    slow.set()
    assert carried_out.wait(BOUND_S)


def test_one_that_has_not_heard_a_wake_up_is_not_waited_for(doors: Doors) -> None:
    waits_s: list[float] = []

    def receive_line(timeout_s: float, limit: int) -> bytes:
        waits_s.append(timeout_s)
        raise TimeoutError

    stopped = nullcontext(SimpleNamespace(receive_line=receive_line))
    sockets: Any = SimpleNamespace(connect_local=lambda *_: stopped)
    StateFolder(doors.root).serve_address.write_text("tcp 127.0.0.1 1 token\n")
    for verb in ("wake", "status"):
        with pytest.raises(NoServer):
            ask_server(StateFolder(doors.root), replace(EFFECTS, sockets=sockets), verb, 600)
    assert waits_s == [client.HEARD_WITHIN_S, 600]


def test_a_server_that_gives_up_is_told_from_one_that_answers(door: Door, doors: Doors) -> None:
    assert said(door, line(door, "gone")) == b""
    with pytest.raises(NoServer, match="no end"):
        doors.ask("gone")


@pytest.mark.parametrize("content", [b"", b"hello", b"x" * (LIMIT + 1) + b"\n", b"x" * 100_000])
def test_half_a_request_and_one_that_is_too_long_get_no_answer(door: Door, content: bytes) -> None:
    assert said(door, content, closes=True) == b""
    assert said(door, line(door, "hello")) == b"out hello\nend 0\n"


def test_a_request_of_the_greatest_length_is_answered(door: Door) -> None:
    longest = line(door, "hello a=")
    content = longest.replace(b"a=", b"a=" + b"x" * (LIMIT - len(longest)))
    assert len(content) == LIMIT
    assert said(door, content) == b"out hello\nend 0\n"


def test_what_makes_no_sense_is_wrong_usage(door: Door) -> None:
    assert said(door, line(door, "hello a")).splitlines()[-1] == b"end 2"
    if not door.address.token:
        assert said(door, b"hello a=\xff\n").splitlines()[-1] == b"end 2"
        assert said(door, b"\n").splitlines()[-1] == b"end 2"


def test_clients_that_say_nothing_stop_nobody(door: Door) -> None:
    silent = [connect(door) for _ in range(100)]
    try:
        assert said(door, line(door, "hello")) == b"out hello\nend 0\n"
        for one in silent:  # And they are let go after a while.
            assert one.recv(1) == b""
    finally:
        for one in silent:
            one.close()
    assert REQUEST_WITHIN_S <= BOUND_S


def test_clients_that_leave_at_once_do_no_harm(door: Door) -> None:
    for _ in range(200):
        connect(door).close()
    assert said(door, line(door, "hello")) == b"out hello\nend 0\n"


@pytest.mark.parametrize(
    "words", ["hello", "hello token=", "hello token=wrong", "hello token=%C3%A9", "hello x", "hello \xff"]
)
def test_without_the_right_token_there_is_no_answer(doors: Doors, words: str) -> None:
    door = doors.open(tcp=True)
    assert said(door, f"{words}\n".encode("latin-1")) == b""


def test_a_token_is_another_one_each_time(doors: Doors) -> None:
    first = doors.open(tcp=True).address.token
    assert doors.open(tcp=True).address.token != first
    assert len(first) >= 32


@unix_only
def test_the_socket_and_the_address_are_the_owners_alone(doors: Doors) -> None:
    door = doors.open()
    state = StateFolder(doors.root)
    assert stat.S_IMODE(os.stat(door.address.path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(state.serve_address).st_mode) == 0o600
    assert state.serve_address.read_text() == f"unix {doors.root / 'serve.sock'}\n"
    door.close()
    assert not state.serve_address.exists()
    assert not state.serve_socket.exists()


def test_the_address_with_a_token_is_the_owners_alone(doors: Doors) -> None:
    door = doors.open(tcp=True)
    file = StateFolder(doors.root).serve_address
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    assert file.read_text() == f"tcp 127.0.0.1 {door.address.port} {door.address.token}\n"


@unix_only
def test_in_a_folder_with_a_long_name_the_socket_lies_elsewhere(doors: Doors) -> None:
    state = doors.root / ("x" * 120)
    door = doors.open(state=state)
    folder = Path(door.address.path).parent
    assert len(door.address.path) <= 100
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert ask_server(StateFolder(state), EFFECTS, "x", BOUND_S).code == 0
    door.close()
    assert not folder.exists()


@unix_only
@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda state: state.serve_socket.unlink(), id="socket"),
        pytest.param(lambda state: state.serve_address.unlink(), id="address"),
        pytest.param(lambda state: state.serve_address.write_text("unix /nowhere\n"), id="another address"),
    ],
)
def test_what_somebody_has_removed_is_made_anew(doors: Doors, harm: Callable[[StateFolder], None]) -> None:
    door = doors.open()
    assert not door.mend()
    harm(StateFolder(doors.root))
    assert door.mend()
    assert doors.ask("x") == ["x"]
    assert not door.mend()


def test_what_a_killed_one_has_left_is_replaced(doors: Doors) -> None:
    state = StateFolder(doors.root)
    left = Address(path=str(state.serve_socket))
    state.serve_socket.write_bytes(b"")
    state.serve_address.write_bytes(left.content)
    with pytest.raises(NoServer):
        doors.ask("x")
    door = doors.open(tcp=sys.platform == "win32")
    assert doors.ask("x") == ["x"]
    assert read_address(state, EFFECTS.files) == door.address


def test_a_file_of_somebody_else_is_not_removed_because_an_address_names_it(doors: Doors) -> None:
    precious = doors.root / "precious"
    precious.write_text("x")
    StateFolder(doors.root).serve_address.write_bytes(Address(path=str(precious)).content)
    doors.open(tcp=True)
    assert precious.read_text() == "x"
