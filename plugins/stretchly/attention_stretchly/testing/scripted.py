"""The scripted Stretchly as tests use it."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self

import psutil

from ..driver.launch import APART
from .script import CONTROL, INSTANCE, Script, log_of, save_script

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BOUND_S: Final = 30.0


class ScriptedStretchly:
    """One installation of it, in a folder of its own. Leaves nothing running.

    Keywords are those of `Script`, such as `version=(1, 7)`, `speed=50`, `skip_after_ms=1000`.
    """

    def __init__(self, folder: Path, **script: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.log = log_of(folder)
        """Its `main.log`; not there before its first line."""
        self.command = [sys.executable, "-m", "attention_stretchly.testing.stretchly", str(folder)]
        """How it is called; `mini` and the like come behind it."""
        self.change(**script)

    def change(self, **script: Any) -> None:
        """Another script, for the processes that start from now on."""
        save_script(self.folder, Script(**script))

    def start(self) -> Self:
        """Start it, and wait until it can be called."""
        subprocess.Popen(self.command, **APART).returncode = 0  # It is ended by `kill` or `close`.
        _until(lambda: self.pid is not None, "a running Stretchly")
        return self

    def call(self, *words: str) -> None:
        """Its command line, where it runs already: `call("long", "-w", "20m")`."""
        subprocess.run([*self.command, *words], check=True, timeout=BOUND_S, **APART)

    def skip(self) -> None:
        """The person presses the button in its window."""
        self.call(CONTROL, "skip")

    def run_out(self) -> None:
        """The time of the break that is shown is over, at once."""
        self.call(CONTROL, "run_out")

    def postpone(self) -> None:
        self.call(CONTROL, "postpone")

    def quit(self) -> None:
        """It ends, and writes nothing."""
        self.call(CONTROL, "quit")
        _until(lambda: self.pid is None, "the end of Stretchly")

    def kill(self) -> None:
        """As a crash does it; harmless where it does not run."""
        if (pid := self.pid) is not None:
            with suppress(psutil.NoSuchProcess):
                _end(psutil.Process(pid))
            (self.folder / INSTANCE).unlink(missing_ok=True)

    @property
    def pid(self) -> int | None:
        """Of the process that runs and can be called."""
        try:
            pid = int(json.loads((self.folder / INSTANCE).read_text(encoding="utf-8"))["pid"])
        except (OSError, ValueError):
            return None
        return pid if _runs(pid) else None

    def close(self) -> None:
        """End every process of this installation, those that hang or still start included."""
        self.kill()
        for process in psutil.process_iter(["cmdline"]):
            if (
                str(self.folder) in (process.info["cmdline"] or ())
                and self.command[2] in process.info["cmdline"]
            ):
                with suppress(psutil.NoSuchProcess):
                    _end(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def lines(self) -> list[str]:
        """What its log says, without the stamps; nothing where there is none."""
        with suppress(FileNotFoundError):
            return [
                line.partition("Stretchly: ")[2] for line in self.log.read_text(encoding="utf-8").splitlines()
            ]
        return []


def _until(condition: Callable[[], object], what: str) -> None:
    from attention_framework.testing import (
        until,
    )  # Not for the program, which shares this package and starts often.

    until(condition, BOUND_S, what)


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _end(process: psutil.Process) -> None:
    process.kill()
    # Whoever started it may not have asked how it ended.
    _until(lambda: not _runs(process.pid), "the end of a killed Stretchly")
