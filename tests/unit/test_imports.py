"""A hook's first milliseconds: what importing the way of a wake-up must not load, and what its whole cycle must not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from attention_herdr.simulator import SimulatedHerdr

from attention_framework import Session
from attention_framework.effects import real_effects
from attention_framework.state.folder import StateFolder
from attention_framework.state.names import encode

if TYPE_CHECKING:
    from pathlib import Path

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


SETTINGS = """
plugins = ["herdr", "omp_keys", "policies"]
[focus]
sources = ["herdr"]
"""
NEEDLESS = {
    *("argcomplete", "asyncio", "dotenv", "loguru", "platformdirs", "pydantic_settings", "rich", "ssl"),
    *("attention_framework.serve", "attention_framework.scheduling", "attention_framework.verifying"),
    *("attention_herdr.installer", "attention_omp_keys.installer"),
}
"""For a cycle with a pause, where no variable sets anything and there is nothing to say to the log."""


CYCLE = """
import gc, json, sys
def looked():
    return sum(one["collections"] for one in gc.get_stats())
bare = set(sys.modules)
from attention_framework.__main__ import main
before = looked()
code = main()
found = {"loaded": sorted(set(sys.modules) - bare), "looked": looked() - before, "frozen": gc.get_freeze_count()}
print(json.dumps(found), file=sys.stderr)
sys.exit(code)
"""


def test_the_cycle_of_a_hook_loads_nothing_that_it_does_not_need(nobody: Path) -> None:
    loaded = set(after_a_pause(nobody)["loaded"])
    assert {"attention_herdr.focus", "attention_omp_keys.transports", "pydantic.main"} <= loaded
    needless = NEEDLESS | {"psutil"} if sys.platform == "linux" else NEEDLESS  # /proc tells as much.
    assert {name for name in loaded if needless & {name, *above(name)}} == set()


def test_the_cycle_of_a_hook_looks_for_no_garbage_and_leaves_none_to_look_through_at_its_end(
    nobody: Path,
) -> None:
    after = after_a_pause(nobody)
    assert after["looked"] == 0
    assert after["frozen"] > 10_000


def after_a_pause(nobody: Path) -> dict[str, Any]:
    """What a process tells of itself that has run the cycle of a hook, in which it has asked an agent to pause."""
    settings, state = nobody / "attention.toml", nobody / "state"
    settings.write_text(SETTINGS, encoding="utf-8")
    with SimulatedHerdr(nobody / "herdr") as herdr:
        left = "w1:p1"
        herdr.focus(herdr.split(left))
        herdr.call("pane.report_agent", pane_id=left, source="test", agent="omp", state="working", seq=1)
        say_hello(state, Session("herdr", herdr.address), left)
        hook = ["reconcile", "--revive", "--host", "herdr", "--address", herdr.address, "--trigger", "focus"]
        words = ["--config", str(settings), "--state", str(state), *hook]
        # What `importlib.import_module` loads, `importtime` does not tell.
        done = subprocess.run(
            [sys.executable, "-c", CYCLE, *words],
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert last_outcome(state) == "pause-sent"
    found: dict[str, Any] = json.loads(done.stderr.splitlines()[-1])
    return found


def above(name: str) -> set[str]:
    """The packages that a module lies in."""
    parts = name.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts))}


def say_hello(state: Path, session: Session, pane: str) -> None:
    """As an agent that runs in this process."""
    effects, folder = real_effects(), StateFolder(state)
    folder.prepare(effects.files)
    me = effects.processes.own()
    status = {
        **{"v": 1, "agent": "omp", "pane": pane, "pid": me.pid, "state": "running"},
        **{"started": {"ticks": me.ticks, "ms": me.started_ms}, "tty": None, "session_file": None},
        **{"attended": 0, "runs": [], "waived": [], "calls": []},
    }
    file = folder.session(session).agent(f"{encode(pane)}.{os.getpid()}")
    effects.files.write(file, json.dumps(status).encode())


def last_outcome(state: Path) -> str:
    """Of the decisions in the journal."""
    lines = [json.loads(line) for line in (state / "journal.jsonl").read_text("utf-8").splitlines()]
    return [line["outcome"] for line in lines if line["type"] == "decision"][-1]
