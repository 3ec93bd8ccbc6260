"""Whatever happens in whatever order, and whoever dies, is stopped or is not told: in the end exactly those run that may,
nobody was paused under the person's eyes, and no pause of the person's was undone.

A seed that fails is printed with what happened; `pytest tests/system/test_simulation.py --seed N` plays it again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework.cycle import plan, reading
from attention_framework.serve.asking import Rounds
from attention_framework.serve.news import ASK
from attention_framework.serve.work import Agenda, Wake, Work
from attention_framework.serve.worker import Worker

from . import wake_ups
from .extension import Extension
from .reflex import Reflex
from .ways import Ways
from .world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from attention_framework.cycle import Seen

ROOT = Path(__file__).parents[2]
STEPS = 60
FEW = 20
"""Where what is looked for needs no long story."""
TRIED = (
    "controller dies",
    "agent a dies",
    "agent a dies in a tick",
    "the server dies",
    "the server is stopped",
    "the server goes on",
    "the server is told to stop",
    "the host tells the server",
    "somebody reconciles",
    "agent a is before a step",
    "agent a opens its gate",
    "the window is left",
    "an answer comes twice",
    "an answer is lost",
    "stop or go on",
    "a pane is moved",
    "its hook is lost",
    "clock back",
    "resumes",
    "pauses",
    "the terminal is away",
)
BLOCKS = 8


def play(seed: int, steps: int = STEPS, ways: Ways | None = None) -> World:
    played = World(seed, ways=ways)
    try:
        for _ in range(steps):
            played.act()
        played.trace.append("settles")
        played.settle()
        played.check()
        if played.last():
            played.settle()
            played.check()
    except BaseException as error:
        error.add_note(f"seed {seed}; replay: pytest tests/system/test_simulation.py --seed {seed}")
        error.add_note("what happened: " + ", ".join(played.trace))
        raise
    finally:
        played.close()
    return played


def play_all(seeds: Iterable[int], steps: int = STEPS, ways: Ways | None = None) -> None:
    for seed in seeds:
        play(seed, steps, ways)


def seeds(request: pytest.FixtureRequest, block: int) -> Iterator[int]:
    one = request.config.getoption("--seed")
    count = int(request.config.getoption("--seeds"))
    if one is not None:
        return iter([int(one)] if block == 0 else [])
    return iter(range(block * count // BLOCKS, (block + 1) * count // BLOCKS))


@pytest.mark.parametrize("block", range(BLOCKS))
def test_in_the_end_exactly_those_run_that_may(request: pytest.FixtureRequest, block: int) -> None:
    happened: dict[str, int] = {}
    for seed in seeds(request, block):
        played = play(seed)
        for what in played.trace:
            happened[what] = happened.get(what, 0) + 1
        if request.config.getoption("--seed") is not None:
            print("\n".join(played.trace))
    if len(happened) < 100:
        return
    for what in TRIED:
        assert happened.get(what), f"{what!r} is part of what is tried"


def test_a_seed_plays_the_same_each_time() -> None:
    assert play(7).trace == play(7).trace


def test_it_plays_the_same_in_another_process() -> None:
    """Where sets of texts have another order: else a seed that has failed could not be played again."""
    script = (
        "from tests.system.test_simulation import play; print([play(seed).trace for seed in range(3, 33)])"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": order},
            stdout=subprocess.PIPE,
        )
        for order in ("1", "2")
    ]
    played = [process.communicate(timeout=120)[0] for process in started]
    assert b"settles" in played[0]
    assert played[0] == played[1]


def nothing(*_: object, **__: object) -> None:
    pass


def all_that_was_asked(self: Extension, runs: dict[str, object]) -> list[str]:
    return list(runs)


def at_once(self: Extension, then: Callable[[], None], otherwise: object) -> None:
    then()


def opens(self: Reflex, hold: object) -> None:
    self.hold = None


def forgets_that_it_was_left(self: Extension) -> None:
    """As if the resume were newer than every report that was read before the gate opened."""
    self.away = False
    self.count += 1
    self._publish_soon()


def gone(self: Reflex) -> None:
    """As it is, but for the step that waits at a boundary."""
    if self.hold is not None:
        self.hold, self.problem = None, ""


def never_wakes_for_a_question(self: Worker, trigger: str) -> Wake:
    return Wake(trigger) if trigger.startswith(ASK) else WAKE(self, trigger)


def from_the_first_look(self: Rounds[Seen]) -> Seen:
    found: Seen = self.__dict__.setdefault("kept", None) or ASK_ROUND(self)
    self.__dict__["kept"] = found
    return found


WAKE, ASK_ROUND = Worker.wake, Rounds.ask

BRAKE = Ways("brake", served=True)
STRICT = Ways("strict", fail="closed", served=True)
AWAY = Ways("brake", away="pause", served=True)
SETTLE = Ways(settle_ms=400)

BROKEN: dict[str, tuple[Ways | None, object, str, object]] = {
    "no brake": (None, Reflex, "_brake", lambda self, event: False),
    "the return does not let go": (None, Reflex, "_release", lambda self: False),
    "a focus lost between the key that resumes and the gate": (None, Extension, "resumed", forgets_that_it_was_left),
    "silence and an old lease keep the brake": (None, Reflex, "_give_up", nothing),
    "every request stands": (None, Extension, "_standing", all_that_was_asked),
    "no hold stands": (None, Extension, "_covering", lambda self: []),
    "acknowledged before it is painted": (None, Extension, "_await_paint", at_once),
    "strict: a step is not asked about": (STRICT, Reflex, "boundary", lambda self, event: False),
    "strict: silence opens what fails closed": (STRICT, Reflex, "_stay_closed", opens),
    "strict: a request that failed lets the step go that waited": (STRICT, Reflex, "taken", gone),
    "away: the controller does not count the window": (AWAY, reading, "away_panes", lambda *_: frozenset()),
    "away: a report that asks nothing wakes nobody": (
        replace(AWAY, mode="off"), Reflex, "_away_counts", lambda self: False,
    ),
    "settle: the pause is asked for at once": (SETTLE, plan, "waits", lambda *_: False),
    "settle: the resident controller does not look again": (
        replace(SETTLE, served=True), Agenda, "_looks", lambda self, report: [],
    ),
    "settle: nobody waits who runs once": (SETTLE, wake_ups, "look_again", nothing),
    "ask: answered from an older look": (BRAKE, Rounds, "ask", from_the_first_look),
    "ask: a question wakes nobody": (AWAY, Worker, "wake", never_wakes_for_a_question),
    "worker: a wake-up waits for the next look": (BRAKE, Work, "woken", False),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_the_simulation_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would prove nothing if it could not fail."""
    ways, *broken = BROKEN[name]
    monkeypatch.setattr(*broken)
    with pytest.raises(AssertionError):
        play_all(range(400), STEPS if ways in (None, STRICT) else FEW, ways)
