"""Many real processes on one folder, some of which are killed in the middle of a cycle."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Iterator

WOKEN = Path(__file__).parent / "woken.py"
PROCESSES = 8 if sys.platform == "win32" else 24
EVENTS = 5
MORTALS = 4
EVENTS_OF_MORTALS = 200  # Each goes on until it has flown twice, and dies.


class Crowd:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.started: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, number: str, events: int, *flags: str) -> None:
        command = [sys.executable, str(WOKEN), str(self.root), number, str(events), *flags]
        self.started[number] = subprocess.Popen(command)

    def log(self) -> list[dict[str, Any]]:
        path = self.root / "log"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []

    def lines(self, what: str) -> list[dict[str, Any]]:
        return [line for line in self.log() if line["what"] == what]

    def go(self) -> None:
        until(lambda: len(self.lines("ready")) == len(self.started), 120, "all are ready")
        (self.root / "go").touch()

    def end(self) -> None:
        for process in self.started.values():
            process.wait(120)

    def codes(self) -> dict[str, int | None]:
        return {number: process.returncode for number, process in self.started.items()}


@pytest.fixture
def crowd(tmp_path: Path) -> Iterator[Crowd]:
    crowd = Crowd(tmp_path)
    yield crowd
    for process in crowd.started.values():
        if process.poll() is None:
            process.kill()
            process.wait()


def covered(log: list[dict[str, Any]]) -> set[str]:
    """Events that a cycle had seen when it began, and which it carried out to its end."""
    found: set[str] = set()
    for line, after in zip(log, [*log[1:], None], strict=True):
        if line["what"] == "begin" and after is not None and after["what"] == "end":
            found.update(line["saw"])
    return found


def cycles(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in log if line["what"] in ("begin", "end", "dies")]


def test_no_event_is_lost_and_no_two_cycles_run_at_once(crowd: Crowd) -> None:
    mortals = [f"m{number}" for number in range(MORTALS)]
    others = [f"p{number}" for number in range(PROCESSES - MORTALS)]
    for number in mortals:
        crowd.start(number, EVENTS_OF_MORTALS, "--dies")
    for number in others:
        crowd.start(number, EVENTS)
    crowd.go()
    crowd.end()
    inside = cycles(crowd.log())

    codes = crowd.codes()
    assert {number for number in others if codes[number] != 0} == set()
    killed = {line["who"] for line in crowd.lines("dies")}
    assert killed == {number for number in mortals if codes[number] != 0}
    assert killed, "some died in the middle of a cycle"

    for begin, end in zip(inside[::2], inside[1::2], strict=True):
        assert (begin["what"], begin["who"]) == ("begin", end["who"]), "a cycle began inside another one"
        assert end["what"] in ("end", "dies")

    ended = {line["event"] for line in crowd.lines("ended")}
    assert {line["event"] for line in crowd.lines("ended") if line["left"]} == set()
    assert len([event for event in ended if event.startswith("p")]) == len(others) * EVENTS
    assert ended - covered(inside) == set()
    assert len(inside) / 2 < len(ended), "storms are coalesced"

    # What the dead have left is covered by whoever comes next.
    crowd.start("last", 1)
    crowd.end()
    inside = cycles(crowd.log())
    every = {path.name for path in (crowd.root / "events").iterdir()}
    assert every - covered(inside) == set()
    assert list((crowd.root / "session" / "wake").iterdir()) == []


def test_no_event_is_handled_by_a_cycle_that_began_before_it(crowd: Crowd) -> None:
    """Whoever ends has been covered by then: its event was seen by a cycle that had ended before it did."""
    for number in range(6):
        crowd.start(f"p{number}", EVENTS)
    crowd.go()
    crowd.end()
    log = crowd.log()
    for index, line in enumerate(log):
        if line["what"] == "ended":
            assert line["event"] in covered(cycles(log[:index])), line


def test_a_kernel_lock_is_free_again_when_its_holder_was_killed(crowd: Crowd) -> None:
    crowd.start("m0", EVENTS, "--dies")
    crowd.go()
    crowd.end()
    assert crowd.codes()["m0"] != 0
    assert list((crowd.root / "session" / "wake").iterdir()), "its marker stays"
    crowd.start("p0", 1)
    crowd.end()
    assert crowd.codes()["p0"] == 0
    assert list((crowd.root / "session" / "wake").iterdir()) == []
