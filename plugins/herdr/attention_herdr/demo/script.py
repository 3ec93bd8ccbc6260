"""What happens on the stage."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .cast import Actor
    from .display import Display
    from .stage import Stage

BOUND_S: Final = 10.0
"""For every state to be reached, on a slow and busy machine. Usually it takes half a second."""
SWITCHES: Final = 24
STORM_STAY_S: Final = (0.02, 0.25)
"""At least and at most in one place: shorter and longer than a cycle takes."""
SEED: Final = 7


class Stuck(Exception):
    """A state was not reached in time."""


def play(stage: Stage, shown: Display) -> str:
    """Play every scene. What was not reached, or nothing."""
    try:
        for scene in (three_agents, a_switch, a_moved_pane, a_storm):
            scene(stage, shown)
        _settle(stage, shown)
    except Stuck as error:
        return str(error)
    return ""


def three_agents(stage: Stage, shown: Display) -> None:
    builder, *_ = stage.actors
    shown.say("Herdr and the agents are simulated, the controller is the real one.")
    shown.say("Three agents work. You look at builder.")
    _expect(stage, shown, builder)


def a_switch(stage: Stage, shown: Display) -> None:
    _, reviewer, _ = stage.actors
    _visit(stage, shown, reviewer)


def a_moved_pane(stage: Stage, shown: Display) -> None:
    builder, _, tester = stage.actors
    old = builder.pane
    stage.move(builder)
    shown.say(f"builder's pane is moved to another workspace: {old} is {builder.pane} now.")
    _visit(stage, shown, builder)
    _visit(stage, shown, tester)


def a_storm(stage: Stage, shown: Display) -> None:
    """Some of the agents that are paused already are resumed in passing, so that requests and returns cross."""
    shown.say(f"You look about quickly, and resume some in passing: {SWITCHES} switches.")
    dice, present = random.Random(SEED), stage.looked_at()
    for _ in range(SWITCHES):
        present = dice.choice([actor for actor in stage.actors if actor is not present])
        stage.focus(present)
        if stage.is_paused(present) and dice.random() < 0.5:
            stage.press_escape()
        shown.look()
        stage.rest(dice.uniform(*STORM_STAY_S))
    _expect_others_paused(stage, shown, present)
    if stage.is_paused(present):
        _resume(stage, shown, present)
    _expect(stage, shown, present)


def _visit(stage: Stage, shown: Display, actor: Actor) -> None:
    """Go to an agent, and resume it once the others have paused."""
    shown.say(f"You go to {actor.name}.")
    stage.focus(actor)
    _expect_others_paused(stage, shown, actor)
    if stage.is_paused(actor):
        _resume(stage, shown, actor)
    _expect(stage, shown, actor)


def _resume(stage: Stage, shown: Display, actor: Actor) -> None:
    shown.say(f"You resume {actor.name} with Esc.")
    stage.press_escape()


def _expect(stage: Stage, shown: Display, running: Actor) -> None:
    _expect_others_paused(stage, shown, running)
    if not stage.wait(lambda: not stage.is_paused(running), BOUND_S, shown.look):
        raise Stuck(f"{running.name} has the focus and is still paused after {BOUND_S:g} s")


def _expect_others_paused(stage: Stage, shown: Display, running: Actor) -> None:
    others = [actor for actor in stage.actors if actor is not running]
    if not stage.wait(lambda: all(map(stage.is_paused, others)), BOUND_S, shown.look):
        late = ", ".join(actor.name for actor in others if not stage.is_paused(actor))
        raise Stuck(f"{late}: without the focus for {BOUND_S:g} s, and not paused")


def _settle(stage: Stage, shown: Display) -> None:
    """Until no hook runs, so that what is checked is the end and not the middle."""
    stage.wait(lambda: stage.herdr.wait_hooks(0), BOUND_S, shown.look)
    now = stage.elapsed_s()
    stage.wait(lambda: stage.elapsed_s() - now > 0.5, BOUND_S, shown.look)
