"""A hook's first milliseconds: what importing the way of a wake-up must not load."""

from __future__ import annotations

import subprocess
import sys

FORBIDDEN = {
    "pydantic",
    "pydantic_settings",
    "loguru",
    "rich",
    "stevedore",
    "asyncio",
    "importlib.metadata",
    "pluggy",
    "psutil",
    "argcomplete",
}
WAY = [
    "attention_framework",
    "attention_framework.__main__",
    "attention_framework.app",
    "attention_framework.commands.main",
    "attention_framework.commands.reconcile",
    "attention_framework.effects",
    "attention_framework.runner",
    "attention_framework.serve.client",
    "attention_framework.single_flight",
    "attention_framework.state.folder",
]
MARKS = """
import sys
from pathlib import Path
from attention_framework.effects import real_effects
from attention_framework.single_flight import line_up, mark
from attention_framework.state.folder import SessionFolder
effects = real_effects()
folder = SessionFolder(Path(sys.argv[1]))
assert line_up(folder, mark(folder, effects.files, "x"), effects.files, effects.clock)
"""


def imported(*command: str) -> set[str]:
    """Names of the modules that a Python without site loads, as it says itself."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


def without_site(names: set[str]) -> set[str]:
    """Editable installs hook into the start of every Python, ours or not."""
    return names - imported("-c", "pass")


def test_the_way_of_a_wake_up_loads_nothing_slow() -> None:
    loaded = without_site(imported("-c", f"import {', '.join(WAY)}"))
    assert set(WAY) <= loaded, "the list is read rightly"
    assert {name for name in loaded if name in FORBIDDEN or name.partition(".")[0] in FORBIDDEN} == set()


def test_a_marker_and_a_place_in_line_load_nothing_slow(tmp_path: object) -> None:
    loaded = without_site(imported("-c", MARKS, str(tmp_path)))
    assert "attention_framework.single_flight" in loaded
    assert {name for name in loaded if name in FORBIDDEN or name.partition(".")[0] in FORBIDDEN} == set()


def test_importing_the_package_loads_none_of_its_parts() -> None:
    loaded = without_site(imported("-c", "import attention_framework"))
    assert {name for name in loaded if name.startswith("attention_framework.")} == set()
