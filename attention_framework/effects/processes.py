"""Real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .protocols import Completed, Running

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..model import ProcessIdentity
    from .protocols import Detached

START_TOLERANCE_MS = 5_000
KILLED_WITHIN_S = 2.0
PROC = Path("/proc")
STAT_LIMIT = 4096
"""Bytes: 52 numbers and a name of 64 (proc(5)), and the kernel gives them in one read."""


EXACT_S = 1.0
"""So long a pid that is still there counts as the same process, once that was seen: nobody gives it away so soon."""
MOST_KNOWN = 10_000


class RealProcesses:
    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], float] = {}
        """When a process was last seen to be the one that is meant, by its pid and its start."""

    def run(
        self, command: Sequence[str], *, timeout_s: float, environment: Mapping[str, str] | None = None
    ) -> Completed:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=None if environment is None else dict(environment),
            **_without_window(),
        )
        try:
            output, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired as error:
            what = "did not end" if process.poll() is None else "has ended, but not what it started,"
            raise TimeoutError(f"`{command[0]}` {what} within {timeout_s:g} s") from error
        finally:
            _give_up(process)
        return Completed(process.returncode, _text(output), _text(errors))

    def start_detached(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Detached:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=None if environment is None else dict(environment),
            cwd=folder,
            close_fds=True,
            **_detached(),
        )
        return _Started(process)

    def alive(self, process: ProcessIdentity) -> bool:
        if process.ticks is not None and sys.platform == "linux":
            return self._alive_since(process.pid, process.ticks)
        import psutil

        try:
            started_ms = psutil.Process(process.pid).create_time() * 1000
        except psutil.NoSuchProcess:
            return False
        except psutil.AccessDenied:
            return True
        return not process.started_ms or abs(started_ms - process.started_ms) <= START_TOLERANCE_MS

    def _alive_since(self, pid: int, ticks: int) -> bool:
        """A zombie may be noticed late by `EXACT_S`; whoever is in front of the pane has collected it long before."""
        now_s, seen_s = time.monotonic(), self._seen.get((pid, ticks))
        if seen_s is not None and now_s - seen_s < EXACT_S and _there(pid):
            return True
        if start_ticks(pid) != ticks:
            self._seen.pop((pid, ticks), None)
            return False
        if len(self._seen) >= MOST_KNOWN:
            self._seen.clear()
        self._seen[pid, ticks] = now_s
        return True

    def ancestors(self, pid: int) -> Sequence[int]:
        import psutil

        try:
            return [parent.pid for parent in psutil.Process(pid).parents()]
        except psutil.Error:
            return []

    def running(self, is_meant: Callable[[Sequence[str]], bool]) -> Sequence[Running]:
        import psutil

        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):  # It has ended, or is another user's.
                command = process.cmdline()
                if command and is_meant(command):
                    found.append(Running(process.pid, tuple(command), process.environ()))
        return found

    def own(self) -> ProcessIdentity:
        from ..model import ProcessIdentity

        ticks = start_ticks(os.getpid()) if sys.platform == "linux" else None
        return ProcessIdentity(os.getpid(), ticks, round(time.time() * 1000 - self.age_ms()))

    def age_ms(self) -> float:
        if sys.platform == "linux" and (ticks := start_ticks(os.getpid())) is not None:
            since_boot_ms = time.clock_gettime(time.CLOCK_BOOTTIME) * 1000
            return max(0.0, since_boot_ms - ticks * 1000 / os.sysconf("SC_CLK_TCK"))
        import psutil

        return max(0.0, (time.time() - psutil.Process().create_time()) * 1000)


@dataclass(frozen=True, slots=True)
class _Started:
    process: subprocess.Popen[bytes]

    @property
    def pid(self) -> int:
        return self.process.pid

    def ended(self) -> bool:
        return self.process.poll() is not None


def _there(pid: int) -> bool:
    """A twentieth of what a look at its start costs."""
    try:
        os.kill(pid, 0)
    except OSError:  # One of another user's is looked at closely.
        return False
    return True


def start_ticks(pid: int) -> int | None:
    """Start of a process in clock ticks since boot; None if it is gone or a zombie. Linux only (proc(5))."""
    try:
        descriptor = os.open(f"{PROC}/{pid}/stat", os.O_RDONLY)
    except OSError:
        return None
    try:
        stat = os.read(descriptor, STAT_LIMIT)
    except ProcessLookupError:  # It has ended since.
        return None
    finally:
        os.close(descriptor)
    fields = stat[stat.rindex(b")") + 2 :].split(None, 20)
    return None if fields[0] in (b"Z", b"X") else int(fields[19])


def _give_up(process: subprocess.Popen[bytes]) -> None:
    """End it if it runs. What it has started is not ours to end, and may hold its pipes for as long as it likes."""
    if process.poll() is None:
        process.kill()
        with suppress(subprocess.TimeoutExpired):  # Of one that the system itself cannot end.
            process.wait(KILLED_WITHIN_S)
    if sys.platform == "win32":
        return  # Threads of `communicate` read the pipes, and close them: closing here would wait for them.
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _text(output: bytes) -> str:
    """With the line ends of Windows made plain. A lone carriage return is no line end: a file name may hold one."""
    return output.decode(errors="replace").replace("\r\n", "\n")


def _without_window() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW}
    return {}


def _detached() -> dict[str, Any]:
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
