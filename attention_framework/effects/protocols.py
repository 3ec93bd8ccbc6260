"""The protocols of the effects: files, clock, processes and sockets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from ..model import ProcessIdentity


class Lock(Protocol):
    """A kernel lock that is held: the system frees it when its holder dies."""

    def release(self) -> None:
        """Let it go. A second call does nothing."""
        ...


class Stamp(NamedTuple):
    """What tells one content of a file from the next without reading it."""

    written_ms: float
    """Since the epoch, by the clock of the file system; 0 where the rest alone tells."""
    rest: tuple[int, ...]
    """Numbers that differ where the content does: its size, and what the file system numbers files by."""


class Files(Protocol):
    """Files as the state folder needs them. All errors are OSErrors with the path."""

    def read(self, path: Path) -> bytes:
        """Whole content; the handle is closed again at once. Raises FileNotFoundError."""
        ...

    def read_part(self, path: Path, start: int, most: int) -> bytes:
        """At most so many bytes from there on; none behind the end. Raises FileNotFoundError."""
        ...

    def write(self, path: Path, content: bytes) -> None:
        """Replace the file as one step, by a temporary name in the same folder.
        Makes the folder if it is not there.
        """
        ...

    def create(self, path: Path, content: bytes = b"") -> None:
        """Create a file that must not exist. Raises FileExistsError. Makes the folder if it is not there."""
        ...

    def append(self, path: Path, content: bytes) -> None:
        """Write behind what is there, also where other processes do so at the same time.
        Makes the file and its folder if they are not there.
        """
        ...

    def rename(self, source: Path, target: Path) -> None:
        """Move as one step, over whatever is at the target. Raises FileNotFoundError if the source is gone."""
        ...

    def remove(self, path: Path) -> bool:
        """Remove a file. Says whether it was there."""
        ...

    def remove_folder(self, path: Path) -> bool:
        """Remove a folder if nothing is in it, hidden files included. Says whether it is gone by this."""
        ...

    def remove_tree(self, path: Path) -> None:
        """Remove a folder and what is in it, if it is there."""
        ...

    def names(self, folder: Path) -> list[str]:
        """Sorted names in a folder; none if it is not there.
        Temporary names (with a leading dot) are left out.
        """
        ...

    def stamps(self, folder: Path) -> dict[str, Stamp]:
        """The stamps of what `names` lists, in no order. Two contents that were written within the same moment
        of the file system's clock may have the same one.
        """
        ...

    def exists(self, path: Path) -> bool:
        """Whether a file or a folder is there."""
        ...

    def size(self, path: Path) -> int:
        """Bytes; 0 if it is not there."""
        ...

    def make_folder(self, path: Path) -> None:
        """Make a folder, for the owner only, with its parents."""
        ...

    def try_lock(self, path: Path) -> Lock | None:
        """Take the kernel lock of this file without waiting; None if somebody has it."""
        ...


class Clock(Protocol):
    """Time, all of it in milliseconds."""

    def wall_ms(self) -> int:
        """Milliseconds since the epoch; may be set back."""
        ...

    def monotonic_ms(self) -> float:
        """Milliseconds since some moment; never goes back."""
        ...

    def sleep_ms(self, duration: float) -> None:
        """Wait for so many milliseconds."""
        ...


@dataclass(frozen=True, slots=True)
class Completed:
    """A process that has ended."""

    code: int
    """Exit code; below 0 the number of the signal that ended it."""
    output: str
    """Standard output, as text."""
    errors: str
    """Standard error, as text."""


@dataclass(frozen=True, slots=True)
class Running:
    """A process of this user."""

    pid: int
    """Its number."""
    command: tuple[str, ...]
    """Program and arguments."""
    environment: Mapping[str, str]
    """The variables that it was started with."""


class Detached(Protocol):
    """A process that outlives whoever has started it."""

    @property
    def pid(self) -> int:
        """Its number. On Windows that of a launcher, where a virtual environment has one: the parent of what is meant."""
        ...

    def ended(self) -> bool:
        """Whether it has."""
        ...


class Processes(Protocol):
    """Other processes of this machine, and this one."""

    def run(
        self, command: Sequence[str], *, timeout_s: float, environment: Mapping[str, str] | None = None
    ) -> Completed:
        """Run to the end, without a console window.
        Raises FileNotFoundError, and TimeoutError after ending the process.
        """
        ...

    def start_detached(
        self,
        command: Sequence[str],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> Detached:
        """Start a process that outlives this one, with streams of its own, in that folder."""
        ...

    def own(self) -> ProcessIdentity:
        """This process, as others may know it."""
        ...

    def alive(self, process: ProcessIdentity) -> bool:
        """Whether exactly this process lives, not another one with its pid."""
        ...

    def ancestors(self, pid: int) -> Sequence[int]:
        """Pids of the parent, its parent, and so on; empty for a process that is gone."""
        ...

    def running(self, is_meant: Callable[[Sequence[str]], bool]) -> Sequence[Running]:
        """Processes of this user whose command line is meant, and whose environment the system tells. It looks
        at every process: for a person who waits, not for a cycle.
        """
        ...

    def age_ms(self) -> float:
        """How long this process has been running: what its start has cost so far."""
        ...


class Connection(Protocol):
    """A stream connection that has been opened."""

    def send(self, content: bytes) -> None:
        """Send all of it. Raises OSError."""
        ...

    def receive_line(self, timeout_s: float, limit: int) -> bytes:
        """The next line with its newline; empty at the end.
        Raises TimeoutError, and ValueError for a line over `limit` bytes.
        """
        ...

    def close(self) -> None:
        """Both ways. A second call does nothing."""
        ...

    def __enter__(self) -> Connection: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Listener(Protocol):
    """A place where other processes of this user connect."""

    port: int
    """Of TCP; 0 for a Unix socket."""

    def accept(self, timeout_s: float) -> Connection | None:
        """The next one who connects; None if nobody did within that time, or if it is closed.
        Raises OSError, such as for too many open files.
        """
        ...

    def close(self) -> None:
        """Nobody can connect any more. The file of a Unix socket is left."""
        ...


class Sockets(Protocol):
    """Connections to servers on this machine, and servers for others."""

    def connect(self, address: str, first: bytes, timeout_s: float) -> Connection:
        """Open a Unix socket, or on Windows the named pipe of that name, and send `first` with nothing in
        between: a server that looks before the bytes are there may answer a tick later. Raises OSError.
        """
        ...

    def connect_local(self, port: int, first: bytes, timeout_s: float) -> Connection:
        """The same over TCP on 127.0.0.1."""
        ...

    def listen(self, path: Path | None) -> Listener:
        """Listen at a Unix socket that only its owner can connect to; without a path over TCP on 127.0.0.1,
        at a port that the system chooses. Raises OSError; a socket that is there is FileExistsError or EADDRINUSE.
        """
        ...


@dataclass(frozen=True, slots=True)
class Effects:
    """All effects together, as strategies get them in their context."""

    files: Files
    """The disk."""
    clock: Clock
    """The wall clock, a clock that is never set back, and waiting."""
    processes: Processes
    """Other processes, and this one."""
    sockets: Sockets
    """Connections to servers on this machine."""
    environment: Mapping[str, str]
    """The variables of this process."""
