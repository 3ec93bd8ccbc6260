"""Which programs run in the foreground of a terminal, on Linux from /proc and elsewhere from ps."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .reading import lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from attention_framework import Effects

PROC = Path("/proc")
PS_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class Process:
    """One process as the terminal's job control sees it."""

    pid: int
    group: int
    foreground: int
    """The foreground group of its terminal; -1 without a terminal."""


def foreground_commands(pids: Iterable[int], effects: Effects) -> Mapping[int, Sequence[Sequence[str]]]:
    """For the first process of each pane: the command lines
    of the foreground group of its terminal, the group's leader first.
    """
    wanted = set(pids)
    return _from_proc(wanted, effects) if sys.platform == "linux" else _from_ps(wanted, effects)


def _from_proc(pids: set[int], effects: Effects) -> dict[int, list[list[str]]]:
    groups = {
        pid: process.foreground for pid in pids if (process := _stat(pid, effects)) and process.foreground > 0
    }
    members = _members(set(groups.values()), effects) if groups else {}
    return {
        pid: [argv for member in members.get(group, ()) if (argv := _argv(member, effects))]
        for pid, group in groups.items()
    }


def _members(groups: set[int], effects: Effects) -> dict[int, list[int]]:
    members: dict[int, list[int]] = {}
    for name in effects.files.names(PROC):
        process = _stat(int(name), effects) if name.isdigit() else None
        if process and process.group in groups:
            members.setdefault(process.group, []).append(process.pid)
    return {group: sorted(found, key=lambda pid: (pid != group, pid)) for group, found in members.items()}


def _stat(pid: int, effects: Effects) -> Process | None:
    """Fields 5 and 8 of proc(5)'s stat; the name before them may hold anything, a closing parenthesis too."""
    try:
        stat = effects.files.read(PROC / str(pid) / "stat")
    except OSError:
        return None
    fields = stat[stat.rindex(b")") + 2 :].split()
    return Process(pid, int(fields[2]), int(fields[5]))


def _argv(pid: int, effects: Effects) -> list[str]:
    try:
        content = effects.files.read(PROC / str(pid) / "cmdline")
    except OSError:
        return []
    return [word.decode(errors="replace") for word in content.rstrip(b"\0").split(b"\0")] if content else []


def _from_ps(pids: set[int], effects: Effects) -> dict[int, list[list[str]]]:
    try:
        done = effects.processes.run(["ps", "-A", "-o", "pid=,pgid=,tpgid=,args="], timeout_s=PS_TIMEOUT_S)
    except OSError:
        return {}
    return group_ps(done.output, pids)


def group_ps(output: str, pids: set[int]) -> dict[int, list[list[str]]]:
    """`ps` tells words apart by spaces alone; good enough for the name of a program."""
    rows = list(_ps_rows(output))
    groups = {
        process.pid: process.foreground
        for process, _ in rows
        if process.pid in pids and process.foreground > 0
    }
    return {
        pid: [
            argv
            for process, argv in sorted(rows, key=lambda row: (row[0].pid != group, row[0].pid))
            if process.group == group
        ]
        for pid, group in groups.items()
    }


def _ps_rows(output: str) -> Iterator[tuple[Process, list[str]]]:
    for line in lines(output):
        pid, group, foreground, *argv = line.split()
        yield Process(int(pid), int(group), int(foreground)), argv
