"""The processes of a person's machine: those that run with its HOME."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from attention_framework.testing import until

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Running:
    """A process of this machine."""

    pid: int
    words: list[str]
    """Of its command line."""

    def is_one_of(self, *names: str) -> bool:
        return any(word.endswith(names) for word in self.words)

    def kill(self) -> None:
        """And see it gone: what is still dying would be taken for one that can be killed or stopped."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
            until(lambda: not psutil.pid_exists(self.pid), 10, what=f"process {self.pid} has gone")


def running_with(home: Path) -> list[Running]:
    """Without those that have ended and that nobody has asked about yet: they have no command line any more."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            words = process.cmdline()
            if words and process.environ().get("HOME") == str(home):
                found.append(Running(process.pid, words))
    return found
