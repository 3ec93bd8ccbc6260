"""A real tmux for tests: a server on a socket of its own, and people who look at it through a terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
from typing import TYPE_CHECKING, Self

import psutil

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class Person:
    """A client with a terminal, as a person has one: what it shows is what the person looks at."""

    def __init__(self, server: TmuxServer, session: str, columns: int = 120, rows: int = 40) -> None:
        self._server = server
        self._terminal, inner = pty.openpty()
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._name = os.ttyname(inner)
        self._process = subprocess.Popen(
            ["tmux", "-u", "-S", str(server.socket), "attach-session", "-t", session],
            env={**server.environment, "TERM": "xterm-256color"},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            start_new_session=True,
        )
        os.close(inner)
        self._reader = threading.Thread(target=self._drain, name="person", daemon=True)
        self._reader.start()
        until(self._attached, what="the client is attached")

    def press(self, *keys: bytes) -> None:
        """Bytes as the terminal sends them; the server's prefix is Ctrl+B."""
        for key in keys:
            os.write(self._terminal, key)

    def leave(self) -> None:
        """Close the terminal."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(COMMAND_TIMEOUT_S)
        self._reader.join(COMMAND_TIMEOUT_S)
        os.close(self._terminal)

    def _attached(self) -> bool:
        return self._name in self._server.run("list-clients", "-F", "#{client_name}").split()

    def _drain(self) -> None:
        """A terminal that nobody reads from would block the server. At the client's end the read fails."""
        with contextlib.suppress(OSError):
            while os.read(self._terminal, 65_536):
                pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()


def _runs(pid: int) -> bool:
    """A zombie has ended, however late its parent takes note."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
