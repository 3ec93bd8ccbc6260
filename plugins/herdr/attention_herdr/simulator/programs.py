"""A program in a pane: keys and focus reports go to its input,
its output feeds the screen. Plain pipes, no terminal, on every platform.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

if sys.platform == "win32":
    NO_WINDOW = subprocess.CREATE_NO_WINDOW
else:
    NO_WINDOW = 0

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

QUEUE = 1024
"""Writes that may wait for a program that does not read (Herdr 0.8.2)."""
_LEAVE_S = 2.0


class Program:
    """Starts at once. `on_output` and `on_exit` are called from threads of this object."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        kind: str | None,
        cwd: str,
        environment: Mapping[str, str],
        on_output: Callable[[bytes], None],
        on_exit: Callable[[int], None],
    ) -> None:
        self.argv = list(argv)
        self.kind = kind
        self.closes_pane = False
        self._on_output = on_output
        self._on_exit = on_exit
        self._input: queue.Queue[bytes | None] = queue.Queue(QUEUE)
        self._process = subprocess.Popen(
            self.argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=dict(environment),
            bufsize=0,
            creationflags=NO_WINDOW,
        )
        self._threads = [
            threading.Thread(target=work, name=f"simulated-pane-{self._process.pid}", daemon=True)
            for work in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def send(self, data: bytes) -> bool:
        """Queue bytes for its input. False if the queue is full."""
        try:
            self._input.put_nowait(data)
        except queue.Full:
            return False
        return True

    def hang_up(self) -> None:
        """End its input, which every well-behaved program takes as the end of its terminal. Does not wait."""
        with contextlib.suppress(queue.Full):
            self._input.put_nowait(None)

    def end(self) -> None:
        """Hang up, wait a little, then kill. Returns when it is gone and its pipes are closed."""
        self.hang_up()
        try:
            self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self.join()

    def kill(self) -> None:
        """As `kill -9` does."""
        self._process.kill()
        self.join()

    def join(self) -> None:
        self._process.wait()
        with contextlib.suppress(queue.Full):
            self._input.put_nowait(None)
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _read(self) -> None:
        output = self._process.stdout
        assert output is not None
        with output:
            while data := os.read(output.fileno(), 65536):
                self._on_output(data)
        self._on_exit(self._process.wait())

    def _write(self) -> None:
        target = self._process.stdin
        assert target is not None
        try:
            while (data := self._input.get()) is not None:
                target.write(data)
        except OSError:
            pass  # It has ended; the reader notices.
        with contextlib.suppress(OSError):
            target.close()
