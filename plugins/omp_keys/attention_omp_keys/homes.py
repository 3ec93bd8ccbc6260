"""Where OMP is: its program, and the agent folders that it loads extensions from."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attention_framework import Effects

OLDEST = (18, 1, 16)
"""The first whose pause gate an extension from npm can reach."""

VERSION_TIMEOUT_S = 20.0
PROGRAMS = ("omp", "omp.cmd")
"""npm installs a script with this ending on Windows, which is not found without it."""


def omp_version(effects: Effects) -> str | None:
    """What `omp --version` says (`omp/18.2.3`), or None if there is no `omp` on the PATH.

    A version that cannot be read is empty.
    """
    for program in PROGRAMS if sys.platform == "win32" else PROGRAMS[:1]:
        try:
            done = effects.processes.run([program, "--version"], timeout_s=VERSION_TIMEOUT_S)
        except FileNotFoundError:
            continue
        except OSError:  # TimeoutError is one of them.
            return ""
        found = re.search(r"\d+\.\d+\.\d+\S*", done.output)
        return found[0] if found else ""
    return None


def supported(version: str) -> bool:
    """A version that cannot be read gets the benefit of the doubt:
    the extension itself checks again, and stays inert.
    """
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", version)
    return numbers is None or tuple(map(int, numbers.groups())) >= OLDEST


def agent_folders(effects: Effects) -> list[Path]:
    """The default one, every profile's, and the one of PI_CODING_AGENT_DIR;
    each once, however many ways lead to it.
    """
    folders: dict[str, Path] = {}
    for folder in _candidates(effects):
        folders.setdefault(os.path.normcase(os.path.realpath(folder)), folder)
    return list(folders.values())


def _candidates(effects: Effects) -> Iterator[Path]:
    environment = effects.environment
    root = home(environment) / (environment.get("PI_CONFIG_DIR") or ".omp")
    yield root / "agent"
    for profile in effects.files.names(root / "profiles"):
        yield root / "profiles" / profile / "agent"
    if override := environment.get("PI_CODING_AGENT_DIR"):
        yield Path(override).absolute()


def home(environment: Mapping[str, str]) -> Path:
    """As OMP's runtime computes it: USERPROFILE on Windows, HOME elsewhere."""
    found = environment.get("USERPROFILE" if sys.platform == "win32" else "HOME")
    return Path(found) if found else Path.home()
