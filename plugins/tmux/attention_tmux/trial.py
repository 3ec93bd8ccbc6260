"""A tmux server of its own for `attention verify`, with a client on a terminal of its own."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable, ProcessIdentity, Session

from .client import TmuxClient, split_address
from .servers import HOST, socket_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attention_framework import Context

    from .terminal import Terminal

if sys.platform == "win32":
    raise ImportError("there is no tmux for Windows")

NAME: Final = "attention-verify"
COLUMNS: Final = 200
ROWS: Final = 50
ATTACH_WITHIN_MS: Final = 10_000.0
END_WITHIN_MS: Final = 10_000.0
ORPHANED: Final = "if-shell 'sleep 1; kill -0 {pid}' '' kill-server"
"""Whoever has started the trial may be killed; its client goes with it. Others may come and go."""
FOREIGN: Final = ("TMUX", "TMUX_PANE")
"""Of the tmux that the person may be in. A Herdr's are taken away, too: the agents would take themselves for its."""


class TmuxTrial:
    """The person's own configuration is read, and so are the hooks in it. The server's socket lies beside that of
    the person's, so that a controller finds it. Keys of its own select the panes, as a person's would.
    """

    moves = "by keys of a client on a terminal of its own"
    own_session = True

    def __init__(self, program: str, context: Context, timeout_s: float) -> None:
        environment = context.effects.environment
        folder = socket_folder(environment)
        folder.mkdir(mode=0o700, exist_ok=True)
        self._socket = str((folder / f"{NAME}-{os.getpid()}").resolve())
        self._program = program
        self._context = context
        self._client = TmuxClient(program, context.effects, max(timeout_s, 10.0))
        self._panes: dict[str, str] = {}
        self._person: Terminal | None = None
        self._session: Session | None = None
        self._closed = False

    @property
    def session(self) -> Session:
        if self._session is None:
            raise HostUnavailable("the tmux server for the trial has not been started")
        return self._session

    def open(self, command: str, folder: Path, environment: Mapping[str, str]) -> str:
        given = [word for name, value in environment.items() for word in ("-e", f"{name}={value}")]
        where = ("-c", str(folder), *given, "-P", "-F", "#{pane_id}", command)
        if self._session is None:
            pane = self._start_server(where)
        else:
            pane = self._client.run(self._socket, "split-window", "-h", "-t", NAME, *where).strip()
        self._panes[pane] = self._bind(pane)
        if self._person is None:
            self._person = self._attach()
        return pane

    def focus(self, pane: str) -> None:
        self._press(self._panes[pane])

    def type(self, pane: str, text: str) -> None:
        self._press(text)

    def close(self) -> None:
        if self._person is not None:
            self._person.leave()
            self._person = None
        if self._session is not None and not self._closed:
            self._closed = True
            self._end_server(self._session)

    def _start_server(self, where: tuple[str, ...]) -> str:
        """The client never starts a server, so this is done by hand."""
        size = ("-x", str(COLUMNS), "-y", str(ROWS))
        command = [self._program, "-u", "-S", self._socket, "new-session", "-d", "-s", NAME, *size, *where]
        done = self._context.effects.processes.run(command, timeout_s=10.0, environment=self._environment())
        if done.code != 0:
            raise HostUnavailable(f"no tmux server could be started: {done.errors.strip()}")
        self._session = Session(HOST, self._client.address(self._socket), NAME)
        # What is typed fast would count as pasted, and select no pane.
        self._client.run(self._socket, "set-option", "-g", "assume-paste-time", "0")
        self._client.run(self._socket, "set-hook", "-ga", "client-detached", ORPHANED.format(pid=os.getpid()))
        return done.output.strip()

    def _environment(self) -> dict[str, str]:
        given = self._context.effects.environment
        return {
            name: value
            for name, value in given.items()
            if name not in FOREIGN and not name.startswith("HERDR_")
        }

    def _bind(self, pane: str) -> str:
        """Alt and a digit, in this server alone."""
        number = len(self._panes) + 1
        self._client.run(self._socket, "bind-key", "-n", f"M-{number}", "select-pane", "-t", pane)
        return f"\x1b{number}"

    def _attach(self) -> Terminal:
        from .terminal import Terminal

        command = [self._program, "-u", "-S", self._socket, "attach-session", "-t", NAME]
        person = Terminal(command, self._environment(), COLUMNS, ROWS)
        clock = self._context.effects.clock
        end = clock.monotonic_ms() + ATTACH_WITHIN_MS
        while (
            person.name not in self._client.run(self._socket, "list-clients", "-F", "#{client_name}").split()
        ):
            if clock.monotonic_ms() > end:
                person.leave()
                raise HostUnavailable("no client could be attached to the tmux server of the trial")
            clock.sleep_ms(10)
        return person

    def _press(self, text: str) -> None:
        if self._person is None:
            raise HostUnavailable("nobody is attached to the tmux server of the trial")
        self._person.press(text.encode())

    def _end_server(self, session: Session) -> None:
        """This very one, and see it gone: agents say goodbye when their terminal goes."""
        alive = self._context.effects.processes.alive
        started = [ProcessIdentity(pid) for pid in self._pids(session)]
        with contextlib.suppress(HostUnavailable):
            self._client.run(self._socket, "kill-server")
        clock = self._context.effects.clock
        end = clock.monotonic_ms() + END_WITHIN_MS
        while any(map(alive, started)) and clock.monotonic_ms() < end:
            clock.sleep_ms(10)
        Path(self._socket).unlink(missing_ok=True)

    def _pids(self, session: Session) -> list[int]:
        with contextlib.suppress(HostUnavailable):
            found = self._client.run(self._socket, "list-panes", "-a", "-F", "#{pane_pid}").split()
            return [int(split_address(session)[1]), *map(int, found)]
        return []
