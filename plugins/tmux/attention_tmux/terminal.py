"""A program in a terminal of its own, as a person has it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import threading
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

if sys.platform == "win32":
    raise ImportError("there is no tmux for Windows")

LEAVE_WITHIN_S: Final = 10.0


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
        self._process.wait(LEAVE_WITHIN_S)
        self._reader.join(LEAVE_WITHIN_S)
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
