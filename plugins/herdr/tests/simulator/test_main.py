"""The simulator as a program of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from attention_herdr.simulator import SimulatedHerdr
from attention_herdr.simulator.__main__ import obey

if TYPE_CHECKING:
    from pathlib import Path


def test_it_listens_obeys_and_ends_with_its_input() -> None:
    lines = "panes\nsplit w1:p1\nfocus w1:p2\npanes\nscreen w1:p2\nfocus w9:p9\nno\n"
    command = [
        sys.executable,
        "-m",
        "attention_herdr.simulator",
        "--agents",
        "1",
        "--",
        "--without-extension",
        "--title",
        "no{pane}",
    ]
    done = subprocess.run(
        command, input=lines, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    said = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert said[0].startswith("listening at ")
    assert said[1:4] == ["*w1:p1", "w1:p2", "ok"]
    assert said[4:] == ["w1:p1 *w1:p2", "", "failed: pane_not_found: pane w9:p9 not found", "unknown: no"]


def test_faults_and_restarts_can_be_ordered(tmp_path: Path) -> None:
    with SimulatedHerdr(tmp_path) as herdr:
        assert [obey(herdr, line) for line in ("fault ping cut", "restart", "handoff", "storm 2 7", "press f99x")] == [
            "ok", "ok", "ok", "", "failed: invalid_key: unsupported key f99x",
        ]  # fmt: skip
