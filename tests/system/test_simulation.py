"""Whatever happens in whatever order, and whoever dies, is stopped or is not told: in the end exactly those run that may,
nobody was paused under the person's eyes, and no pause of the person's was undone.

A seed that fails is printed with what happened; `pytest tests/system/test_simulation.py --seed N` plays it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .extension import Extension
from .reflex import Reflex
from .world import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STEPS = 60
TRIED = (
    "controller dies",
    "agent a dies",
    "agent a dies in a tick",
    "the server dies",
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


def play(seed: int, steps: int = STEPS) -> World:
    world = World(seed)
    try:
        for _ in range(steps):
            world.act()
        world.trace.append("settles")
        world.settle()
        world.check()
    except BaseException as error:
        error.add_note(f"seed {seed}; replay: pytest tests/system/test_simulation.py --seed {seed}")
        error.add_note("what happened: " + ", ".join(world.trace))
        raise
    finally:
        world.close()
    return world


def play_all(seeds: Iterable[int]) -> None:
    for seed in seeds:
        play(seed)


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
        world = play(seed)
        for what in world.trace:
            happened[what] = happened.get(what, 0) + 1
        if request.config.getoption("--seed") is not None:
            print("\n".join(world.trace))
    if len(happened) < 100:
        return
    for what in TRIED:
        assert happened.get(what), f"{what!r} is part of what is tried"


def test_a_seed_plays_the_same_each_time() -> None:
    assert play(7).trace == play(7).trace


def nothing(*_: object, **__: object) -> None:
    pass


def all_that_was_asked(self: Extension, runs: dict[str, object]) -> list[str]:
    return list(runs)


BROKEN: dict[str, tuple[type, str, object]] = {
    "no brake": (Reflex, "_brake", lambda self: False),
    "the return does not let go": (Reflex, "_release", lambda self: False),
    "silence and an old lease keep the brake": (Reflex, "_give_up", nothing),
    "every request stands": (Extension, "_standing", all_that_was_asked),
    "no hold stands": (Extension, "_covering", lambda self: []),
    "acknowledged before it is painted": (Extension, "_await_paint", lambda self, then, otherwise: then()),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_simulation_notices(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would prove nothing if it could not fail."""
    monkeypatch.setattr(*BROKEN[name])
    with pytest.raises(AssertionError):
        play_all(range(400))
