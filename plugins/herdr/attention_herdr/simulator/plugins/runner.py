"""Commands of plugins as child processes: all in parallel, in no order, never timed out, at most 32 at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import deque
from typing import IO, TYPE_CHECKING, Any

if sys.platform == "win32":
    NO_WINDOW = subprocess.CREATE_NO_WINDOW
else:
    NO_WINDOW = 0

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ..clock import Clock
    from .manifest import Command
    from .registry import Plugin

AT_ONCE = 32
LOG_ROWS = 200
OUTPUT_BYTES = 64 * 1024
TRUNCATED = f"\n[herdr truncated plugin output after {OUTPUT_BYTES} bytes]"


class HookRunner:
    """The log holds rows in the shape of `plugin.log.list`;
    a row that runs has no end, exit code or output yet.
    """

    def __init__(self, clock: Clock, environment: Mapping[str, str]) -> None:
        self._clock = clock
        self._environment = dict(environment)
        self._changed = threading.Condition()
        self._log: deque[dict[str, Any]] = deque(maxlen=LOG_ROWS)
        self._last = 0
        self._running: dict[threading.Thread, subprocess.Popen[bytes] | None] = {}

    def run(
        self,
        plugin: Plugin,
        event: str | None,
        command: Command,
        variables: Mapping[str, str],
        action: str | None = None,
    ) -> dict[str, Any]:
        """Start a command and return a copy of its row.
        A slot is free again when the child has ended *and* its pipes are closed.
        """
        with self._changed:
            row = self._new_row(plugin, event, action, command)
            if len(self._running) >= AT_ONCE:
                row.update(status="failed", error=f"maximum concurrent plugin commands reached ({AT_ONCE})")
                row.update(finished_unix_ms=self._clock.wall_ms())
                return dict(row)
            work = (plugin.manifest.root, command, {**self._environment, **variables}, row)
            thread = threading.Thread(target=self._work, args=work, name="simulated-hook", daemon=True)
            self._running[thread] = None
            copy = dict(row)
        thread.start()
        return copy

    def rows(self, plugin_id: str | None, limit: int) -> list[dict[str, Any]]:
        """The newest rows, the oldest first."""
        with self._changed:
            rows = [dict(row) for row in self._log if plugin_id in (None, row["plugin_id"])]
        return rows[-max(1, min(limit, LOG_ROWS)) :]

    def running(self) -> int:
        with self._changed:
            return len(self._running)

    def wait_idle(self, bound_s: float = 30.0) -> bool:
        """Wait until no command runs. False after the bound."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, bound_s)

    def forget(self) -> None:
        with self._changed:
            self._log.clear()

    def kill(self) -> None:
        """Herdr itself kills none; a simulator leaves none behind."""
        with self._changed:
            children = [child for child in self._running.values() if child]
        for child in children:
            child.kill()

    def _new_row(
        self, plugin: Plugin, event: str | None, action: str | None, command: Command
    ) -> dict[str, Any]:
        self._last += 1
        row: dict[str, Any] = {"log_id": f"plugin-log-{self._last}", "plugin_id": plugin.id}
        row.update({"event": event} if event else {}, **({"action_id": action} if action else {}))
        row.update(command=list(command.argv), status="running", started_unix_ms=self._clock.wall_ms())
        self._log.append(row)
        return row

    def _work(self, root: Path, command: Command, environment: dict[str, str], row: dict[str, Any]) -> None:
        ended: dict[str, Any]
        try:
            child = self._start(root, command, environment)
            with self._changed:
                self._running[threading.current_thread()] = child
            stdout, stderr = _outputs(child)
            code = child.wait()
            ended = {
                "exit_code": code,
                "stdout": stdout,
                "stderr": stderr,
                "status": "failed" if code else "succeeded",
            }
        except OSError as error:
            ended = {"status": "failed", "error": str(error)}
        with self._changed:
            status = ended.pop("status")
            row.update(status=status, finished_unix_ms=self._clock.wall_ms(), **ended)
            del self._running[threading.current_thread()]
            self._changed.notify_all()

    def _start(self, root: Path, command: Command, environment: dict[str, str]) -> subprocess.Popen[bytes]:
        """A relative program with a slash is one of the plugin's own; a bare name is looked up by the system."""
        program, *arguments = command.argv
        if not os.path.isabs(program) and ("/" in program or (sys.platform == "win32" and "\\" in program)):
            program = str(root / program)
        return subprocess.Popen(
            [program, *arguments],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=NO_WINDOW,
        )


def _outputs(child: subprocess.Popen[bytes]) -> tuple[str, str]:
    """Both outputs, drained to their ends, kept to the limit."""
    assert child.stdout is not None
    assert child.stderr is not None
    kept: dict[str, str] = {}
    other = threading.Thread(
        target=lambda pipe: kept.update(stderr=_drain(pipe)), args=(child.stderr,), daemon=True
    )
    other.start()
    stdout = _drain(child.stdout)
    other.join()
    return stdout, kept["stderr"]


def _drain(pipe: IO[bytes]) -> str:
    kept, more = bytearray(), False
    with pipe:
        while data := os.read(pipe.fileno(), 65536):
            room = OUTPUT_BYTES - len(kept)
            kept += data[:room]
            more = more or len(data) > room
    return kept.decode(errors="replace") + (TRUNCATED if more else "")
