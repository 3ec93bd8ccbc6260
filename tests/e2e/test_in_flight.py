"""What has begun comes to its end, and nothing new begins."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from attention_framework.testing import until

from .harness.model_server import Say
from .harness.tools import finish, subagent, touch, waiting, write

if TYPE_CHECKING:
    from .harness.agent import Agent
    from .harness.world import World


def play_through(world: World, agent: Agent, name: str) -> None:
    """Time enough for anything new to start elsewhere: a whole run of another agent."""
    script = world.model.play(f"other-{name}", touch(f"{name}.1"), touch(f"{name}.2"), Say(f"OVER {name}"))
    ends = len(agent.look().times("agent_end"))
    agent.prompt(f"go {script}")
    until(lambda: len(agent.look().times("agent_end")) > ends, 30, what="the other agent has come to its end")
    assert world.model.asked(f"other-{name}") == [0, 1, 2]


def test_a_tool_call_in_flight_ends_and_nothing_new_starts(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    script = world.model.play("work", waiting("one"), touch("two"), Say("WORK DONE"))
    left.prompt(f"go {script}")
    until(lambda: left.wrote("one.started"), 20, what="the call is in flight")
    world.switch(other)
    left.until_paused()
    status = left.status()
    assert status is not None
    assert [call["name"] for call in status["calls"]] == ["bash"]
    left.allow("one.go")
    until(lambda: left.wrote("one.done"), what="the call in flight has come to its end")
    until(lambda: (left.status() or {})["calls"] == [], what="and is reported no more")
    other.resume()
    play_through(world, other, "while")
    assert world.model.asked("work") == [0]
    assert not left.wrote("two")
    world.switch(left)
    left.resume()
    until(lambda: "WORK DONE" in left.screen(), 20, what="the agent has gone on to its end")
    assert world.model.asked("work") == [0, 1, 2]


def test_a_call_that_waits_for_another_one_does_not_start(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    script = world.model.play("batch", [waiting("one"), write("two")], Say("BATCH DONE"))
    left.prompt(f"go {script}")
    until(lambda: left.wrote("one.started"), 20, what="the first call is in flight")
    world.switch(other)
    left.until_paused()
    left.allow("one.go")
    until(lambda: left.wrote("one.done"), what="the call in flight has come to its end")
    other.resume()
    play_through(world, other, "while")
    assert not left.wrote("two")
    world.switch(left)
    left.resume()
    until(lambda: "BATCH DONE" in left.screen() and left.wrote("two"), 20, what="the agent has gone on")


def test_an_answer_that_is_being_written_comes_to_its_end(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    go = threading.Event()
    script = world.model.play("talk", Say("FIRST words and the LAST", after=go))
    left.prompt(f"go {script}")
    until(lambda: "FIRST" in left.screen(), 20, what="the answer has begun")
    world.switch(other)
    left.until_paused()
    go.set()
    until(lambda: left.look().times("agent_end"), 20, what="the answer has ended under the pause")
    assert left.is_paused()
    world.switch(left)
    left.resume()
    assert "LAST" in left.screen()


def test_a_subagent_pauses_with_its_agent(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    below = world.model.play("below", waiting("sub"), touch("sub-two"), finish())
    script = world.model.play("above", subagent(f"do it {below}"), Say("ABOVE DONE"))
    left.prompt(f"go {script}")
    until(lambda: left.wrote("sub.started"), 30, what="the subagent's call is in flight")
    above = world.model.asked("above")
    world.switch(other)
    left.until_paused()
    left.allow("sub.go")
    until(lambda: left.wrote("sub.done"), what="the subagent's call has come to its end")
    other.resume()
    play_through(world, other, "while")
    assert world.model.asked("below") == [0]
    assert world.model.asked("above") == above
    assert not left.wrote("sub-two")
    world.switch(left)
    left.resume()
    until(lambda: left.wrote("sub-two"), 20, what="the subagent has gone on")
    until(lambda: "ABOVE DONE" in left.screen(), 20, what="and its agent")
