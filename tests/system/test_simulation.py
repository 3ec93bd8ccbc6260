"""Whatever happens in whatever order, and whoever dies: in the end exactly those run that may, nobody was paused
under the person's eyes, and no pause of the person's was undone.
"""

from __future__ import annotations

from typing import Any

import pytest

SEEDS = 250
STEPS = 60


def play(world: Any) -> None:
    try:
        for _ in range(STEPS):
            world.act()
        world.settle()
        world.check()
    except Exception as error:
        error.add_note("what happened: " + ", ".join(world.trace))
        raise


@pytest.mark.parametrize("block", range(5))
def test_in_the_end_exactly_those_run_that_may(world_of: Any, block: int) -> None:
    deaths = {"controller": 0, "agent": 0}
    for seed in range(block * SEEDS // 5, (block + 1) * SEEDS // 5):
        world = world_of(seed)
        try:
            play(world)
        except Exception as error:
            error.add_note(f"seed {seed}")
            raise
        deaths["controller"] += world.trace.count("controller dies")
        deaths["agent"] += sum(name.startswith("agent") and name.endswith("dies") for name in world.trace)
    assert all(deaths.values()), "deaths are part of what is tried"


def test_a_seed_plays_the_same_each_time(world_of: Any) -> None:
    traces = []
    for _ in range(2):
        world = world_of(7)
        play(world)
        traces.append(world.trace)
    assert traces[0] == traces[1]


def test_a_switch_survives_the_death_of_its_controller_at_every_step(world_of: Any) -> None:
    died = 0
    for nth in range(1, 80):
        world = world_of(0, crashes=False)
        world.memory.disk.on_operation = None
        world.settle()
        world.focus("b")
        world.memory.disk.faults.crash_before(nth)
        world.cycle()
        died += "controller dies" in world.trace
        world.settle()
        world.check()
        assert world.players["a"].agent.paused, nth
    assert died > 20
