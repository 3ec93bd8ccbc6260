"""How long a cycle takes in a warm process that has nothing to do, with 10, 100 and 1,000 panes of Herdr's.

    python bench/cycle.py [--panes 10 100 1000] [--cycles 20] [--profile]

Every pane has an agent with a status file, all but the focused one are paused, and the policies are the default ones. A
process of its own answers with a snapshot of the simulated Herdr's, made wide, and at once: what is measured is our own work.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attention_framework import Session
from attention_framework.app import App
from attention_framework.cycle.steps import Stopwatch
from attention_framework.effects.processes import start_ticks
from attention_framework.serve.resident import collect_seldom
from attention_framework.state.names import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from attention_framework import CycleReport

GOAL_MS = 40.0
GOAL_PANES = 1000
SERVER = """
import json, socket, sys, threading
from contextlib import suppress
from pathlib import Path
from attention_herdr.simulator import SimulatedHerdr
folder, count = Path(sys.argv[1]), int(sys.argv[2])
with SimulatedHerdr(folder / "one") as herdr:
    of = {"pane_id": "w1:p1", "source": "bench", "agent": "omp"}
    herdr.call("pane.report_agent", **of, state="working", seq=1)
    herdr.call("pane.report_agent_session", **of, agent_session_path="/sessions/w1:p1.jsonl", seq=2)
    result = herdr.call("session.snapshot")
for kind in ("panes", "agents"):
    text = json.dumps(result["snapshot"][kind][0])
    result["snapshot"][kind] = [json.loads(text.replace("w1:p1", f"w1:p{n}")) for n in range(1, count + 1)]
panes = {pane["pane_id"]: pane for pane in result["snapshot"]["panes"]}
def dumped():
    return json.dumps({"id": "attention", "result": result}).encode() + b"\\n"
def remember(request):
    params = json.loads(request)["params"]
    panes[params["pane_id"]]["tokens"] = {k: v for k, v in params.get("tokens", {}).items() if v is not None}
snapshot = dumped()
ok = b'{"id": "attention", "result": {"type": "ok"}}\\n'
listening = socket.socket(socket.AF_UNIX)
listening.bind(str(folder / "herdr.sock"))
listening.listen(64)
def serve():
    global snapshot
    while True:
        connection, _ = listening.accept()
        with connection, suppress(OSError):
            request = connection.recv(65536)
            if b"session.snapshot" in request:
                snapshot = snapshot or dumped()
                connection.sendall(snapshot)
                continue
            if b"pane.report_metadata" in request:
                remember(request)
                snapshot = None
            connection.sendall(ok)
threading.Thread(target=serve, daemon=True).start()
print(folder / "herdr.sock", *(f"w1:p{n}" for n in range(1, count + 1)), flush=True)
sys.stdin.read()
"""
LIVING = """
import os, sys
pids = []
for _ in range(int(sys.argv[1])):
    pid = os.fork()
    if pid == 0:
        os.read(0, 1)
        os._exit(0)
    pids.append(pid)
print(*pids, flush=True)
for pid in pids:
    os.waitpid(pid, 0)
"""
SETTINGS = """
plugins = ["herdr", "omp_keys", "policies"]
[focus]
sources = ["herdr"]
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """Of so many cycles over some panes."""

    median_ms: float
    least_ms: float
    cpu_ms: float
    """Processor time of one."""
    steps: Mapping[str, float]
    """Medians in ms."""

    def document(self) -> dict[str, Any]:
        return {"median_ms": self.median_ms, "least_ms": self.least_ms, "cpu_ms": self.cpu_ms}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--panes", type=int, nargs="+", default=[10, 100, 1000], metavar="N")
    parser.add_argument("--cycles", type=int, default=20, metavar="N")
    parser.add_argument("--profile", action="store_true", help="what the last size spends its time on")
    options = parser.parse_args()
    found = {count: measure(count, options.cycles) for count in options.panes}
    if options.profile:
        with warm(options.panes[-1]) as cycle:
            profile(cycle)
    show(found)
    slow = [count for count, one in found.items() if count <= GOAL_PANES and one.median_ms > GOAL_MS]
    return 1 if slow else 0


