"""The framework and all plugins, installed so that they run from the checkout."""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from pathlib import Path

from .commands import run

CHECKOUT = Path(__file__).resolve().parents[2]
CONSTRAINTS = CHECKOUT / "tools" / "constraints.txt"
STAMP = "attention-checkout.stamp"


def install_checkout(python: str, environment: Path, *others: str) -> None:
    """Into the environment of `python`, together with `others`; nothing is done when the checkout asks for nothing new."""
    wanted = _fingerprint(others)
    stamp = environment / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", str(CONSTRAINTS)]
    run([*pip, "hatchling", "editables", *others], tries=3)
    # The build backend is there once for all of them, instead of once for each in an environment of its own; and all of
    # them in one call find each other there, so that none is looked for on an index.
    editable = [part for file in _projects() for part in ("-e", str(file.parent))]
    run([*pip, "--no-build-isolation", *editable], cwd=CHECKOUT, tries=3)
    stamp.write_text(wanted, encoding="utf-8")


def _fingerprint(others: tuple[str, ...]) -> str:
    """Changes with what the installed metadata are made from, not with the settings of tools in the same files."""
    projects = [tomllib.loads(file.read_text(encoding="utf-8"))["project"] for file in _projects()]
    parts = [
        sys.version,
        str(CHECKOUT),
        *others,
        json.dumps(projects),
        CONSTRAINTS.read_text(encoding="utf-8"),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _projects() -> list[Path]:
    return [CHECKOUT / "pyproject.toml", *sorted(CHECKOUT.glob("plugins/*/pyproject.toml"))]
