"""The focus moves, and the agent that was left pauses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .harness.ways import both_ways
from .harness.world import two_agents

if TYPE_CHECKING:
    from .harness.agent import Agent
    from .harness.world import World


@both_ways
def test_a_switch_pauses_the_agent_left_behind(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    world.switch(other)
    left.until_paused()
    assert other.look().paused, "what was paused stays so until the person resumes it"
    other.resume()
    assert left.is_paused()


@pytest.mark.parametrize("render_delay_ms", [0, 300])
def test_it_acknowledges_only_after_the_pause_screen_is_painted(world: World, render_delay_ms: int) -> None:
    world.set_up()
    left, other = two_agents(world, render_delay_ms)
    before = len(left.look().times("screen-shown"))
    world.switch(other)
    left.until_paused()
    ack = json.loads((left.mailbox() / "ack.json").read_text())
    events = left.look()
    [shown] = events.times("screen-shown")[before:]
    assert events.times("gate-engaged")[-1] <= shown <= ack["shown_ms"]
    assert ack["runs"] == ["focus"]
    assert ack["shown"] == "overlay"


@both_ways
def test_the_journal_tells_why_with_the_time_of_each_step(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    seen = len(world.journal())
    world.switch(other)
    left.until_paused()

    def outcomes() -> dict[str, str]:
        lines = [line for line in world.journal()[seen:] if line["type"] == "decision"]
        return {line["outcome"]: line["policy"] for line in lines if line["pane"] == left.pane}

    until(lambda: "paused" in outcomes(), 15, what="the confirmation is in the journal")
    assert outcomes()["pause-sent"] == "focused"
    cycles = [line for line in world.journal()[seen:] if line["type"] == "cycle"]
    steps = {"snapshot", "judge", "observe"} | (set() if world.resident else {"process-start"})
    assert all(set(cycle["steps"]) >= steps for cycle in cycles)
    assert any(
        "window-pane-changed" in cycle["trigger"] or "pane.focused" in cycle["trigger"] for cycle in cycles
    )


@both_ways
def test_a_new_agent_pauses_the_others_and_not_itself(world: World) -> None:
    world.set_up()
    first = world.agent("a")
    first.until_running()
    second = world.agent("b")
    first.until_paused()
    world.settle()
    assert second.is_running()
    third = world.agent("c")
    second.until_paused()
    world.settle()
    assert third.is_running()
    assert first.is_paused()


def test_the_agent_in_a_pane_that_is_closed_is_forgotten(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    world.host.close(left.pane)
    until(lambda: world.host.focused() == other.pane, what="the focus has moved on")
    until(lambda: len(list(world.status_files())) == 1, 15, what="the status file of the dead agent is gone")
    other.resume()


def test_the_status_command_says_who_runs_and_why_the_other_one_does_not(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    focused, other = pair
    agents = {agent["pane"]: agent for agent in json.loads(world.attention("status", "--json"))["agents"]}
    assert agents[focused.pane]["state"] == "running"
    assert agents[other.pane]["state"] == "paused"
    assert agents[other.pane]["runs"] == ["focus"]
    assert agents[focused.pane]["focused"] is True
