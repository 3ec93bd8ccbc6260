"""The project's own virtual environment, `.venv`: bare pip is refused on many systems, and nothing of theirs is touched."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

from .cache import say
from .commands import Unavailable, run
from .editable import CONSTRAINTS, install_checkout
from .locking import locked

if TYPE_CHECKING:
    from pathlib import Path

NO_PIP = (
    "this Python has neither pip nor ensurepip: install them "
    "(Debian and Ubuntu: `sudo apt-get install python3-pip`; Fedora: `sudo dnf install python3-pip`)"
)


def prepare(checkout: Path) -> str:
    """Make `.venv`, or make it fit the checkout again, and give its Python. Nothing is done when nothing has changed."""
    folder = checkout / ".venv"
    python = str(folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
    with locked(checkout / ".venv.lock", waiting_for="it sets up .venv"):
        if not _works(python):
            say(f"setting up {folder}")
            _create(folder, python)
        install_checkout(python, folder, "tox")
    return python


def _works(python: str) -> bool:
    """Whether it starts and has pip: not so after the system's Python was replaced, or a setup killed."""
    try:
        command = [python, "-c", "import pip"]
        return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0
    except OSError:
        return False


def _create(folder: Path, python: str) -> None:
    """Debian's venv fails halfway without python3-venv, for want of ensurepip; so pip is put in afterwards."""
    shutil.rmtree(folder, ignore_errors=True)
    venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(folder)
    if importlib.util.find_spec("ensurepip"):
        run([python, "-m", "ensurepip", "--default-pip"])
        run([python, "-m", "pip", "install", "-q", "-c", str(CONSTRAINTS), "--upgrade", "pip"], tries=3)
    elif importlib.util.find_spec("pip"):
        pip = [sys.executable, "-m", "pip", "--python", python]
        run([*pip, "install", "-q", "-c", str(CONSTRAINTS), "pip"], tries=3)
    else:
        raise Unavailable(NO_PIP)
