"""The benchmarks that need no other program run to their end. How fast, nobody asks here."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BENCH = ROOT / "bench"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="it reads /proc, and speaks over a Unix socket"
)


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / "run.py"), "--quick", *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=170, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_cycles_a_storm_and_the_controller_at_rest_are_measured(tmp_path: Path) -> None:
    done = run("--only", "cycle", "storm", "rest", "--out", str(tmp_path))
    assert done.returncode in (0, 1), done.stderr
    assert not done.stderr, done.stderr
    found = json.loads((tmp_path / "figures.json").read_text())
    assert set(found) == {"cycle", "storm", "rest"}
    assert found["storm"]["cycles"] < found["storm"]["wakes"], "many wake-ups share a cycle"
    assert found["rest"]["memory_mb"] > 0
    ElementTree.parse(tmp_path / "cycle.svg")


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_the_first_and_the_last_way_pause_the_simulated_agents(tmp_path: Path) -> None:
    done = run("--only", "switches-herdr", "--modes", "original", "reflex", "--out", str(tmp_path))
    assert done.returncode in (0, 1), done.stderr
    found = json.loads((tmp_path / "figures.json").read_text())["switches-herdr"]
    assert list(found) == ["original", "reflex"]
    assert all(one["missed"] == 0 for one in found.values())
    assert all(one["gate_p50_ms"] <= one["shown_p50_ms"] + 1 for one in found.values())
    assert {path.name for path in tmp_path.glob("*.svg")} == {
        "gate-herdr.svg",
        "screen-herdr.svg",
        "processor-herdr.svg",
    }


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))


@pytest.mark.usefixtures("bench")
def test_percentiles_of_few_and_of_no_values() -> None:
    from switches import percentile

    assert percentile([3.0], 99) == 3.0
    assert percentile([1.0, 2.0, 3.0], 50) == 2.0
    assert percentile([], 50) != percentile([], 50), "of nothing there is none"


@pytest.mark.usefixtures("bench")
def test_a_chart_is_drawn_to_scale_and_names_what_is_none() -> None:
    from charts import Bar, chart

    svg = ElementTree.fromstring(chart("A <b>", "ms", [Bar("one", 10), Bar("two", 20)], logarithmic=False))
    one, two = (float(rect.get("width", "")) for rect in svg.iter("{http://www.w3.org/2000/svg}rect"))
    assert two == 2 * one
    assert "none ms" in chart("A", "ms", [Bar("one", float("nan")), Bar("two", 2)])


@pytest.mark.usefixtures("bench")
def test_a_goal_is_missed_on_its_side() -> None:
    from run import goals, told

    hosts = {
        "original": {"gate_p50_ms": 20.0},
        "one-shot": {},
        "resident": {"gate_p50_ms": 10.0, "shown_p50_ms": 30.0, "shown_p99_ms": 99.0},
        "reflex": {"gate_p50_ms": 2.0, "gate_p99_ms": 31.0},
    }
    measured = goals({"switches-herdr": hosts})
    assert [name for name, _, met in measured if not met] == ["reflex gate p99"]
    assert told(measured) == 1


def absence(**found: object) -> dict[str, object]:
    nothing = dict.fromkeys(("braked_ms", "engaged_ms", "held_ms", "shown_ms"))
    return {**nothing, "before_the_gate": 0, "late_calls": [], **found}


@pytest.mark.usefixtures("bench")
def test_a_row_of_the_guarantees_counts_from_the_first_gate() -> None:
    import guarantees

    report = {
        "absences": [
            absence(braked_ms=3.0, engaged_ms=40.0, held_ms=60.0, shown_ms=45.0, before_the_gate=1),
            absence(engaged_ms=20.0, held_ms=60.0, shown_ms=25.0),
            absence(held_ms=60.0, late_calls=[70.0]),
        ],
        "drafts": [{"kept": True, "exact": True}],
    }
    found = guarantees.row("resident", report)
    assert list(found.cells()) == ["resident", "20", "60", "35", "45", "1", "1"]
    assert found.drafts_kept


@pytest.mark.usefixtures("bench")
def test_the_page_of_the_guarantees_takes_a_new_table_and_keeps_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import guarantees

    text = guarantees.PAGE.read_text(encoding="utf-8")
    page = tmp_path / "guarantees.md"
    page.write_text(text, encoding="utf-8")
    monkeypatch.setattr(guarantees, "PAGE", page)
    guarantees.renew_page("| a new table |")
    renewed = page.read_text(encoding="utf-8")
    assert f"{guarantees.BEGIN}\n| a new table |\n{guarantees.END}" in renewed
    words = [line for line in text.splitlines() if not line.startswith("|")]
    assert [line for line in renewed.splitlines() if not line.startswith("|")] == words
    assert renewed.count(guarantees.BEGIN) == renewed.count(guarantees.END) == 1
