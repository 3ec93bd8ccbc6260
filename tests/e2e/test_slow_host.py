"""The host answers nobody for a moment, and the person switches just then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.testing import until

from .harness.ways import both_ways
from .harness.world import two_agents

if TYPE_CHECKING:
    from pathlib import Path

    from .harness.world import World


@both_ways
def test_a_switch_that_the_host_was_too_slow_for_is_made_up_for(world: World, held_back: Path) -> None:
    first, second = two_agents(world)
    world.settle()
    held_back.touch()
    world.switch(second)
    until(lambda: any(cycle.get("error") for cycle in world.journal()), 20, what="a cycle has failed")
    held_back.unlink()
    first.until_paused()
    world.settle()
