"""How long it takes to read a megabyte of Stretchly's log, beside a bare loop over its lines.

    python bench/read_log.py [MEGABYTES]

Both in this process, the best of several runs each, taken in turns.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from attention_stretchly.reader import BreakReader, read_breaks
from attention_stretchly.testing import LogWriter, Scripted
from attention_stretchly.values import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 7
DAY = [Scripted(Kind.MINI), Scripted(Kind.MINI, disturbed=True), Scripted(Kind.LONG, windows=2)]


def main(megabytes: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.log"
        path.write_bytes(content(int(megabytes * (1 << 20))))
        poll = follower(path)
        bare, read, idle = best(lambda: bare_loop(path), lambda: read_breaks(BreakReader(path)), poll)
        size = path.stat().st_size / (1 << 20)
        print(
            f"{size:.2f} MiB, {len(path.read_bytes().splitlines())} lines, {len(read_breaks(BreakReader(path)))} breaks"
        )
    print(f"bare line loop   {bare * 1000:8.2f} ms")
    print(
        f"read the breaks  {read * 1000:8.2f} ms   {read / bare:.1f} times the bare loop, {read * 1000 / size:.1f} ms a MiB"
    )
    print(f"poll, no change  {idle * 1000:8.3f} ms   {idle * 100:.4f} % of a core at one poll a second")


def content(size: int) -> bytes:
    """A log of today's version, at least so long."""
    writer, written = LogWriter((1, 22)), b""
    while len(written) < size:
        for _ in range(100):
            writer.play(DAY)
        written = writer.content
    return written[:size]


def bare_loop(path: Path) -> int:
    count = 0
    with path.open("rb") as file:
        for _line in file:
            count += 1
    return count


def follower(path: Path) -> Callable[[], object]:
    reader = BreakReader(path)
    reader.poll()
    return reader.poll


def best(*works: Callable[[], object]) -> list[float]:
    """Seconds of the fastest run of each."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(RUNS):
        for work, taken in zip(works, times, strict=True):
            begin = time.perf_counter()
            work()
            taken.append(time.perf_counter() - begin)
    return [min(taken) for taken in times]


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
