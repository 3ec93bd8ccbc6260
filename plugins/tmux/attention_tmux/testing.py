"""A real tmux for tests: a server on a socket of its own, and people who look at it through a terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import socket
import struct
import subprocess
import sys
import termios
import threading
from typing import TYPE_CHECKING, Self

import psutil

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

if sys.platform == "win32":
    raise ImportError("there is no tmux for Windows")

COMMAND_TIMEOUT_S = 10.0


class TmuxServer:
    """One server.

    `environment` is what its panes inherit; nothing of the developer's tmux is read or touched.
    """

    def __init__(
        self, socket: Path, environment: Mapping[str, str] | None = None, configuration: Path | None = None
    ) -> None:
        self.socket = socket
        inherited = os.environ if environment is None else environment
        self.environment = {
            name: value for name, value in inherited.items() if name not in ("TMUX", "TMUX_PANE")
        }
        self._configuration = str(configuration or "/dev/null")

    @property
    def address(self) -> str:
        return self.run("display-message", "-p", "#{socket_path},#{pid}").strip()

    def run(self, *words: str) -> str:
        """Output of a tmux command. Raises AssertionError with what tmux said."""
        done = subprocess.run(
            ["tmux", "-u", "-S", str(self.socket), "-f", self._configuration, *words],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )
        assert done.returncode == 0, f"tmux {words}: {done.stderr.strip()}"
        return done.stdout

    def new_session(self, name: str, *command: str, columns: int = 120, rows: int = 40) -> str:
        """Id of the session's first pane."""
        size = ("-x", str(columns), "-y", str(rows))
        return self.run("new-session", "-d", "-s", name, *size, "-P", "-F", "#{pane_id}", *command).strip()

    def screen(self, pane: str) -> str:
        return self.run("capture-pane", "-p", "-t", pane)

    def stop(self) -> None:
        """End this very server, and see it gone."""
        with contextlib.suppress(AssertionError):
            pid = int(self.run("display-message", "-p", "#{pid}"))
            self.run("kill-server")
            until(lambda: not _runs(pid), what="the tmux server has ended")
            # A hook's process that it has just forked has the socket for a moment: the next server's client would meet that.
            until(lambda: not _listens(self.socket), what="nobody has its socket any more")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class Terminal:
    """A program in a terminal of its own, as a person has it. Its output is read and thrown away."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], columns: int = 120, rows: int = 40
    ) -> None:
        self._keys, inner = pty.openpty()
        fcntl.ioctl(self._keys, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.name = os.ttyname(inner)
        self._process = subprocess.Popen(
            list(command),
            env={**environment, "TERM": "xterm-256color"},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self._reader = threading.Thread(target=self._drain, name="terminal", daemon=True)
        self._reader.start()

    def press(self, *keys: bytes) -> None:
        """Bytes as a terminal sends them."""
        for key in keys:
            os.write(self._keys, key)

    def leave(self) -> None:
        """Close the terminal."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(COMMAND_TIMEOUT_S)
        self._reader.join(COMMAND_TIMEOUT_S)
        os.close(self._keys)

    def _drain(self) -> None:
        """A terminal that nobody reads from would block the program. At its end the read fails."""
        with contextlib.suppress(OSError):
            while os.read(self._keys, 65_536):
                pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()


class Person(Terminal):
    """A client of a server: what it shows is what the person looks at. The server's prefix is Ctrl+B."""

    def __init__(self, server: TmuxServer, session: str, columns: int = 120, rows: int = 40) -> None:
        command = ["tmux", "-u", "-S", str(server.socket), "attach-session", "-t", session]
        super().__init__(command, server.environment, columns, rows)
        until(
            lambda: self.name in server.run("list-clients", "-F", "#{client_name}").split(),
            what="the client is attached",
        )


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def _runs(pid: int) -> bool:
    """A zombie has ended, however late its parent takes note."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
