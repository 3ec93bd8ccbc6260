"""`attention verify` on a real tmux and a real OMP: the person's own host, a server of its own in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .harness.model_server import Call, Say
from .harness.world import COMMAND_WITHIN_S

if TYPE_CHECKING:
    from pathlib import Path

    from .harness.world import World

STEPS = 60
VERIFY_WITHIN_S = COMMAND_WITHIN_S * 3


def verify(world: World, *words: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, the report, and what was printed."""
    report: Path = world.folder / "report.json"
    base = [
        sys.executable,
        "-m",
        "attention_framework",
        "--state",
        str(world.state),
        "--config",
        str(world.settings),
    ]
    done = subprocess.run(
        [*base, "verify", "--yes", "--watch", "1s", "--report", str(report), *words],
        env={**world.environment(), **world.host.environment()},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=VERIFY_WITHIN_S,
        check=False,
    )
    print(done.stdout, done.stderr)
    return done.returncode, json.loads(report.read_text()), done.stdout + done.stderr


def step() -> Call:
    return Call("bash", {"command": "./step"})


@pytest.fixture
def world(world: World) -> World:
    if world.host.name != "tmux":
        pytest.skip("its trial is in the person's own Herdr")
    world.set_up()
    return world


def test_every_step_passes_on_a_real_tmux_with_a_real_omp(world: World) -> None:
    world.attention("serve", "--detach")
    try:
        script = world.model.play("steps", *[step() for _ in range(STEPS)], Say("NEVER"))
        code, report, said = verify(world, "--prompt", f"go {script}")
    finally:
        world.attention("stop")
    assert [(entry["number"], entry["outcome"]) for entry in report["steps"]] == [
        (n, "ok") for n in range(1, 11)
    ]
    assert code == 0
    assert report["modes"] == ["reflex brake", "reflex brake"]
    assert [draft["kept"] and draft["exact"] for draft in report["drafts"]] == [True, True, True]
    busy = [absence for absence in report["absences"] if absence["busy"]]
    assert len(busy) == 3
    assert all(absence["shown_ms"] is not None for absence in busy)
    assert any(absence["braked_ms"] is not None for absence in busy), "a short one may not be seen"
    assert all(absence["answers"] or absence["calls"] for absence in busy)
    assert "The deterministic claim holds" in said
    assert "verify " not in json.dumps(report["drafts"]), "no text of the draft"
    leftovers = [name for name in os.listdir(world.folder / f"tmux-{os.getuid()}") if "verify" in name]
    assert leftovers == []
    assert all("attention-verify" not in line for line in world.processes())
