"""Which programs run in the foreground of a terminal, on Linux from /proc and elsewhere from ps."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .reading import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from attention_framework import Effects

PROC = Path("/proc")
PS_TIMEOUT_S = 2.0


SETTLED_MS = 2_000.0
"""A shell puts what it starts into a group at once; after so long no process changes its group any more."""


@dataclass(frozen=True, slots=True)
class KnownProcess:
    """The group of one process, when it was first seen and when its group was read, in ms of the monotonic clock."""

    inode: int
    first_ms: float
    read_ms: float
    group: int


@dataclass(frozen=True, slots=True)
class Process:
    """One process as the terminal's job control sees it."""

    pid: int
    group: int
    foreground: int
    """The foreground group of its terminal; -1 without a terminal."""


class Foreground:
    """Remembers of processes what does not change any more, since a look at all of a machine's takes long."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._known: dict[int, KnownProcess] = {}

    def commands(
        self, pids: Iterable[int], decided: Callable[[Sequence[str]], bool] = lambda _: False
    ) -> Mapping[int, Sequence[Sequence[str]]]:
        """For the first process of each pane: the command lines of the foreground group of its terminal, the group's
        leader first. Where the leader's is `decided`, it may be alone.
        """
        if sys.platform != "linux":
            return _from_ps(set(pids), self._effects)
        groups = {
            pid: process.foreground
            for pid in set(pids)
            if (process := _stat(pid, self._effects)) and process.foreground > 0
        }
        leaders = {group: _argv(group, self._effects) for group in set(groups.values())}
        open_groups = {group for group, argv in leaders.items() if not decided(argv)}
        members = self._members(open_groups) if open_groups else {}
        return {
            pid: self._argvs(members[group]) if group in members else [leaders[group]]
            for pid, group in groups.items()
        }

    def _argvs(self, pids: Sequence[int]) -> list[list[str]]:
        return [argv for pid in pids if (argv := _argv(pid, self._effects))]

    def _members(self, groups: set[int]) -> dict[int, list[int]]:
        members: dict[int, list[int]] = {group: [] for group in groups}
        self._known = dict(self._look())
        for pid, known in self._known.items():
            if known.group in groups:
                members[known.group].append(pid)
        return {group: sorted(found, key=lambda pid: (pid != group, pid)) for group, found in members.items()}

    def _look(self) -> Iterator[tuple[int, KnownProcess]]:
        now_ms, before = self._effects.clock.monotonic_ms(), self._known
        for pid, inode in _inodes():
            known = before.get(pid)
            if known is None or known.inode != inode:
                known = KnownProcess(inode, now_ms, now_ms, 0)
            elif known.read_ms - known.first_ms >= SETTLED_MS:
                yield pid, known
                continue
            if process := _stat(pid, self._effects):
                yield pid, replace(known, read_ms=now_ms, group=process.group)


def _inodes() -> list[tuple[int, int]]:
    """Of all processes, in one look. A later process with the same number has another inode."""
    with os.scandir(PROC) as entries:
        return [(int(entry.name), entry.inode()) for entry in entries if entry.name.isdecimal()]


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
