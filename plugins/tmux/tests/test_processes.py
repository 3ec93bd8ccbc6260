"""What is remembered of the processes of a machine, and what is looked at again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from attention_tmux import processes
from attention_tmux.processes import PROC, SETTLED_MS, Foreground

from attention_framework.testing import Memory

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere ps is asked")

SHELL, LEADER, AGENT = 10, 20, 21


class Machine:
    """Processes in /proc: a pane's shell, and what it has started in a group of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.memory = Memory()
        self.looked_at: list[str] = []
        self._inodes: dict[int, int] = {}
        monkeypatch.setattr(processes, "_inodes", lambda: list(self._inodes.items()))
        read = self.memory.files.read

        def noticed(path: Path) -> bytes:
            self.looked_at.append(f"{path.parent.name} {path.name}")
            return read(path)

        monkeypatch.setattr(self.memory.files, "read", noticed)
        self.foreground = Foreground(self.memory.effects)
        self.start(SHELL, "bash", group=SHELL)

    def start(self, pid: int, *argv: str, group: int, inode: int | None = None) -> None:
        self._inodes[pid] = inode or 1_000 + pid
        self.put_into(pid, group)
        self.memory.files.write(PROC / str(pid) / "cmdline", "\0".join((*argv, "")).encode())

    def put_into(self, pid: int, group: int) -> None:
        stat = f"{pid} (a (strange) name) S 1 {group} 1 34816 {LEADER} 0"
        self.memory.files.write(PROC / str(pid) / "stat", stat.encode())

    def commands(self) -> list[list[str]]:
        self.looked_at.clear()
        return [list(argv) for argv in self.foreground.commands([SHELL])[SHELL]]

    def settle(self) -> None:
        self.commands()
        self.memory.clock.advance(SETTLED_MS)
        self.commands()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_the_group_in_front_is_found_with_its_leader_first(machine: Machine) -> None:
    machine.start(AGENT, "omp", group=LEADER)
    machine.start(LEADER, "time", group=LEADER)
    machine.start(30, "omp", group=30)
    assert machine.commands() == [["time"], ["omp"]]


def test_a_process_that_has_settled_is_not_looked_at_again(machine: Machine) -> None:
    machine.start(LEADER, "time", group=LEADER)
    machine.start(30, "other", group=30)
    machine.settle()
    assert machine.commands() == [["time"]]
    assert "30 stat" not in machine.looked_at


def test_a_process_that_gets_its_group_only_after_its_start_is_found(machine: Machine) -> None:
    machine.start(LEADER, "time", group=LEADER)
    machine.start(AGENT, "omp", group=SHELL)
    assert machine.commands() == [["time"]]
    machine.put_into(AGENT, LEADER)
    assert machine.commands() == [["time"], ["omp"]]


def test_another_process_with_the_number_of_one_that_had_settled_is_looked_at(machine: Machine) -> None:
    machine.start(LEADER, "time", group=LEADER)
    machine.start(AGENT, "other", group=AGENT)
    machine.settle()
    machine.start(AGENT, "omp", group=LEADER, inode=7)
    assert machine.commands() == [["time"], ["omp"]]


def test_where_the_leader_decides_nobody_else_is_looked_at(machine: Machine) -> None:
    machine.start(LEADER, "omp", group=LEADER)
    machine.start(AGENT, "helper", group=LEADER)
    assert dict(machine.foreground.commands([SHELL], lambda argv: argv == ["omp"])) == {SHELL: [["omp"]]}
    assert {entry.split()[0] for entry in machine.looked_at} == {str(SHELL), str(LEADER)}


def test_a_group_whose_leader_has_ended_is_known_by_the_others(machine: Machine) -> None:
    machine.start(AGENT, "omp", group=LEADER)
    assert dict(machine.foreground.commands([SHELL], lambda argv: argv == ["omp"])) == {SHELL: [["omp"]]}
