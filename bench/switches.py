"""What a switch costs: the same switches with the original algorithm, one-shot, resident and with the reflex.

The person leaves an agent that is hard at work. Taken are the milliseconds from the key press until its gate is engaged and
until its pause screen is acknowledged, and how many of its tools have started after the key press.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol, Self

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

MODES = ("original", "one-shot", "resident", "reflex")
REFLEX = {"one-shot": "off", "resident": "off", "reflex": "brake", "original": "off"}
WITHIN_S = 30.0


@dataclass(frozen=True, slots=True)
class Switch:
    gate_ms: float
    shown_ms: float
    started: int
    """Tools that have started after the key press."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of many switches."""

    gate_p50_ms: float
    gate_p99_ms: float
    shown_p50_ms: float
    shown_p99_ms: float
    started: int
    switches: int
    cpu_s_per_100: float
    missed: int
    """Switches that paused nobody within half a minute."""


class Stage(Protocol):
    """A host with two agents, the left one in front, and one way to control them."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def keep_busy(self) -> None:
        """The left agent works without end."""
        ...

    def switch(self) -> Switch | None:
        """The person leaves it, and it pauses. None if it does not."""
        ...

    def back(self) -> None:
        """The person returns and has it go on."""
        ...

    def cpu_s(self) -> float:
        """Of all that controls the agents, so far."""
        ...


def measure(make: Callable[[str], Stage], mode: str, switches: int, idle_switches: int) -> Figures:
    with make(mode) as stage:
        before = stage.cpu_s()
        for _ in range(idle_switches):
            stage.switch()
            stage.back()
        cpu_s = (stage.cpu_s() - before) / (2 * idle_switches) * 100
        stage.keep_busy()
        found = []
        for _ in range(switches):
            found.append(stage.switch())
            stage.back()
    return figures([one for one in found if one], cpu_s, switches)


def figures(found: Sequence[Switch], cpu_s: float, switches: int) -> Figures:
    gate, shown = [one.gate_ms for one in found], [one.shown_ms for one in found]
    return Figures(
        *(percentile(gate, 50), percentile(gate, 99), percentile(shown, 50), percentile(shown, 99)),
        *(sum(one.started for one in found), switches, round(cpu_s, 2), switches - len(found)),
    )


def percentile(values: Sequence[float], percent: int) -> float:
    """With few values the 99th is the greatest."""
    if len(values) < 2:
        return round(values[0], 2) if values else float("nan")
    return round(statistics.quantiles(values, n=100, method="inclusive")[percent - 1], 2)


def show(host: str, found: dict[str, Figures]) -> None:
    print(f"\nA switch on {host}: ms after the key press, in one run; ratios are original / this")
    print(
        f"{'':10}{'gate p50':>10}{'p99':>9}{'ratio':>8}{'shown p50':>11}{'p99':>9}{'ratio':>8}"
        f"{'started':>9}{'CPU s/100':>11}{'ratio':>8}{'missed':>8}"
    )
    first = found.get("original")
    for mode, one in found.items():
        ratios = ["", "", ""] if first is None else [f"{ratio:.1f}" for ratio in compared(first, one)]
        print(
            f"{mode:10}{one.gate_p50_ms:10.1f}{one.gate_p99_ms:9.1f}{ratios[0]:>8}{one.shown_p50_ms:11.1f}"
            f"{one.shown_p99_ms:9.1f}{ratios[1]:>8}{one.started / max(1, one.switches):9.2f}"
            f"{one.cpu_s_per_100:11.2f}{ratios[2]:>8}{one.missed:8}"
        )


def compared(first: Figures, other: Figures) -> tuple[float, float, float]:
    """Gate, screen and processor time: how many times that of the other one."""
    return (
        first.gate_p50_ms / max(0.01, other.gate_p50_ms),
        first.shown_p50_ms / max(0.01, other.shown_p50_ms),
        first.cpu_s_per_100 / max(0.01, other.cpu_s_per_100),
    )


def document(found: dict[str, Figures]) -> dict[str, dict[str, float]]:
    return {mode: asdict(one) for mode, one in found.items()}


def until(condition: Callable[[], bool], within_s: float = WITHIN_S, every_s: float = 0.004) -> bool:
    """Whether it has come true in time."""
    end = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(every_s)
    return True


def now_ms() -> float:
    return time.time_ns() / 1e6


def own_and_children_s(pid: int) -> float:
    """Processor time of a process and of its children that have ended."""
    try:
        return sum(psutil.Process(pid).cpu_times()[:4])
    except psutil.Error:
        return 0.0


def children_s(pid: int) -> float:
    try:
        return sum(psutil.Process(pid).cpu_times()[2:4])
    except psutil.Error:
        return 0.0
