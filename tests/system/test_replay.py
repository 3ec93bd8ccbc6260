"""What the simulation plays with is a model of the agent's extension: the real one, put through fresh traces, does the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from . import record

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "vectors" / "traces"
FRESH = 40


@pytest.fixture(scope="module")
def bun() -> Path:
    """As `tools/provision.py extension` provides it, which the environment `extension` of tox calls."""
    command = [sys.executable, str(ROOT / "tools" / "provision.py"), "--json", "--check", "extension"]
    found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    folder = json.loads(found.stdout or "{}").get("extension")
    if not folder:
        pytest.skip("there is no bun: python3 tools/provision.py extension")
    return Path(folder) / ".bin" / "bun"


def replayed(bun: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "ATTENTION_TRACES": str(folder),
        "BUN_CONFIG_REGISTRY": "http://127.0.0.1:9/",
    }
    return subprocess.run(
        [bun, "test", "tests/replay.test.ts", "--only-failures"], cwd=ROOT / "omp_extension", env=environment,
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


@pytest.mark.parametrize("mode", ["off", "brake", "strict"])
def test_fresh_traces(bun: Path, tmp_path: Path, request: pytest.FixtureRequest, mode: str) -> None:
    one = request.config.getoption("--seed")
    seeds = range(FRESH) if one is None else [int(one)]
    for seed in seeds:
        for name, trace in record.traces(10_000 + seed if one is None else seed, mode):
            record.write(tmp_path, name, trace)
    assert len(list(tmp_path.iterdir())) > 2
    done = replayed(bun, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_model_that_drifts_is_noticed(bun: Path, tmp_path: Path) -> None:
    trace: dict[str, Any] = json.loads(next(iter(sorted(KEPT.iterdir()))).read_text(encoding="utf-8"))
    trace["steps"][-1]["said"]["attended"] += 1
    record.write(tmp_path, "drifted", trace)
    done = replayed(bun, tmp_path)
    assert done.returncode == 1
    assert "drifted" in done.stdout + done.stderr


def test_the_kept_traces_tell_of_everything_that_an_agent_says() -> None:
    traces = [json.loads(path.read_text(encoding="utf-8")) for path in KEPT.iterdir()]
    assert {trace["mode"] for trace in traces} == {"off", "brake", "strict"}
    told = {word for trace in traces for step in trace["steps"] for word in step["told"]}
    assert told >= {"hello", "paused", "running", "overtaken", "taken-back", "unanswered", "away"}
    done = {step["do"] for trace in traces for step in trace["steps"]}
    assert "boundary" in done
    assert any(one.startswith("answer") and one.endswith("null") for one in done)
    assert {step["said"]["problem"] for trace in traces for step in trace["steps"]} >= {None, "not-painted"}
