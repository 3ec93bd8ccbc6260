"""How long a snapshot of the simulated Herdr takes, whose reply may wait on a 100 ms tick: with a second connection, and without.

    python bench/hedged_reads.py [--reads 300] [--late 0.05]

Both in one run, taken in turns. On a share of the first connections (`--late`) the request arrives after the server has
looked, as happens on a busy machine; its tick then costs the rest.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from attention_herdr.client import HerdrClient
from attention_herdr.hedge import HEDGE_AFTER_S

from attention_framework import real_effects

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attention_framework import Connection, Effects

LATE_MS = 5.0
NEVER_S = 10.0


class LateSockets:
    """Connects as the real ones do, and on a share of the connections sends later than the server looks."""

    def __init__(self, effects: Effects, share: float) -> None:
        self._effects, self._share = effects, share
        self._dice = random.Random(7)
        self.opened = 0

    def connect(self, address: str, first: bytes, timeout_s: float) -> Connection:
        self.opened += 1
        if self._dice.random() >= self._share:
            return self._effects.sockets.connect(address, first, timeout_s)
        connection = self._effects.sockets.connect(address, b"", timeout_s)
        self._effects.clock.sleep_ms(LATE_MS)
        connection.send(first)
        return connection


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reads", type=int, default=300, metavar="N")
    parser.add_argument("--late", type=float, default=0.05, metavar="SHARE")
    options = parser.parse_args()
    ways = {"without": NEVER_S, "hedged": HEDGE_AFTER_S}
    with simulated_herdr() as address:
        sockets = {name: LateSockets(real_effects(), options.late) for name in ways}
        clients = {name: client(address, sockets[name], after) for name, after in ways.items()}
        took = measure(clients, options.reads)
    show(took, sockets, options.reads)
    return 0


@contextlib.contextmanager
def simulated_herdr() -> Iterator[str]:
    """A process of its own, so that the two do not wait for one another's interpreter. Its address."""
    with tempfile.TemporaryDirectory(prefix="attention-") as folder:
        command = [sys.executable, "-m", "attention_herdr.simulator", "--folder", folder]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("listening at ").strip()
        finally:
            process.stdin.close()
            process.stdout.close()
            process.wait(30)


def client(address: str, sockets: Any, hedge_after_s: float) -> HerdrClient:
    return HerdrClient(address, replace(real_effects(), sockets=sockets), hedge_after_s=hedge_after_s)


def measure(clients: dict[str, HerdrClient], reads: int) -> dict[str, list[float]]:
    took: dict[str, list[float]] = {name: [] for name in clients}
    for _ in range(reads):
        for name, one in clients.items():
            began = time.perf_counter()
            one.call("session.snapshot")
            took[name].append((time.perf_counter() - began) * 1000)
    return took


def show(took: dict[str, list[float]], sockets: dict[str, LateSockets], reads: int) -> None:
    found = {name: (statistics.median(values), percentile(values, 99)) for name, values in took.items()}
    print(f"{'':10}{'p50':>8}{'p99':>8}{'max':>8}   ms, connections a read")
    for name, values in took.items():
        p50, p99 = found[name]
        print(f"{name:10}{p50:8.2f}{p99:8.2f}{max(values):8.2f}   {sockets[name].opened / reads:.3f}")
    ratios = [hedged / plain for hedged, plain in zip(found["hedged"], found["without"], strict=True)]
    print(f"hedged / without: p50 {ratios[0]:.2f}, p99 {ratios[1]:.2f}")


def percentile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


if __name__ == "__main__":
    sys.exit(main())
