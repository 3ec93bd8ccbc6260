"""Starting Stretchly's command line.

Where Stretchly runs, the call hands its words over and ends, always with 0. Where it does not, the call is
Stretchly from then on. So nobody waits for it, and nobody ends it.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Call(Protocol):
    """A call that has been made."""

    def failed(self) -> int | None:
        """The exit code, if it has ended with another one than 0."""
        ...


class Launcher(Protocol):
    def __call__(self, command: Sequence[str]) -> Call:
        """Raises OSError."""
        ...


class RealCall:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def failed(self) -> int | None:
        return self._process.poll() or None  # Asking also removes what is left of a process that has ended.

    def __del__(self) -> None:
        # It goes on without us, which is as it shall be: there is nothing to warn of.
        if self._process.returncode is None:
            self._process.returncode = self._process.poll() or 0


def launch(command: Sequence[str]) -> RealCall:
    """Start it so that it outlives us and no Ctrl-C reaches it."""
    return RealCall(subprocess.Popen(list(command), **APART))


def _apart() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


APART: Final[dict[str, Any]] = {
    "stdin": subprocess.DEVNULL,
    "stdout": subprocess.DEVNULL,
    "stderr": subprocess.DEVNULL,
    "close_fds": True,
    **_apart(),
}
"""With streams of its own, in a session of its own and without a console window."""
