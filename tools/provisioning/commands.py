"""Run the programs that install things: seen while they run, ended when they hang, tried again when a network let them down."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from .cache import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

HEARTBEAT_S = 15
PAUSE_BETWEEN_TRIES_S = 3


class Unavailable(Exception):
    """Something cannot be provided; the message says what, why and what to do."""


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout_s: float = 900,
    tries: int = 1,
) -> None:
    """Run `command` with its output on stderr; raises `Unavailable` when no try succeeds."""
    for attempt in range(1, tries + 1):
        say(f"$ {shlex.join(command)}" + (f"   (try {attempt} of {tries})" if attempt > 1 else ""))
        problem = _run_once(command, cwd, env, timeout_s)
        if problem is None:
            return
        say(f"{command[0]}: {problem}")
        if attempt < tries:
            time.sleep(PAUSE_BETWEEN_TRIES_S)
    raise Unavailable(f"`{shlex.join(command)}` failed: {problem}")


def _run_once(
    command: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None, timeout_s: float
) -> str | None:
    """None when it went well, else what went wrong."""
    try:
        process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno()
        )
    except OSError as error:
        return str(error)
    try:
        return _wait(process, command[0], timeout_s)
    finally:
        # Also when this run is interrupted: nothing goes on writing behind its back.
        if process.poll() is None:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], name: str, timeout_s: float) -> str | None:
    started = time.monotonic()
    while (took := time.monotonic() - started) < timeout_s:
        try:
            code = process.wait(min(HEARTBEAT_S, timeout_s - took))
        except subprocess.TimeoutExpired:
            say(f"still running after {time.monotonic() - started:.0f} s: {name}")
        else:
            return None if code == 0 else f"exit code {code}"
    return f"no end after {timeout_s:.0f} s"
