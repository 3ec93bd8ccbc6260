#!/usr/bin/env python3
"""Run Windows' python.exe under Wine with the project's packages: `python3 tools/windows/run.py -- -m pytest tests/unit`.

The exit code is that of python.exe. The first run builds everything (see `python3 tools/provision.py windows`).
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from provisioning.cache import cache_folder
from provisioning.commands import Unavailable

from windows import wine
from windows.python import WindowsPython, prepare, windows_path

STRAGGLERS_S = 5
INSIDE = Path(__file__).resolve().with_name("inside.py")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="run.py", description=__doc__)
    parser.add_argument(
        "--timeout", type=float, default=1800, metavar="S", help="end it after so many seconds (1800)"
    )
    parser.add_argument("arguments", nargs="*", help="for python.exe, after --")
    options = parser.parse_args(argv)
    try:
        python = prepare()
        with wine.server(python.prefix):
            return run_python(python, options.arguments, options.timeout)
    except Unavailable as error:
        print(f"windows: {error}", file=sys.stderr)
        return 1


def run_python(python: WindowsPython, arguments: list[str], timeout_s: float) -> int:
    """CPython under Wine wants plain pipes: with any other kind of stream it stops with "Invalid handle"."""
    process = subprocess.Popen(
        ["wine", str(python.executable), "-I", "-S", windows_path(INSIDE), *arguments],
        env=_environment(python.prefix),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    watchdog = _end_after(process, timeout_s)
    assert process.stdout is not None
    reader = threading.Thread(target=_pass_on, args=(process.stdout,), daemon=True)
    reader.start()
    try:
        code = process.wait()
    finally:
        # Also when this run is interrupted: in a group of its own, it would go on.
        watchdog.cancel()
        if process.poll() is None:
            _end(process)
    # Whatever python.exe left running still holds the pipe: its end does not come then.
    reader.join(STRAGGLERS_S)
    return code


def _pass_on(stream: IO[bytes]) -> None:
    """As it comes, so that a test that hangs is seen; only the ends of lines become this system's."""
    while chunk := os.read(stream.fileno(), 65536):
        sys.stdout.buffer.write(chunk.replace(b"\r", b""))
        sys.stdout.buffer.flush()


def _end_after(process: subprocess.Popen[bytes], seconds: float) -> threading.Timer:
    def end() -> None:
        print(f"windows: no end after {seconds:.0f} s; python.exe is ended", file=sys.stderr, flush=True)
        _end(process)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


def _end(process: subprocess.Popen[bytes]) -> None:
    if sys.platform != "win32":  # For mypy's other look: Wine runs elsewhere.
        os.killpg(process.pid, signal.SIGKILL)


def _environment(prefix: Path) -> dict[str, str]:
    bytecode = cache_folder() / "windows" / "bytecode"
    return {
        **wine.environment(prefix),
        "PYTHONUTF8": "1",
        # The checkout's __pycache__ belongs to this system's Python.
        "PYTHONPYCACHEPREFIX": windows_path(bytecode),
    }


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
