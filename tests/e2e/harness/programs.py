"""The programs that the tests drive, from the project's cache (tools/provision.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

PROVISION = Path(__file__).parents[3] / "tools/provision.py"
INSTALL_WITHIN_S = 900.0


@cache
def provided(name: str) -> tuple[str | None, str]:
    """Path of a program, or None and the reason. With `E2E_PROVISION` set it is installed first."""
    check = [] if os.environ.get("E2E_PROVISION") else ["--check"]
    command = [sys.executable, str(PROVISION), *check, "--json", name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_WITHIN_S, check=False)
    try:
        found = json.loads(done.stdout)[name]
    except ValueError:
        found = None
    return None if found is None else str(found), done.stderr.strip().rpartition("\n")[2]


def omp_folder(name: str = "omp") -> str:
    """Folder of the programs of one OMP version. Skips where it is not there."""
    folder, why = provided(name)
    if folder is None:
        pytest.skip(f"needs a real OMP: {why}")
    return folder
