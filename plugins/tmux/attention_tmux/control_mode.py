"""Wake-ups from a control-mode client: tmux tells it of every change by itself."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from threading import Event

FLAGS: Final = "ignore-size,no-output,read-only"
"""The client neither shrinks windows nor gets output nor types."""
CHANGES: Final = frozenset(
    {
        "%window-pane-changed",
        "%session-window-changed",
        "%client-session-changed",
        "%client-detached",
        "%session-changed",
        "%sessions-changed",
        "%window-add",
        "%window-close",
        "%unlinked-window-add",
        "%unlinked-window-close",
        "%layout-change",
    }
)
LOOK_EVERY_S: Final = 0.5
END_WITHIN_S: Final = 1.0


def attach(command: Sequence[str], wake: Callable[[str], None], stop: Event) -> None:
    """Wake on every change until the client has to leave or `stop` is set."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("TMUX", "TMUX_PANE")
    }  # Else it is refused as nested.
    told, tells = os.pipe()
    with os.fdopen(told, encoding="utf-8", errors="replace") as output:
        try:
            process = _start(command, environment, told, tells)
        finally:
            os.close(tells)
        try:
            _follow(output, wake, stop)
        finally:
            _end(process)


def _start(
    command: Sequence[str], environment: dict[str, str], told: int, tells: int
) -> subprocess.Popen[bytes]:
    """The client itself keeps the reading end of its output open, so that a killed controller breaks no pipe: with
    output that can no longer be written, tmux 3.3a keeps the client for ever, and does not end at `kill-server`.
    The end of its input, which only the controller writes to, lets it leave.
    """
    return subprocess.Popen(
        [*command, "-C", "attach-session", "-f", FLAGS],
        stdin=subprocess.PIPE,
        stdout=tells,
        stderr=subprocess.DEVNULL,
        env=environment,
        pass_fds=(told,),
    )


def _follow(output: IO[str], wake: Callable[[str], None], stop: Event) -> None:
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(output, lines), name="tmux-control-mode", daemon=True).start()
    while not stop.is_set():
        try:
            line = lines.get(timeout=LOOK_EVERY_S)
        except queue.Empty:
            continue
        if line is None or line.startswith("%exit"):
            return
        word = line.split(" ", 1)[0].rstrip()
        if word in CHANGES:
            wake(f"tmux:{word.removeprefix('%')}")


def _read(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Closing its input lets the client leave by itself."""
    assert process.stdin is not None
    try:
        process.stdin.close()
        process.wait(END_WITHIN_S)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
