"""The effects in memory: clock, processes and sockets, and all of them as one bundle."""

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
"""What a `MemoryClock` shows at first."""
START_TOLERANCE_MS = 5_000
OWN_PID = 4_711
DETACHED_PID = 4_712


class MemoryClock:
    """A `Clock` that a test moves. The wall clock can be set back; the monotonic one goes on."""

    def __init__(self) -> None:
        self._wall_ms = float(START_MS)
        self._monotonic_ms = 1_000.0
        self._guard = threading.RLock()
        self.on_sleep: list[Callable[[float], None]] = []
        """Called with the duration whenever somebody sleeps: what the others do meanwhile."""

    def wall_ms(self) -> int:
        return int(self._wall_ms)

    def monotonic_ms(self) -> float:
        return self._monotonic_ms

    def sleep_ms(self, duration: float) -> None:
        self.advance(duration)
        for callback in list(self.on_sleep):
            callback(duration)

    def advance(self, duration_ms: float) -> None:
        """Let so many milliseconds pass; nobody is called."""
        with self._guard:
            self._wall_ms += duration_ms
            self._monotonic_ms += duration_ms

    def set_wall(self, wall_ms: int) -> None:
        """What a person or a time server does to the wall clock, back as well as forth."""
        with self._guard:
            self._wall_ms = float(wall_ms)


@dataclass(frozen=True, slots=True)
class MemoryDetached:
    """A `Detached`. It does not run."""

    pid: int
    """Its number."""
    processes: MemoryProcesses
    """Their `detached_ended` says whether it has ended."""

    def ended(self) -> bool:
        return self.processes.detached_ended


class MemoryProcesses:
    """A table of processes, and programs as functions, behind `Processes`."""

    def __init__(self) -> None:
        self.parents: dict[int, int] = {}
        """Pid of the parent, by pid."""
        self.alive_now: dict[int, ProcessIdentity] = {}
        """By pid; `start` and `end` change it."""
        self.programs: dict[str, Callable[[Sequence[str]], Completed]] = {}
        """What `run` finds, by the name it is called by. One may raise TimeoutError."""
        self.ran: list[tuple[str, ...]] = []
        """Every command that was run, in order."""
        self.listed: list[Running] = []
        """What `running` finds."""
        self.detached: list[tuple[str, ...]] = []
        """Every command that was started detached, in order. None of them runs."""
        self.on_detached: Callable[[Sequence[str]], None] | None = None
        """Called with each of those: what it does, if it is to do something."""
        self.detached_ended = True
        """Whether those have ended."""
        self.own_age_ms = 40.0
        """What `age_ms` gives."""

    def start(
        self, pid: int, *, parent: int = 1, ticks: int | None = None, started_ms: int = START_MS
    ) -> ProcessIdentity:
        """Add a process. A pid that is given out again needs other ticks to be another process."""
        identity = ProcessIdentity(pid, pid * 10 if ticks is None else ticks, started_ms)
        self.alive_now[pid] = identity
        self.parents[pid] = parent
        return identity

    def end(self, pid: int) -> None:
        """Let a process die."""
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
    """A world in memory.

    `effects` is how one process in it sees the world; `process()` gives another one's view.
    """

    disk: MemoryDisk = field(default_factory=MemoryDisk)
    """Shared by all processes."""
    clock: MemoryClock = field(default_factory=MemoryClock)
    """Shared by all processes."""
    processes: MemoryProcesses = field(default_factory=MemoryProcesses)
    """Which there are."""
    sockets: MemorySockets = field(default_factory=MemorySockets)
    """Who can be connected to."""
    environment: dict[str, str] = field(default_factory=dict)
    """Variables of every process."""
    files: MemoryFiles = field(init=False)
    """The disk, as the process of `effects` sees it."""
    effects: Effects = field(init=False)
    """Of one process."""

    def __post_init__(self) -> None:
        self.files = self.disk.process()
        self.sockets.files = self.files
        self.effects = self._bundle(self.files)

    def process(self) -> Effects:
        """The effects of another process: it has locks of its own and dies alone."""
        return self._bundle(self.disk.process())

    def _bundle(self, files: MemoryFiles) -> Effects:
        return Effects(files, self.clock, self.processes, self.sockets, self.environment)
