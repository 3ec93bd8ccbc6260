"""What the resident controller costs: at rest over a minute, and in a storm of wake-ups."""

from __future__ import annotations

import contextlib
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from switches import own_and_children_s

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Rest:
    seconds: float
    cpu_percent: float
    """Of one core, its commands included."""
    wakeups_per_s: float
    """How often a thread of it has gone to sleep, and so had woken up: voluntary context switches."""
    memory_mb: float
    """Resident, of its process."""


@dataclass(frozen=True, slots=True)
class Storm:
    wakes: int
    accepted_s: float
    """Until all have been accepted."""
    over_s: float
    """Until a cycle that began after the last of them has ended."""
    cycles: int
    cpu_s: float


def rest(pid: int, seconds: float) -> Rest:
    cpu_s, sleeps, began = own_and_children_s(pid), voluntary(pid), time.monotonic()
    time.sleep(seconds)
    took_s = time.monotonic() - began
    return Rest(
        round(took_s, 1),
        round((own_and_children_s(pid) - cpu_s) / took_s * 100, 3),
        round((voluntary(pid) - sleeps) / took_s, 1),
        round(psutil.Process(pid).memory_info().rss / 1e6, 1),
    )


def voluntary(pid: int) -> int:
    """Of all threads. One that has ended meanwhile takes its count with it."""
    count = 0
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        with contextlib.suppress(OSError):
            for line in status.read_text().splitlines():
                if line.startswith("voluntary_ctxt_switches"):
                    count += int(line.split()[1])
    return count


def storm(pid: int, state: Path, host: str, address: str, wakes: int) -> Storm:
    where = (state / "serve.addr").read_text().strip().removeprefix("unix ")
    session = f"host={host} address={address}"
    before, cpu_s, began = cycles(where), own_and_children_s(pid), time.monotonic()
    for number in range(wakes):
        ask(where, f"wake {session} trigger=storm-{number % 3} answer=no")
    accepted_s = time.monotonic() - began
    ask(where, f"wake {session} trigger=storm-end")
    over_s = time.monotonic() - began
    return Storm(
        *(wakes, round(accepted_s, 2), round(over_s, 2), cycles(where) - before),
        round(own_and_children_s(pid) - cpu_s, 2),
    )


def cycles(where: str) -> int:
    import json

    for line in ask(where, "status"):
        word, _, rest_of_line = line.partition(" ")
        if word == "json":
            return int(json.loads(rest_of_line)["counts"]["cycles"])
    return 0


def ask(where: str, request: str) -> Sequence[str]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(where)
        connection.sendall(request.encode() + b"\n")
        with connection.makefile("r", encoding="utf-8") as stream:
            return stream.read().splitlines()
