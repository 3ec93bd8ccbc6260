"""What a test uses to start and control the program of `attention_stretchly.testing.stretchly`."""

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
    """A program that acts like Stretchly, with all its files in this folder. Use it as a context manager: on leaving, all its
    processes are ended.

    Keywords are fields of `Script`, such as `version=(1, 7)`, `speed=50`, `skip_after_ms=1000`.
    """

    def __init__(self, folder: Path, **script: Any) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.log = log_of(folder)
        """Its `main.log`. The file does not exist before the first line is written."""
        self.command = [sys.executable, "-m", "attention_stretchly.testing.stretchly", str(folder)]
        """The command line that calls it, without the word for what it is to do, such as `mini`."""
        self.change(**script)

    def change(self, **script: Any) -> None:
        """Use another script, made of these fields, for all processes that start from now on."""
        save_script(self.folder, Script(**script))

    def start(self) -> Self:
        """Start it, and wait until it can be called."""
        subprocess.Popen(self.command, **APART).returncode = 0  # It is ended by `kill` or `close`.
        _until(lambda: self.pid is not None, "a running Stretchly")
        return self

    def call(self, *words: str) -> None:
        """Call its command line, and wait until it has taken the words: `call("long", "-w", "20m")`. It must be running."""
        subprocess.run([*self.command, *words], check=True, timeout=BOUND_S, **APART)

    def skip(self) -> None:
        """Skip the break that is shown, as the person does by the button in its window."""
        self.call(CONTROL, "skip")

    def run_out(self) -> None:
        """Let the time of the break that is shown be over now."""
        self.call(CONTROL, "run_out")

    def postpone(self) -> None:
        """Postpone the break that is shown, as the person does by the button in its window."""
        self.call(CONTROL, "postpone")

    def quit(self) -> None:
        """Let it end as when the person quits it: it writes nothing. Waits for its end."""
        self.call(CONTROL, "quit")
        _until(lambda: self.pid is None, "the end of Stretchly")

    def kill(self) -> None:
        """Kill its process, as a crash would end it. Does nothing if it does not run."""
        if (pid := self.pid) is not None:
            with suppress(psutil.NoSuchProcess):
                _end(psutil.Process(pid))
            (self.folder / INSTANCE).unlink(missing_ok=True)

    @property
    def pid(self) -> int | None:
        """The id of its process; None if it does not run, or cannot be called yet."""
        try:
            pid = int(json.loads((self.folder / INSTANCE).read_text(encoding="utf-8"))["pid"])
        except (OSError, ValueError):
            return None
        return pid if _runs(pid) else None

    def close(self) -> None:
        """End all its processes, also one that hangs or is still starting."""
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
        """The lines of its log, without the time stamps and "Stretchly: ". Empty if there is no log."""
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
    # Not `wait`: the process stays as a zombie until the program that started it asks for its exit code.
    _until(lambda: not _runs(process.pid), "the end of a killed Stretchly")
