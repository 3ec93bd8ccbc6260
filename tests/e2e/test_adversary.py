"""Whatever befalls controller, host and agents: when it is quiet, exactly the agent with the focus may run.

`ADVERSARY_SECONDS` makes it longer, `ADVERSARY_SEED` plays one again (as far as processes can).
"""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING

from attention_framework.testing import until

from .harness.adversary import Adversary

if TYPE_CHECKING:
    from .harness.agent import Agent
    from .harness.world import World

SECONDS = float(os.environ.get("ADVERSARY_SECONDS", "35"))
SEED = int(os.environ.get("ADVERSARY_SEED") or random.SystemRandom().randrange(1_000_000))


def test_exactly_the_agent_with_the_focus_runs_whatever_befalls_the_machine(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    print("seed", SEED)
    adversary = Adversary(world, list(pair), SEED)
    adversary.employ(pair[0])
    world.switch(pair[1])
    pair[1].resume()
    adversary.employ(pair[1])
    end, rounds = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        try:
            rough = rounds % 2 == 1
            for _ in range(random.Random(SEED + rounds).randint(2, 4)):
                adversary.act(rough)
            adversary.until_quiet(rough)
        except (AssertionError, TimeoutError) as error:
            error.add_note(f"seed {SEED}, round {rounds}: {' '.join(adversary.done)}")
            error.add_note(f"left over: {adversary.left()} {adversary.too_many()}")
            raise
        rounds += 1
        if rounds % 6 == 5:
            adversary.kill_agent(pair[rounds % 2])
            until(lambda: not adversary.left(), 20, what="what the dead agent has left is removed")
    print(f"{rounds} rounds, undisturbed {adversary.undisturbed}, disturbed {adversary.disturbed}")
