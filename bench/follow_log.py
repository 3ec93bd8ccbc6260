"""What it costs `attention break-run` to follow Stretchly's logs, and how soon it sees what is written.

    python bench/follow_log.py [POLLS]

Nobody waits: the processor time of so many polls is set against the time in which they would be made, and a
poll that only asks whether a file has changed is measured beside it. A line that is written between two polls
has to be seen by the next one.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from attention_stretchly.driver.logs import FollowedLogs
from attention_stretchly.places import places
from attention_stretchly.polling import POLL_S
from attention_stretchly.testing import LogWriter, Scripted
from attention_stretchly.values import Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BREAKS = 500


def main(polls: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [place.log for place in places({"HOME": folder})]
        writer = fill(paths[0])
        logs = FollowedLogs(paths, Kind.MINI)
        begin = time.perf_counter()
        logs.set_out()
        ready_ms = (time.perf_counter() - begin) * 1000
        idle, bare = cpu_s(logs.poll, polls), cpu_s(lambda: paths[0].stat(), polls)
        size = paths[0].stat().st_size / (1 << 20)
        seen, busy = react(paths, writer)
    due_s = polls * POLL_S
    print(f"{len(paths)} places, one log of {size:.2f} MiB; {polls} polls, one every {POLL_S:g} s")
    print(f"set out before the call  {ready_ms:8.2f} ms")
    print(
        f"no change                {idle / due_s * 100:8.4f} % of a core   {idle / bare:.1f} times one bare stat"
    )
    print(f"a line before each poll  {busy / (2 * BREAKS * POLL_S) * 100:8.4f} % of a core")
    print(f"seen by the next poll    {seen} of {2 * BREAKS} lines")


def fill(path: Path) -> LogWriter:
    """Nearly as long as Stretchly lets it get."""
    writer = LogWriter((1, 22))
    while sum(map(len, writer.lines)) < 900_000:
        writer.play([Scripted(Kind.MINI), Scripted(Kind.LONG)] * 50)
    path.parent.mkdir(parents=True)
    path.write_bytes(writer.content)
    return writer


def cpu_s(work: Callable[[], object], times: int) -> float:
    begin = time.process_time()
    for _ in range(times):
        work()
    return time.process_time() - begin


def react(paths: list[Path], writer: LogWriter) -> tuple[int, float]:
    """Of so many breaks the starts and ends that the poll after them saw, and the processor time of the polls."""
    seen, spent = 0, 0.0
    kept = paths[0].read_bytes().index(b"\n", 100_000) + 1
    for _ in range(BREAKS):
        os.truncate(paths[0], kept)  # So that it sets out quickly.
        logs = FollowedLogs(paths[:1], Kind.MINI)
        logs.set_out()
        for text in ("starting Mini break", "finishing Mini break (shouldPlanNext: true)"):
            writer.lines.clear()
            writer.say(f"Stretchly: {text}")
            with paths[0].open("ab") as file:
                file.write(writer.content)
            spent += cpu_s(logs.poll, 1)
            seen += logs.own.begun if text.startswith("starting") else logs.own.ended_by is not None
    return seen, spent


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
