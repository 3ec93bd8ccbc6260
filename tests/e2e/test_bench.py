"""The benchmark of the switches comes to its end on a real tmux with a real OMP. How fast, nobody asks here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .harness.programs import omp_folder
from .harness.tmux_host import TmuxHost

BENCH = Path(__file__).parents[2] / "bench/run.py"
WITHIN_S = 420.0


@pytest.mark.parametrize("mode", ["original", "one-shot", "reflex"])
def test_switches_are_measured_from_the_key_to_the_acknowledged_pause(mode: str, tmp_path: Path) -> None:
    TmuxHost(), omp_folder()  # Skipped where either is not there.
    command = [sys.executable, str(BENCH), "--quick", "--only", "switches-tmux", "--modes", mode]
    done = subprocess.run(
        [*command, "--out", str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        timeout=WITHIN_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "figures.json").read_text())["switches-tmux"]
    assert set(found) == {mode}, done.stdout
    assert found[mode]["missed"] == 0, done.stdout
    assert found[mode]["gate_p50_ms"] > 0
    assert found[mode]["shown_p50_ms"] > 0
