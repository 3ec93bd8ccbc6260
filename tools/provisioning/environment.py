"""The project's own virtual environment, `.venv`: bare pip is refused on many systems, and nothing of theirs is touched."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

from .cache import say
from .commands import Unavailable, run
from .locking import locked

if TYPE_CHECKING:
    from pathlib import Path

STAMP = "attention-checkout.stamp"
NO_PIP = (
    "this Python has neither pip nor ensurepip: install them "
    "(Debian and Ubuntu: `sudo apt-get install python3-pip`; Fedora: `sudo dnf install python3-pip`)"
)


class Environment:
    def __init__(self, checkout: Path) -> None:
        self._checkout = checkout
        self._folder = checkout / ".venv"

    @property
    def python(self) -> str:
        inside = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
        return str(self._folder.joinpath(*inside))

    def prepare(self) -> None:
        """Make it, or make it fit the checkout again; nothing is done when nothing has changed."""
        with locked(self._checkout / ".venv.lock", waiting_for="it sets up .venv"):
            wanted = self._fingerprint()
            stamp = self._folder / STAMP
            if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted and self._works():
                return
            say(f"setting up {self._folder}")
            if not self._works():
                self._create()
            stamp.unlink(missing_ok=True)
            self._install()
            stamp.write_text(wanted, encoding="utf-8")

    def _fingerprint(self) -> str:
        digest = hashlib.sha256(f"{sys.version} {self._checkout}".encode())
        for file in [*self._projects(), self._constraints()]:
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def _projects(self) -> list[Path]:
        return [self._checkout / "pyproject.toml", *sorted(self._checkout.glob("plugins/*/pyproject.toml"))]

    def _constraints(self) -> Path:
        return self._checkout / "tools" / "constraints.txt"

    def _works(self) -> bool:
        """Whether its Python starts and has pip: not so after the system's Python was replaced, or a setup killed."""
        try:
            command = [self.python, "-c", "import pip"]
            return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0
        except OSError:
            return False

    def _create(self) -> None:
        """Debian's venv fails halfway without python3-venv, for want of ensurepip; so pip is put in afterwards."""
        shutil.rmtree(self._folder, ignore_errors=True)
        venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(self._folder)
        if importlib.util.find_spec("ensurepip"):
            run([self.python, "-m", "ensurepip", "--default-pip"])
        elif importlib.util.find_spec("pip"):
            run([sys.executable, "-m", "pip", "--python", self.python, "install", "-q", "pip"], tries=3)
        else:
            raise Unavailable(NO_PIP)

    def _install(self) -> None:
        pip = [
            self.python,
            "-m",
            "pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "-c",
            str(self._constraints()),
        ]
        run([*pip, "--upgrade", "pip"], tries=3)
        editable = [part for file in self._projects() for part in ("-e", str(file.parent))]
        run([*pip, *editable, "tox"], cwd=self._checkout, tries=3)