def measure(count: int, cycles: int) -> Measured:
    with warm(count) as cycle:
        began_s = time.process_time()
        reports = [cycle() for _ in range(cycles)]
        cpu_s = time.process_time() - began_s
    totals = [sum(ms for _, ms in one.steps) for one in reports]
    steps = {
        name: statistics.median(dict(one.steps)[name] for one in reports) for name, _ in reports[0].steps
    }
    return Measured(
        *(round(statistics.median(totals), 2), round(min(totals), 2), round(cpu_s / cycles * 1000, 2)), steps
    )


@contextlib.contextmanager
def warm(count: int) -> Iterator[Callable[[], CycleReport]]:
    """A cycle over so many panes, in a process that has run one before."""
    with (
        tempfile.TemporaryDirectory(prefix="attention-") as name,
        herdr_with(Path(name), count) as words,
        processes(count) as pids,
    ):
        address, *panes = words
        folder = Path(name)
        (folder / "attention.toml").write_text(SETTINGS, encoding="utf-8")
        app, session = App(str(folder / "attention.toml"), str(folder / "state")), Session("herdr", address)
        say_hello(app, session, dict(zip(panes, pids, strict=True)))
        age(app, session)
        source = app.source_of(session)

        def cycle() -> CycleReport:
            report = app.controller.cycle(source, session, "bench", Stopwatch(app.effects.clock))
            assert not report.failed, report.error
            assert len(report.decisions) == count
            return report

        cycle()
        collect_seldom()
        changes = {decision.outcome for decision in cycle().decisions} - {"already-paused", "left-running"}
        assert not changes, changes
        yield cycle


@contextlib.contextmanager
def processes(count: int) -> Iterator[list[int]]:
    """So many that do nothing but live. They end when their input does."""
    command = [sys.executable, "-I", "-S", "-c", LIVING, str(count)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield [int(word) for word in process.stdout.readline().split()]
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(60)


@contextlib.contextmanager
def herdr_with(folder: Path, count: int) -> Iterator[list[str]]:
    """Its address and its panes."""
    command = [sys.executable, "-c", SERVER, str(folder), str(count)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()
    finally:
        process.stdin.close()
        process.stdout.close()
        process.wait(30)


def say_hello(app: App, session: Session, agents: Mapping[str, int]) -> None:
    """Status files by pane and process. Only the first one, with the focus, runs."""
    folder = app.state.session(session)
    for number, (pane, pid) in enumerate(agents.items()):
        held = {"state": "paused", "runs": ["focus"], "engagement": f"e{number}", "shown": "overlay"}
        status = {
            **{
                "v": 1,
                "agent": "omp",
                "pane": pane,
                "pid": pid,
                "started": {"ticks": start_ticks(pid), "ms": 0},
            },
            **{
                "tty": None,
                "session_file": f"/sessions/{pane}.jsonl",
                "attended": 0,
                "waived": [],
                "calls": [],
            },
            **({"state": "running"} if number == 0 else held),
        }
        app.effects.files.write(folder.agent(f"{encode(pane)}.{pid}"), json.dumps(status).encode())


def age(app: App, session: Session) -> None:
    """As if it was a while ago that they were written, which is so of most."""
    folder, past = app.state.session(session), time.time() - 60
    for name in app.effects.files.names(folder.agents):
        os.utime(folder.agents / name, (past, past))


def profile(cycle: Callable[[], CycleReport]) -> None:
    """Of the main thread and of the one that strategies run in."""
    import cProfile
    import pstats

    with cProfile.Profile() as found:
        for _ in range(5):
            cycle()
    pstats.Stats(found).sort_stats("tottime").print_stats(25)


def show(found: Mapping[int, Measured]) -> None:
    print(f"{'panes':>6}{'median':>9}{'least':>9}{'cpu':>9}   steps, medians in ms")
    for count, one in found.items():
        told = "  ".join(f"{name} {ms:.1f}" for name, ms in one.steps.items())
        print(f"{count:6}{one.median_ms:9.1f}{one.least_ms:9.1f}{one.cpu_ms:9.1f}   {told}")
    print(f"goal: at most {GOAL_MS:.0f} ms over {GOAL_PANES} panes")


if __name__ == "__main__":
    sys.exit(main())
