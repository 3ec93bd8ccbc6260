"""A controller's socket with answers of the test's, and the clients as the processes that hooks start."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from attention_framework.client import installing
from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

ONE_SHOT = (sys.executable, "-I", "-S", "-c", "import sys; print('one-shot', *sys.argv[1:]); sys.exit(7)")
WITHIN_S = 60
TOKEN = "0badcafe"


@dataclass
class Server:
    """Listens as the resident controller does; `answer` makes each request's answer, None closes without one."""

    state: Path
    answer: Callable[[str], str | None] = lambda request: "end 0\n"
    tcp: bool = not hasattr(socket, "AF_UNIX")
    requests: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Server:
        family = socket.AF_INET if self.tcp else socket.AF_UNIX
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0) if self.tcp else str(self.state / "serve.sock"))
        self._socket.listen(64)
        self._threads = [threading.Thread(target=self._serve, daemon=True)]
        self.write_address()
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(10)

    def write_address(self) -> None:
        port = self._socket.getsockname()[1] if self.tcp else 0
        text = f"tcp 127.0.0.1 {port} {TOKEN}" if self.tcp else f"unix {self.state / 'serve.sock'}"
        (self.state / "serve.addr").write_bytes(text.encode() + b"\n")

    def _serve(self) -> None:
        while not self.stopped.is_set():
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._threads.append(threading.Thread(target=self._one, args=(connection,), daemon=True))
            self._threads[-1].start()

    def _one(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(WITHIN_S)
            line = connection.recv(8192)
            assert line.endswith(b"\n"), "one line, in one piece"
            self.requests.append(line.decode("ascii").rstrip("\n"))
            answer = self.answer(self.requests[-1])
            if answer is not None:
                with suppress(OSError):
                    connection.sendall(answer.encode())

    def hold(self) -> Callable[[str], None]:
        """An answer that never comes, as of a process that was stopped."""

        def never(_: str) -> None:
            self.stopped.wait(WITHIN_S)

        return never


@dataclass
class Program:
    """One of the clients in its place in the state folder."""

    path: Path

    def run(
        self, *words: str, fallback: tuple[str, ...] = ONE_SHOT, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-I", "-S", str(self.path), *words, "--", *fallback],
            capture_output=True,
            encoding="utf-8",
            env=None if environment is None else {**_needed(), **environment},
            stdin=subprocess.DEVNULL,
            timeout=WITHIN_S,
            check=False,
        )


def _needed() -> dict[str, str]:
    import os

    return {name: os.environ[name] for name in ("SYSTEMROOT", "PATH") if name in os.environ}


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "st a%te"
    folder.mkdir()
    for name in (installing.CLIENT, installing.GATE):
        (folder / name).write_bytes(installing.source(name))
    return folder


@pytest.fixture
def short_state(state: Path) -> Iterator[Path]:
    """A folder whose socket's name is short enough."""
    import shutil
    import tempfile
    from pathlib import Path

    if len(str(state / "serve.sock").encode()) <= 100:
        yield state
        return
    folder = Path(tempfile.mkdtemp(prefix="attention-"))
    shutil.copytree(state, folder, dirs_exist_ok=True)
    yield folder
    until(lambda: not shutil.rmtree(folder, ignore_errors=True), what="it is removed")


@pytest.fixture(params=["unix", "tcp"])
def server(short_state: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    if request.param == "unix" and not hasattr(socket, "AF_UNIX"):
        pytest.skip("this Python has no Unix sockets")
    with Server(short_state, tcp=request.param == "tcp") as running:
        yield running


@pytest.fixture
def hook(server: Server) -> Program:
    return Program(server.state / installing.CLIENT)


@pytest.fixture
def gate(server: Server) -> Program:
    return Program(server.state / installing.GATE)
