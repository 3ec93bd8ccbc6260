from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import (
    Action,
    AgentState,
    CycleReport,
    Decision,
    Observation,
    Outcome,
)
from attention_framework.effects import real_effects
from attention_framework.journal import Journal
from attention_framework.testing import SESSION, START_MS, hold, scope, until

if TYPE_CHECKING:
    from attention_framework.testing import Memory

PATH = Path("/state/journal.jsonl")
DECISION = Decision(
    session="fake-1",
    pane="w1:p1",
    agent="omp",
    outcome=Outcome.PAUSE_SENT,
    reason="w1:p2 has the focus",
    action=Action.PAUSE,
    policy="focused",
    runs=("focus",),
    observed=Observation(AgentState.RUNNING, "it says so", detector="omp-status"),
    transport="omp-mailbox",
    label="deploy",
    steps=(("deliver", 1.5),),
)
REPORT = CycleReport(
    "c1",
    "pane.focused",
    SESSION,
    "fake-1",
    START_MS,
    (DECISION,),
    (("process-start", 40.0), ("snapshot", 2.0)),
)


def journal(memory: Memory, **limits: int) -> Journal:
    return Journal(PATH, memory.effects, pytest.fail, **limits)


def written(memory: Memory) -> list[dict[str, Any]]:
    return [json.loads(line) for line in memory.files.read(PATH).splitlines()]


def test_a_cycle_is_one_line_and_each_of_its_decisions_another(memory: Memory) -> None:
    journal(memory).write_cycle(REPORT)
    cycle, decision = written(memory)
    assert cycle == {
        "type": "cycle",
        "at_ms": START_MS,
        "cycle": "c1",
        "trigger": "pane.focused",
        "host": "fake",
        "session": "fake-1",
        "decisions": 1,
        "error": None,
        "again_ms": None,
        "steps": {"process-start": 40.0, "snapshot": 2.0},
    }
    assert decision == {
        "type": "decision",
        "at_ms": START_MS,
        "cycle": "c1",
        "trigger": "pane.focused",
        "session": "fake-1",
        "pane": "w1:p1",
        "label": "deploy",
        "agent": "omp",
        "verdict": "pause",
        "policy": "focused",
        "runs": ["focus"],
        "observed": "running",
        "evidence": "it says so",
        "detector": "omp-status",
        "outcome": "pause-sent",
        "reason": "w1:p2 has the focus",
        "transport": "omp-mailbox",
        "steps": {"process-start": 40.0, "snapshot": 2.0, "deliver": 1.5},
    }


def test_a_hold_is_a_line_with_its_panes(memory: Memory) -> None:
    journal(memory).write_hold(hold("b-1"), "taken")
    journal(memory).write_hold(
        hold("m-1", kind="manual", scope=scope("w1:p2", "w1:p1")), "released", "finished"
    )
    journal(memory).write_given_back("b-1", ["w1:p2"])
    first, second, third = written(memory)
    assert first == {
        "type": "hold",
        "at_ms": START_MS,
        "run": "b-1",
        "kind": "break",
        "source": "cli",
        "change": "taken",
        "why": "",
        "deadline_ms": START_MS + 60_000,
        "scope": "all",
    }
    assert (second["change"], second["scope"], second["why"]) == ("released", ["w1:p1", "w1:p2"], "finished")
    assert (third["change"], third["run"], third["panes"]) == ("gave-back", "b-1", ["w1:p2"])


def test_a_coalesced_wake_up_is_a_line(memory: Memory) -> None:
    journal(memory).write_coalesced(SESSION, "fake-1", "pane.focused", (("mark", 0.5),))
    assert written(memory) == [
        {
            "type": "wake-up",
            "at_ms": START_MS,
            "host": "fake",
            "session": "fake-1",
            "trigger": "pane.focused",
            "outcome": "coalesced",
            "steps": {"mark": 0.5},
        }
    ]


def test_half_a_character_in_a_label_is_written_and_read(memory: Memory) -> None:
    from dataclasses import replace

    cut = replace(REPORT, decisions=(replace(DECISION, label="deploy \ud83d"),))
    journal(memory).write_cycle(cut)
    assert [entry.get("label") for entry in journal(memory).read()] == [None, "deploy \ud83d"]


