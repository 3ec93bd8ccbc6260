"""What happens on the stage."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .cast import Actor
    from .display import Display
    from .stage import Stage

BOUND_S: Final = 10.0
"""For every state to be reached. Usually it takes half a second."""
PATIENCE: Final = 30.0
"""But so many times what setup took, which is one process of the framework: machines differ much in that."""
SWITCHES: Final = 24
STORM_STAY_S: Final = (0.02, 0.25)
"""At least and at most in one place: shorter and longer than a cycle takes."""
SLOW_S: Final = 1.0
"""Setup takes a third of it on an ordinary machine."""
SEED: Final = 7
SETTLED_S: Final = 0.5


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
    """A controller that was there before the agents spares them until the focus has moved (the policy `origin`)."""
    builder, reviewer, _ = stage.actors
    shown.say("Herdr and the agents are simulated, the controller is the real one.")
    shown.say("Three agents work.")
    _visit(stage, shown, reviewer)
    _visit(stage, shown, builder)


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
    begun = stage.switches
    while stage.switches < begun + SWITCHES:
        order = [present := _another(stage, present, dice) for _ in range(_at_once(stage, dice))]
        stage.focus(*order)
        if stage.is_paused(present) and dice.random() < 0.5:
            stage.press_escape()
        shown.look()
        stage.rest(dice.uniform(*STORM_STAY_S))
    _expect_others_paused(stage, shown, present)
    if stage.is_paused(present):
        _resume(stage, shown, present)
    _expect(stage, shown, present)


def _another(stage: Stage, present: Actor, dice: random.Random) -> Actor:
    return dice.choice([actor for actor in stage.actors if actor is not present])


def _at_once(stage: Stage, dice: random.Random) -> int:
    """How many switches Herdr sees as one. More on a slow machine, where each starts a process that takes seconds."""
    return dice.choice((1, 1, 1, 2)) if stage.setup_s < SLOW_S else 4


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
    bound_s = _bound_s(stage)
    if not stage.wait(lambda: not stage.is_paused(running), bound_s, shown.look):
        raise Stuck(f"{running.name} has the focus and is still paused after {bound_s:.0f} s")


def _expect_others_paused(stage: Stage, shown: Display, running: Actor) -> None:
    others = [actor for actor in stage.actors if actor is not running]
    bound_s = _bound_s(stage)
    if not stage.wait(lambda: all(map(stage.is_paused, others)), bound_s, shown.look):
        late = ", ".join(actor.name for actor in others if not stage.is_paused(actor))
        raise Stuck(f"{late}: without the focus for {bound_s:.0f} s, and not paused")


def _settle(stage: Stage, shown: Display) -> None:
    """Until no hook runs, so that what is checked is the end and not the middle."""
    stage.wait(lambda: stage.herdr.wait_hooks(0), _bound_s(stage), shown.look)
    now = stage.elapsed_s()
    stage.wait(lambda: stage.elapsed_s() - now > SETTLED_S, BOUND_S, shown.look)


def _bound_s(stage: Stage) -> float:
    return max(BOUND_S, PATIENCE * stage.setup_s)
