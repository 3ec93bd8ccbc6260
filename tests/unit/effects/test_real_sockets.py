from __future__ import annotations

import socket
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.effects import real_effects
from attention_framework.effects.sockets import _Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SOCKETS = real_effects().sockets
unix = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets; named pipes are tested on Windows")
LIMIT = 1_000


@contextmanager
def serving(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server for one connection. Its folder is short: the path of a socket has 104 bytes at most."""
    with tempfile.TemporaryDirectory(prefix="attn") as folder:
        address = str(Path(folder) / "s")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            listening.bind(address)
            listening.listen()

            def serve() -> None:
                connection, _ = listening.accept()
                with connection:
                    answer(connection)

            thread = threading.Thread(target=serve)
            thread.start()
            yield address
            thread.join(60)
            assert not thread.is_alive()


@unix
class TestUnix:
    def test_the_first_bytes_are_there_with_the_connection_and_lines_come_back(self) -> None:
        received = []

        def answer(connection: socket.socket) -> None:
            received.append(connection.recv(100))
            connection.sendall(b'{"one": 1}\n{"tw')
            received.append(connection.recv(100))
            connection.sendall(b'o": 2}\n')

        with serving(answer) as address, SOCKETS.connect(address, b"ask\n", 60) as connection:
            assert connection.receive_line(60, LIMIT) == b'{"one": 1}\n'
            connection.send(b"more\n")
            assert connection.receive_line(60, LIMIT) == b'{"two": 2}\n'
            assert connection.receive_line(60, LIMIT) == b""
        assert received == [b"ask\n", b"more\n"]

    def test_a_server_that_dies_in_mid_reply_leaves_a_line_without_an_end(self) -> None:
        with (
            serving(lambda connection: connection.sendall(b'{"half')) as address,
            SOCKETS.connect(address, b"", 60) as connection,
        ):
            assert connection.receive_line(60, LIMIT) == b'{"half'
            assert connection.receive_line(60, LIMIT) == b""

    def test_a_server_that_says_nothing_is_not_waited_for_longer_than_asked(self) -> None:
        let_go = threading.Event()
        with (
            serving(lambda connection: let_go.wait(60) and None) as address,
            SOCKETS.connect(address, b"", 60) as connection,
        ):
            with pytest.raises(TimeoutError):
                connection.receive_line(0.05, LIMIT)
            let_go.set()

    def test_a_server_that_drips_is_not_waited_for_longer_than_asked(self) -> None:
        let_go = threading.Event()

        def drip(connection: socket.socket) -> None:
            while not let_go.wait(0.01):
                connection.sendall(b"x")

        with serving(drip) as address, SOCKETS.connect(address, b"", 60) as connection:
            with pytest.raises(TimeoutError):
                connection.receive_line(0.1, LIMIT)
            let_go.set()

    def test_a_line_that_is_too_long_is_refused_before_all_of_it_is_there(self) -> None:
        let_go = threading.Event()

        def flood(connection: socket.socket) -> None:
            connection.sendall(b"x" * (LIMIT + 1))
            let_go.wait(60)

        with serving(flood) as address, SOCKETS.connect(address, b"", 60) as connection:
            with pytest.raises(ValueError, match="more than 1000 bytes"):
                connection.receive_line(60, LIMIT)
            let_go.set()

    def test_nobody_there_is_an_error_of_the_system(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            SOCKETS.connect(str(tmp_path / "s"), b"", 1)

    def test_a_socket_that_nobody_serves_any_more_refuses(self) -> None:
        with tempfile.TemporaryDirectory(prefix="attn") as folder:
            address = str(Path(folder) / "s")
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
                listening.bind(address)
            with pytest.raises(ConnectionRefusedError):
                SOCKETS.connect(address, b"", 1)

    def test_an_address_that_is_too_long_is_an_error_of_the_system(self) -> None:
        with pytest.raises(OSError, match="too long"):
            SOCKETS.connect("/" + "x" * 200, b"", 1)


chunks = st.lists(st.binary(max_size=20).map(lambda part: part.replace(b"\0", b"\n")), max_size=10)


@given(chunks)
def test_lines_do_not_depend_on_how_they_arrive(arriving: list[bytes]) -> None:
    lines, found = _Lines(), []
    for chunk in arriving:
        lines.add(chunk)
        while (line := lines.take(10_000)) is not None:
            found.append(line)
    everything = b"".join(arriving)
    assert b"".join(found) + lines.rest() == everything
    assert all(line.count(b"\n") == 1 and line.endswith(b"\n") for line in found)
    assert len(found) == everything.count(b"\n")


@pytest.mark.skipif(sys.platform != "win32", reason="named pipes are Windows'")
def test_a_pipe_that_nobody_serves_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        SOCKETS.connect("attention-no-such-pipe", b"", 1)


class TestListening:
    @pytest.fixture(params=[pytest.param(True, id="unix", marks=unix), pytest.param(False, id="tcp")])
    def path(self, request: pytest.FixtureRequest) -> Iterator[Path | None]:
        with tempfile.TemporaryDirectory(prefix="attn") as folder:
            yield Path(folder) / "s" if request.param else None

    def test_who_connects_is_heard_and_answered(self, path: Path | None) -> None:
        listener = SOCKETS.listen(path)
        try:
            assert bool(listener.port) == (path is None)
            ours = (
                SOCKETS.connect_local(listener.port, b"ask\n", 60)
                if path is None
                else SOCKETS.connect(str(path), b"ask\n", 60)
            )
            theirs = listener.accept(60)
            assert theirs is not None
            with ours, theirs:
                assert theirs.receive_line(60, LIMIT) == b"ask\n"
                theirs.send(b"answer\n")
                assert ours.receive_line(60, LIMIT) == b"answer\n"
        finally:
            listener.close()

    def test_if_nobody_comes_it_gives_up_and_when_it_is_closed_there_is_nobody(
        self, path: Path | None
    ) -> None:
        listener = SOCKETS.listen(path)
        assert listener.accept(0.01) is None
        listener.close()
        assert listener.accept(60) is None
        with pytest.raises(OSError, match=r".+"):
            _ = (
                SOCKETS.connect_local(listener.port, b"x", 60)
                if path is None
                else SOCKETS.connect(str(path), b"x", 60)
            )

    @unix
    def test_a_socket_that_is_there_is_not_taken_over(self) -> None:
        with tempfile.TemporaryDirectory(prefix="attn") as folder:
            path = Path(folder) / "s"
            listener = SOCKETS.listen(path)
            try:
                with pytest.raises(OSError, match="in use"):
                    SOCKETS.listen(path)
            finally:
                listener.close()
