"""What `attention plugins new` makes, built as wheels and tried where the framework is installed from its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from provisioning.commands import run
from provisioning.editable import CHECKOUT, CONSTRAINTS

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATES = CHECKOUT / "attention_framework" / "scaffold" / "templates"
KINDS = sorted(folder.name for folder in TEMPLATES.iterdir() if folder.name != "common")
"""Read from the sources: this runs where the framework is not installed."""
TOOLS = ("mypy", "pytest", "ruff")


def check_scaffolds(python: Path, folder: Path) -> list[str]:
    """Problems. `python` is of an environment with the framework, into which what is made gets installed."""
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "-c", str(CONSTRAINTS)]
    run([*pip, *TOOLS], tries=3)
    made = {kind: folder / "made" / kind for kind in KINDS}
    environment = {**os.environ, "ATTENTION_STATE": str(folder / "state"), "HOME": str(folder)}
    problems = [
        problem
        for kind, package in made.items()
        for problem in _make(python, kind, package, folder, environment)
    ]
    if problems:
        return problems
    run([*pip, "--no-deps", *(str(next((folder / "wheels" / kind).glob("*.whl"))) for kind in KINDS)])
    for kind, package in made.items():
        problems += _try(python, kind, package, folder, environment)
    return problems + _listed(python, folder, environment)


def _make(python: Path, kind: str, package: Path, folder: Path, environment: dict[str, str]) -> list[str]:
    words = ["plugins", "new", kind, f"my-{kind}", "--folder", str(package)]
    command = ["-I", "-m", "attention_framework", *words]
    wheel = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    problems = _run([str(python), *command], folder, environment, f"plugins new {kind}")
    return problems or _run(
        [*wheel, "-w", str(folder / "wheels" / kind), str(package)], folder, environment, f"wheel of {kind}"
    )


def _try(python: Path, kind: str, package: Path, folder: Path, environment: dict[str, str]) -> list[str]:
    """Its tests and the other tools. In isolated mode the installed package is meant, not the sources beside."""
    # A build leaves a copy of nothing here, and the cache of types is shared: pydantic is the most of it.
    commands = {
        "tests": ["pytest", "-q", "-p", "no:cacheprovider"],
        "types": ["mypy", "--cache-dir", str(folder / "types")],
        "style": ["ruff", "check", "--no-cache", "."],
    }
    return [
        problem
        for what, command in commands.items()
        for problem in _run([str(python), "-I", "-m", *command], package, environment, f"{what} of {kind}")
    ]


def _listed(python: Path, folder: Path, environment: dict[str, str]) -> list[str]:
    command = [str(python), "-I", "-m", "attention_framework", "plugins", "--json"]
    wanted = {f"my_{kind.replace('-', '_')}" for kind in KINDS}
    settings = {**environment, "ATTENTION_PLUGINS": json.dumps(sorted(wanted))}
    done = subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    states = {entry["name"]: entry for entry in json.loads(done.stdout)["plugins"]} if done.stdout else {}
    return [
        f"attention plugins says of {name}: {states.get(name, done.stderr)}"
        for name in sorted(wanted)
        if states.get(name, {}).get("state") != "loaded"
    ]


def _run(command: list[str], cwd: Path, environment: dict[str, str], what: str) -> list[str]:
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    return [f"{what} failed:\n{done.stdout}{done.stderr}"] if done.returncode else []
