"""The resident controller that `setup` starts: what a switch costs with it, and what may befall it."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .harness.agent import ACT_WITHIN_S
from .harness.tools import touch
from .harness.world import two_agents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .harness.agent import Agent
    from .harness.world import World

SWITCHES = 5


@contextlib.contextmanager
def suspended(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def busy(world: World, agent: Agent) -> str:
    """Warm, and calling tools without end."""
    name = f"busy-{agent.name}"
    agent.prompt(f"go {world.model.play(name, touch('step'), touch('step'))}")
    until(lambda: len(world.model.asked(name)) > 3, 40, what="the agent is busy")
    return name


def tools_after(agent: Agent, seen: int) -> list[str]:
    """That began after the agent had read that its pane has lost the focus."""
    events = sorted(agent.look().events[seen:], key=lambda event: event.fine)
    gone = next(event.fine for event in events if event.what == "focus-out")
    return [e.what for e in events if e.fine > gone and e.what.startswith("tool_execution_start")]


def test_no_tool_starts_after_a_switch_and_the_pause_screen_takes_over(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    left, other = pair
    name = busy(world, left)
    for _ in range(SWITCHES):
        seen = len(left.look().events)
        world.switch(other)
        left.until_paused()
        status = left.status()
        assert status is not None
        assert status["reflex"]["silent"] == 0, "the controller has answered each question"
        assert tools_after(left, seen) == []
        world.switch(left)
        asked = len(world.model.asked(name))
        left.resume()
        goes_on = partial(_has_asked_more, world, name, asked + 1)
        until(goes_on, 20, what="the agent goes on")


def _has_asked_more(world: World, script: str, than: int) -> bool:
    return len(world.model.asked(script)) > than


def test_in_strict_mode_the_agent_in_front_is_held_at_its_steps_and_never_paused(world: World) -> None:
    world.set_up(more='\n[reflex]\nmode = "strict"\n')
    here, there = two_agents(world)
    name = busy(world, here)
    seen = len(here.look().events)
    asked = len(world.model.asked(name))
    until(partial(_has_asked_more, world, name, asked + 2), 40, what="it goes on all the same")
    events = here.look().after(seen)
    assert "gate-engaged" in events, "its steps are asked about"
    assert "screen-shown" not in events
    until(here.is_running, ACT_WITHIN_S, what="it runs between its steps")
    assert there.is_paused()


def test_a_controller_that_has_died_is_started_again_by_an_agent_that_finds_nobody(world: World) -> None:
    """Its runner may cover the wake-ups of all hooks, which then leave it at that."""
    world.set_up(hooks=False)
    world.attention("serve", "--detach")
    agent = world.agent("a")
    died = world.until_served()
    os.kill(died, signal.SIGKILL)
    agent.type("\x1b\x10")  # Ctrl+Alt+P
    agent.until_paused()
    assert world.until_served() != died


@pytest.mark.parametrize("back", [False, True])
def test_a_controller_that_is_stopped_in_the_middle_of_a_cycle_makes_it_right_as_soon_as_it_goes_on(
    world: World, held_back: Path, back: bool
) -> None:
    """It holds the lock of the session meanwhile, so nobody can do it in its stead."""
    first, second = two_agents(world)
    busy(world, first)
    held_back.touch()
    world.switch(second)
    until((world.folder / "held").exists, what="a cycle has asked for what there is")
    with suspended(world.until_served()):
        held_back.unlink()
        second.resume()
        if back:
            world.switch(first)
        until(lambda: any("reconcile" in line for line in world.processes()), what="a hook has given it up")
        until(lambda: not first.look().paused, ACT_WITHIN_S, what="the first one was let go unanswered")
        here, there = (first, second) if back else (second, first)
        engaged = here.look().times("gate-engaged")
    began = time.monotonic()
    there.until_paused()
    print(f"paused {(time.monotonic() - began) * 1000:.0f} ms after the controller went on")
    world.settle()
    world.attention("reconcile")
    world.settle()
    assert here.is_running()
    assert here.look().times("gate-engaged") == engaged, "paused under the eyes of the person"