def test_lines_that_are_no_entry_are_passed_over(memory: Memory) -> None:
    memory.disk.put(PATH, b'{"type": "cyc\n\xff\xfe\n[1]\n7\n\n{"type": "hold", "run": "b-1"}\n')
    assert list(journal(memory).read()) == [{"type": "hold", "run": "b-1"}]


def test_without_a_file_there_is_nothing_to_read(memory: Memory) -> None:
    assert list(journal(memory).read()) == []


class TestRotation:
    def write(self, memory: Memory, count: int, **limits: int) -> list[str]:
        for number in range(count):
            journal(memory, **limits).write_hold(hold(f"r-{number:03}"), "taken")
        return [entry["run"] for entry in journal(memory, **limits).read()]

    def test_it_is_rotated_by_size_and_read_in_order(self, memory: Memory) -> None:
        line = len(self.line(memory))
        runs = self.write(memory, 9, max_bytes=3 * line, keep=3)
        assert runs == [f"r-{number:03}" for number in range(9)]
        assert [name for name in memory.files.names(PATH.parent) if name.endswith(".jsonl")] == [
            "journal.1.jsonl",
            "journal.2.jsonl",
            "journal.jsonl",
        ]

    def test_the_oldest_goes(self, memory: Memory) -> None:
        line = len(self.line(memory))
        runs = self.write(memory, 20, max_bytes=2 * line, keep=2)
        assert runs == [f"r-{number:03}" for number in range(14, 20)]
        assert all(memory.files.size(path) <= 2 * line for path in memory.disk.content)

    def test_without_the_lock_a_line_is_written_and_nothing_is_rotated(self, memory: Memory) -> None:
        line = len(self.line(memory))
        lock = memory.process().files.try_lock(PATH.with_name("journal.lock"))
        before = memory.clock.monotonic_ms()
        runs = self.write(memory, 3, max_bytes=line)
        assert runs == ["r-000", "r-001", "r-002"]
        assert memory.files.names(PATH.parent) == ["journal.jsonl", "journal.lock"]
        assert memory.clock.monotonic_ms() - before < 3 * 1_100, "a line is no reason to wait for long"
        assert lock is not None

    def line(self, memory: Memory) -> bytes:
        journal(memory).write_hold(hold("r-000"), "taken")
        line = memory.files.read(PATH)
        memory.files.remove(PATH)
        return line


@pytest.mark.parametrize("operation", ["append", "try_lock", "size"])
def test_a_journal_that_cannot_be_written_is_told_and_no_more(memory: Memory, operation: str) -> None:
    said: list[str] = []
    memory.disk.faults.fail(operation, errno.ENOSPC)
    Journal(PATH, memory.effects, said.append).write_cycle(REPORT)
    assert len(said) == 1
    assert said[0].startswith("the journal cannot be written: ")
    assert said[0].endswith("No space left on device")
    assert memory.disk.locks == {}


WRITER = """
import sys
from pathlib import Path
from attention_framework.effects import real_effects
from attention_framework.journal import Journal
from attention_framework.testing import hold, until
path = Path(sys.argv[1])
journal = Journal(path, real_effects(), sys.exit, max_bytes=1_500, keep=200)
path.with_name(f"ready-{sys.argv[2]}").touch()
until(path.with_name("go").exists, 120)
for number in range(int(sys.argv[3])):
    journal.write_hold(hold(f"{sys.argv[2]}-{number}", source="x" * 150), "taken")
"""


def test_processes_that_write_at_once_lose_no_line_also_while_it_is_rotated(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    processes = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), f"p{number}", "40"]) for number in range(6)
    ]
    until(lambda: len(list(tmp_path.glob("ready-*"))) == 6, 120, "all are ready")
    (tmp_path / "go").touch()
    assert [process.wait(120) for process in processes] == [0] * 6
    runs = [entry["run"] for entry in Journal(path, real_effects(), pytest.fail, keep=200).read()]
    assert sorted(runs) == sorted(f"p{process}-{number}" for process in range(6) for number in range(40))
    assert (tmp_path / "journal.5.jsonl").exists(), "it was rotated"
    for process in range(6):
        own = [run for run in runs if run.startswith(f"p{process}-")]
        assert own == [f"p{process}-{number}" for number in range(40)]
