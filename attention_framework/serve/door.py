"""Where requests come in: the socket, its address file, and a bounded number of handlers."""

from __future__ import annotations

import contextlib
import hmac
import secrets
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..bounded import describe
from .address import Address, read_address
from .protocol import HEARD, LIMIT, BadRequest, line_of, parse_request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..effects import Connection, Effects, Files, Listener
    from ..state.folder import StateFolder
    from .protocol import Request

HANDLERS = 256
REQUEST_WITHIN_S = 1.0
"""A client sends its request as it connects."""
ACCEPT_S = 1.0
LONGEST_PATH = 100
"""Bytes of a Unix socket's path that every system takes."""
PREFIX = "attention-serve-"


class Gone(Exception):
    """There is no answer, and the client is to see that: the connection is closed without an end."""


class Door:
    """Listens until it is closed.

    :param handle: makes the lines of an answer. Raises BadRequest, or Gone.
    :param tcp: listen over TCP with a token, as it has to be where there are no Unix sockets.
    """

    def __init__(
        self,
        state: StateFolder,
        effects: Effects,
        handle: Callable[[Request], Iterable[str]],
        report: Callable[[str], None],
        tcp: bool = sys.platform == "win32",
    ) -> None:
        self._state = state
        self._effects = effects
        self._handle = handle
        self._report = report
        self._tcp = tcp
        self._free = threading.BoundedSemaphore(HANDLERS)
        self._closed = threading.Event()
        self._listener: Listener | None = None
        self.address = Address()

    def open(self) -> None:
        """Listen, and say where. What a killed controller has left is removed: we have its lock. Raises OSError."""
        files = self._effects.files
        _remove_socket(self._state, files, read_address(self._state, files))
        files.remove(self._state.serve_address)
        listener = self._listener = self._listen()
        threading.Thread(target=self._accept, args=(listener,), name="attention-accept", daemon=True).start()
        files.write(self._state.serve_address, self.address.content)

    def close(self) -> None:
        """The address goes first, so that nobody comes any more."""
        self._closed.set()
        with contextlib.suppress(OSError):
            self._effects.files.remove(self._state.serve_address)
        self._shut()

    def wait_idle(self, timeout_s: float) -> None:
        """Until every answer is out, or so long."""
        end = time.monotonic() + timeout_s
        for _ in range(HANDLERS):
            if not self._free.acquire(timeout=max(0.0, end - time.monotonic())):
                return

    def mend(self) -> bool:
        """Listen anew if somebody has removed the socket or the address. Says whether that was so."""
        files = self._effects.files
        socket_is_there = not self.address.path or files.exists(Path(self.address.path))
        if socket_is_there and read_address(self._state, files) == self.address:
            return False
        self._shut()
        self.open()
        return True

    def _listen(self) -> Listener:
        if self._tcp:
            listener = self._effects.sockets.listen(None)
            self.address = Address(port=listener.port, token=secrets.token_hex(16))
            return listener
        path = self._socket_path()
        self._effects.files.remove(path)
        listener = self._effects.sockets.listen(path)
        self.address = Address(path=str(path))
        return listener

    def _socket_path(self) -> Path:
        path = self._state.serve_socket.absolute()
        if len(str(path).encode(errors="surrogateescape")) <= LONGEST_PATH:
            return path
        return Path(tempfile.mkdtemp(prefix=PREFIX)) / path.name

    def _shut(self) -> None:
        if self._listener is not None:
            self._listener.close()
        _remove_socket(self._state, self._effects.files, self.address)

    def _accept(self, listener: Listener) -> None:
        while not self._closed.is_set() and listener is self._listener:
            try:
                connection = listener.accept(ACCEPT_S)
            except OSError as error:  # Too many open files, for a moment.
                self._report(f"no connection could be taken: {error}")
                time.sleep(0.1)
                continue
            if connection is not None:
                self._hand_over(connection)

    def _hand_over(self, connection: Connection) -> None:
        """Whoever comes while every handler is busy waits a little, and then does it without us."""
        if not self._free.acquire(timeout=ACCEPT_S):
            connection.close()
            return
        try:
            threading.Thread(
                target=self._serve, args=(connection,), name="attention-handler", daemon=True
            ).start()
        except RuntimeError:  # The system gives no more threads.
            self._free.release()
            connection.close()

    def _serve(self, connection: Connection) -> None:
        try:
            # A client that is gone, is too slow, or says too much, is none.
            with connection, contextlib.suppress(OSError, ValueError, Gone):
                line = connection.receive_line(REQUEST_WITHIN_S, LIMIT)
                if line.endswith(b"\n"):
                    _send_all(connection, self._answer(line))
        except Exception as error:  # The client sees that there is no end, and does it alone.
            self._report(f"a request could not be answered: {describe(error)}")
        finally:
            self._free.release()

    def _answer(self, line: bytes) -> Iterator[bytes]:
        """That it was heard, at once, where that is said; and the rest."""
        try:
            request = parse_request(line)
            if self._tcp and not hmac.compare_digest(
                request.values.get("token", "").encode(errors="replace"), self.address.token.encode()
            ):
                raise Gone
            answer = iter(self._handle(request))
            lines = [first] if (first := next(answer, None)) is not None else []
            if lines == [HEARD]:
                yield _bytes(lines)
                lines = []
            lines += answer
        except BadRequest as error:
            if self._tcp and f"token={self.address.token}".encode() not in line:
                raise Gone from error
            lines = [line_of("err", str(error)), "end 2"]
        yield _bytes(lines)


def _send_all(connection: Connection, parts: Iterable[bytes]) -> None:
    """To the end, also where nobody listens any more: what a client asked for that was killed since is done."""
    for part in parts:
        with contextlib.suppress(OSError):
            connection.send(part)


def _bytes(lines: Iterable[str]) -> bytes:
    return "".join(f"{one}\n" for one in lines).encode(errors="replace")


def remove_left(state: StateFolder, files: Files) -> None:
    """What a killed controller has left, so that nobody takes it for one that is to be started again. Only for
    who has its lock. Raises OSError.
    """
    address = read_address(state, files)
    for path in (state.serve_address, state.reflex, state.serve_description):
        files.remove(path)
    _remove_socket(state, files, address)


def _remove_socket(state: StateFolder, files: Files, address: Address | None) -> None:
    if address is None or not address.path:
        return
    path = Path(address.path)
    if path != state.serve_socket.absolute() and not path.parent.name.startswith(PREFIX):
        return
    with contextlib.suppress(OSError):
        files.remove(path)
        if path.parent.name.startswith(PREFIX):
            files.remove_folder(path.parent)
