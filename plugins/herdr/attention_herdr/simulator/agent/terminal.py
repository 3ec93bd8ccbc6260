"""The agent's output in the simulator's screen protocol, and its input as a stream of chunks."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOCUS_REPORTS = "\x1b[?1004h"
BRACKETED_PASTE = "\x1b[?2004h"


class Terminal:
    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._shown = ""

    def switch_on(self, *modes: str) -> None:
        self._write("".join(modes))

    def title(self, text: str) -> None:
        self._write(f"\x1b]0;{text}\x07")

    def draw(self, lines: Sequence[str]) -> None:
        """The whole screen, if it is another one than before."""
        screen = "\x1b[2J\x1b[H" + "\n".join(lines)
        if screen != self._shown:
            self._shown = screen
            self._write(screen)

    def read(self, got: Callable[[bytes], None]) -> None:
        """Pass on what comes in from a thread; an empty chunk at the end."""

        def run() -> None:
            while True:
                data = os.read(sys.stdin.fileno(), 65536)
                got(data)
                if not data:
                    return

        threading.Thread(target=run, name="input", daemon=True).start()

    def _write(self, text: str) -> None:
        data = memoryview(text.encode())
        while data:
            data = data[os.write(sys.stdout.fileno(), data) :]
