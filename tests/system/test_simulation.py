"""Whatever happens in whatever order, and whoever dies, is stopped or is not told: in the end exactly those run that may,
nobody was paused under the person's eyes, and no pause of the person's was undone.

A seed that fails is printed with what happened; `pytest tests/system/test_simulation.py --seed N` plays it again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .broken import BROKEN, LONG
from .world import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .ways import Ways

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
    "an agent is at a gate",
    "a hook asks for long",
    "the host ends its events",
    "the settings change",
    "the settings break",
    "the settings are mended",
    "wrong settings let nobody begin",
    "the source tells a break",
    "the source ends s-1",
    "the source dies",
    "the source tells nonsense",
    "the source cannot be asked",
    "the source is well again",
)
BLOCKS = 8
ENOUGH = 200
"""In so many seeds of one block all of it happens; fewer (`--seeds`) are not judged by it."""


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
    played_now = list(seeds(request, block))
    for seed in played_now:
        played = play(seed)
        for what in played.trace:
            happened[what] = happened.get(what, 0) + 1
        if request.config.getoption("--seed") is not None:
            print("\n".join(played.trace))
    never = [what for what in TRIED if not happened.get(what)]
    assert len(played_now) < ENOUGH or not never, (
        f"{never} never happened in {len(played_now)} seeds. If nothing in tests/system offers it any more, mend that; "
        "if it has become rare, raise its weight in `World.act`, or ENOUGH."
    )


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


@pytest.mark.parametrize("name", BROKEN)
def test_the_simulation_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would prove nothing if it could not fail."""
    ways, *broken = BROKEN[name]
    monkeypatch.setattr(*broken)
    with pytest.raises(AssertionError):
        play_all(range(400), STEPS if ways in LONG else FEW, ways)
