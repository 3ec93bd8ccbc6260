"""Effects in memory: a clock, a table of processes, and `Memory`, which has all effects together."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..effects import Completed, Effects, Running
from ..model import ProcessIdentity
from .memory_files import MemoryDisk, MemoryFiles
from .memory_sockets import MemorySockets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

START_MS = 1_796_008_500_000
"""The time that a new `MemoryClock` shows: milliseconds since the epoch."""
START_TOLERANCE_MS = 5_000
OWN_PID = 4_711
DETACHED_PID = 4_712


class MemoryClock:
    """A `Clock` that stands still until the test moves it (`advance`), or somebody sleeps. As on a real machine, the wall
    clock can be set to another time (`set_wall`), and the monotonic clock is not changed by that.
    """

    def __init__(self) -> None:
        self._wall_ms = float(START_MS)
        self._monotonic_ms = 1_000.0
        self._guard = threading.RLock()
        self.on_sleep: list[Callable[[float], None]] = []
        """Functions that are called each time somebody sleeps, with the duration in ms, after the clock has moved: what
        happens elsewhere in that time.
        """

    def wall_ms(self) -> int:
        return int(self._wall_ms)

    def monotonic_ms(self) -> float:
        return self._monotonic_ms

    def sleep_ms(self, duration: float) -> None:
        self.advance(duration)
        for callback in list(self.on_sleep):
            callback(duration)

    def advance(self, duration_ms: float) -> None:
        """Move both clocks on by this time. Does not call the functions in `on_sleep`."""
        with self._guard:
            self._wall_ms += duration_ms
            self._monotonic_ms += duration_ms

    def set_wall(self, wall_ms: int) -> None:
        """Set the wall clock, forward or back, as a person or a time server does: milliseconds since the epoch."""
        with self._guard:
            self._wall_ms = float(wall_ms)


@dataclass(frozen=True, slots=True)
class MemoryDetached:
    """What `MemoryProcesses.start_detached` returns: the handle of a process (`Detached`) that was only noted. No program
    runs.
    """

    pid: int
    """The process id that it claims to have."""
    processes: MemoryProcesses
    """Where it was started: `detached_ended` there is what `ended` returns."""

    def ended(self) -> bool:
        return self.processes.detached_ended


class MemoryProcesses:
    """The `Processes` of a test: a table of processes that live, and functions in place of programs."""

    def __init__(self) -> None:
        self.parents: dict[int, int] = {}
        """The pid of the parent of each process, by its pid; `ancestors` goes by it."""
        self.alive_now: dict[int, ProcessIdentity] = {}
        """The processes that live, by pid. `start` and `end` change it."""
        self.programs: dict[str, Callable[[Sequence[str]], Completed]] = {}
        """The programs that `run` can call, by the first word of the command. Each is a function that gets the whole command
        and returns what became of it. It may raise TimeoutError. For any other name `run` raises FileNotFoundError.
        """
        self.ran: list[tuple[str, ...]] = []
        """Every command that was given to `run`, in order."""
        self.listed: list[Running] = []
        """The processes among which `running` looks."""
        self.detached: list[tuple[str, ...]] = []
        """Every command that was given to `start_detached`, in order. No program is started."""
        self.on_detached: Callable[[Sequence[str]], None] | None = None
        """Called with each command that is given to `start_detached`, to do what that program would do."""
        self.detached_ended = True
        """What `ended` of every detached process returns."""
        self.own_age_ms = 40.0
        """What `age_ms` returns."""

    def start(
        self, pid: int, *, parent: int = 1, ticks: int | None = None, started_ms: int = START_MS
    ) -> ProcessIdentity:
        """Add a process that lives. To reuse the pid of one that has ended, give other `ticks`: `alive` tells the two
        processes apart by them. Without `ticks` they are ten times the pid.
        """
        identity = ProcessIdentity(pid, pid * 10 if ticks is None else ticks, started_ms)
        self.alive_now[pid] = identity
        self.parents[pid] = parent
        return identity

    def end(self, pid: int) -> None:
        """Let this process end: from now on it does not live, and has no parent."""
        self.alive_now.pop(pid, None)
        self.parents.pop(pid, None)

    def run(
        self, command: Sequence[str], *, timeout_s: float, environment: Mapping[str, str] | None = None
    ) -> Completed:
        self.ran.append(tuple(command))
        program = self.programs.get(command[0])
        if program is None:
            raise FileNotFoundError(2, "No such file or directory", command[0])
        return program(command)

    def start_detached(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> MemoryDetached:
        self.detached.append(tuple(command))
        if self.on_detached is not None:
            self.on_detached(command)
        return MemoryDetached(DETACHED_PID, self)

    def alive(self, process: ProcessIdentity) -> bool:
        found = self.alive_now.get(process.pid)
        if found is None:
            return False
        if process.ticks is not None:
            return found.ticks == process.ticks
        return not process.started_ms or abs(found.started_ms - process.started_ms) <= START_TOLERANCE_MS

    def ancestors(self, pid: int) -> Sequence[int]:
        found: list[int] = []
        while pid in self.parents and self.parents[pid] not in found:
            pid = self.parents[pid]
            found.append(pid)
        return found

    def running(self, is_meant: Callable[[Sequence[str]], bool]) -> Sequence[Running]:
        return [process for process in self.listed if is_meant(process.command)]

    def own(self) -> ProcessIdentity:
        return ProcessIdentity(OWN_PID, OWN_PID * 10, START_MS)

    def age_ms(self) -> float:
        return self.own_age_ms


@dataclass(slots=True)
class Memory:
    """A world in memory, in which several processes can act. `effects` are those of one process; `process()` makes those of
    another one.
    """

    disk: MemoryDisk = field(default_factory=MemoryDisk)
    """The disk, the same for all processes."""
    clock: MemoryClock = field(default_factory=MemoryClock)
    """The clock, the same for all processes."""
    processes: MemoryProcesses = field(default_factory=MemoryProcesses)
    """The table of processes, the same for all of them."""
    sockets: MemorySockets = field(default_factory=MemorySockets)
    """The servers that can be connected to, the same for all processes."""
    environment: dict[str, str] = field(default_factory=dict)
    """The environment variables, the same for all processes."""
    files: MemoryFiles = field(init=False)
    """The access to the disk that belongs to `effects`."""
    effects: Effects = field(init=False)
    """The effects of the first process."""

    def __post_init__(self) -> None:
        self.files = self.disk.process()
        self.sockets.files = self.files
        self.effects = self._bundle(self.files)

    def process(self) -> Effects:
        """Make the effects of another process. It has locks of its own, and when it dies (`Crash`) the others live on."""
        return self._bundle(self.disk.process())

    def _bundle(self, files: MemoryFiles) -> Effects:
        return Effects(files, self.clock, self.processes, self.sockets, self.environment)
