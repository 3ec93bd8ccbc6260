"""A real tmux for tests: a server on a socket of its own, and people who look at it through a terminal."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Self

import psutil

from attention_framework.testing import until

from .terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Mapping
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
