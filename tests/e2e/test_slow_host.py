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
    until(lambda: _all_have_failed(world), 40, what="each wake-up's cycle has failed")
    held_back.unlink()
    first.until_paused()
    world.settle()


def _all_have_failed(world: World) -> bool:
    """So that no hook is left that would come to its own turn only now. The resident controller leaves no markers."""
    failed = sum(bool(entry.get("error")) for entry in world.journal())
    return failed > 0 and failed >= len(list(world.state.glob("sessions/*/wake/*")))
