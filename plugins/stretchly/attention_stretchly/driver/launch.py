"""Starting Stretchly's command line.

If Stretchly is running, the new process passes its arguments to it and ends at once, always with exit code 0. If it is not
running, the new process becomes Stretchly and stays. So the driver must neither wait for this process nor end it.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


class Call(Protocol):
    """A call of Stretchly's command line that has been made."""

    def failed(self) -> int | None:
        """The exit code of the call if it has ended with one that is not 0. None if it still runs, or ended with 0."""
        ...


class Launcher(Protocol):
    """What starts a program; tests give another one than `launch`."""

    def __call__(self, command: Sequence[str]) -> Call:
        """Start this program with its arguments, and do not wait for it. Raises OSError if it cannot be started."""
        ...


class RealCall:
    """A `Call` that is a process of the system."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def failed(self) -> int | None:
        return self._process.poll() or None  # On Unix, poll also removes an ended process (a zombie).

    def __del__(self) -> None:
        # Popen warns if its process still runs when the object is dropped. Here that is wanted: a return code prevents it.
        if self._process.returncode is None:
            self._process.returncode = self._process.poll() or 0


def launch(command: Sequence[str]) -> RealCall:
    """Start the program so that it goes on when this process ends, and a Ctrl-C for this process does not end it."""
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
"""Arguments of `subprocess.Popen` for a process that is independent of this one: no shared input or output, a session (on
Windows a process group) of its own, and no console window.
"""
