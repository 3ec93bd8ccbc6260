"""The tests of every distribution, run in a copy that has nothing of the checkout's sources beside it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from provisioning.commands import run
from provisioning.editable import CHECKOUT, CONSTRAINTS

if TYPE_CHECKING:
    from pathlib import Path

    from windows.project import Distribution

NEEDED = ("hypothesis", "jsonschema", "pytest")
CORE = ("cycle", "effects", "journal", "loading", "settings", "single_flight", "state", "transports")
"""Of the framework those that read nothing of the checkout, in tests/unit."""


def check_tests(python: Path, found: list[Distribution], folder: Path) -> list[str]:
    """Problems. `python` is of an environment where all of them are installed."""
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "-c", str(CONSTRAINTS)]
    run([*pip, *NEEDED], tries=3)
    return [problem for distribution in found for problem in _test(python, distribution, folder / "checkout")]


def _test(python: Path, distribution: Distribution, copy: Path) -> list[str]:
    """In isolated mode, so that only what is installed can be imported."""
    tests = _copied(distribution, copy)
    command = [str(python), "-I", "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, tests)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    print(f"{distribution.name}: {done.stdout.strip().splitlines()[-1:]}", flush=True)
    return [f"{distribution.name}: its tests fail when installed:\n{done.stdout}"] if done.returncode else []


def _copied(distribution: Distribution, copy: Path) -> list[Path]:
    """The settings of pytest are the checkout's, whose file therefore comes along."""
    copy.mkdir(exist_ok=True)
    shutil.copy2(CHECKOUT / "pyproject.toml", copy)
    if distribution.folder == CHECKOUT:
        unit = CHECKOUT / "tests" / "unit"
        folders = [unit / name for name in CORE]
        files = [unit / "conftest.py", *CHECKOUT.glob("tests/vectors/*.json")]
    else:
        folders, files = [distribution.folder / "tests"], []
    for source in (*folders, *files):
        target = copy / source.relative_to(CHECKOUT)
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, target)
    return [copy / folder.relative_to(CHECKOUT) for folder in folders]
