"""Running the tmux command against one server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attention_framework import HostUnavailable, PaneGone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Effects, Session

TIMEOUT_S = 2.0
NONE = re.compile(
    r"no server running on|error connecting to .* \((?:No such file or directory|Connection refused)\)$"
)
LOST = ("lost server", "server exited")
"""What the client says of a server that ends while it is asked."""
GONE = ("can't find pane", "can't find window", "can't find session", "no such pane")


class NoServer(HostUnavailable):
    """Nobody listens there: other than one who does not answer, that is a session less."""


class TmuxClient:
    """The tmux command with a time limit. It never starts a server."""

    def __init__(self, program: str, effects: Effects, timeout_s: float = TIMEOUT_S) -> None:
        self._program = program
        self._effects = effects
        self._timeout_s = timeout_s

    def command(self, socket: str, *words: str) -> list[str]:
        """`-u`: in a locale that is not UTF-8 tmux would print `_` for every other character."""
        return [self._program, "-u", "-N", "-S", socket, *words]

    def run(self, socket: str, *words: str) -> str:
        """What tmux printed.

        A word `;` separates commands, which tmux carries out with nothing in between.
        """
        what = f"`tmux {words[0]}` on {socket}"
        try:
            done = self._effects.processes.run(self.command(socket, *words), timeout_s=self._timeout_s)
        except FileNotFoundError as error:
            raise NoServer(f"there is no program {self._program}") from error
        except OSError as error:  # TimeoutError is one of them.
            raise HostUnavailable(f"{what}: {error}") from error
        if done.code != 0:
            message = done.errors.strip() or f"exit code {done.code}"
            raise _kind(message)(f"{what}: {message}")
        return done.output

    def address(self, socket: str) -> str:
        """Of the session of the server that listens there, as in TMUX: `socket,pid`. Raises HostUnavailable."""
        return self.run(socket, "display-message", "-p", "#{socket_path},#{pid}").strip()

    def version(self) -> str | None:
        """As `tmux -V` prints it, such as `3.3a`; None where there is no tmux."""
        try:
            done = self._effects.processes.run([self._program, "-V"], timeout_s=self._timeout_s)
        except OSError:
            return None
        return done.output.strip().removeprefix("tmux ") if done.code == 0 else None

    @property
    def absence(self) -> str:
        """What to say where `version` finds none."""
        if self._program == "tmux":
            return "there is no tmux on the PATH"
        return f"there is no {self._program}, which strategy.tmux.program names"


def _kind(message: str) -> type[HostUnavailable]:
    if NONE.match(message) or message.startswith(LOST):
        return NoServer
    return PaneGone if message.startswith(GONE) else HostUnavailable


def split_address(session: Session) -> tuple[str, str]:
    """Socket and server pid of a session."""
    socket, comma, pid = session.address.rpartition(",")
    if not comma or not pid.isdigit():
        raise HostUnavailable(
            f"{session.address!r} is no address of a tmux server: it should be `socket,pid`, as in TMUX"
        )
    return socket, pid


def check_server(session: Session, pid: str) -> None:
    """Pane ids begin anew with every server, so an answer of a later one on the same socket is no answer."""
    expected = split_address(session)[1]
    if pid != expected:
        raise HostUnavailable(
            f"the tmux server {expected} is gone; {pid or 'nothing'} listens on its socket now"
        )


def quote(words: Sequence[str]) -> str:
    """A command for tmux's own parser. Inside single quotes it knows no escapes."""
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
