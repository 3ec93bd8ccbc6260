"""Many changes at once, and the person in the middle of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from attention_framework.testing import until

from .harness.world import two_agents

if TYPE_CHECKING:
    from .harness.agent import Agent
    from .harness.world import World

SWITCHES = 30


def nothing_more_happens(world: World) -> None:
    """Every wake-up is handled, and one more cycle finds nothing to do."""
    world.settle()
    world.attention("reconcile")
    world.settle()


def test_thirty_switches_end_in_the_right_state(world: World, pair: tuple[Agent, Agent]) -> None:
    agents = [*pair, world.agent("c")]
    for number in range(SWITCHES):
        world.host.press_focus(agents[number % 3].pane)
    last = agents[(SWITCHES - 1) % 3]
    until(lambda: world.host.focused() == last.pane, what="the last switch")
    nothing_more_happens(world)
    for agent in agents:
        if agent is not last:
            agent.until_paused()
    if last.look().paused:  # It was left in between, and stays paused until the person resumes it.
        last.until_paused()
        last.resume()
    nothing_more_happens(world)
    assert last.is_running(), "paused under the eyes of the person"


def test_who_is_focused_at_the_end_and_was_not_left_runs(world: World, pair: tuple[Agent, Agent]) -> None:
    for number in range(SWITCHES):
        world.host.press_focus(pair[number % 2].pane)
    last = world.agent("c")
    nothing_more_happens(world)
    assert last.is_running()
    assert not last.look().times("gate-engaged"), "not even for a moment"
    for agent in pair:
        agent.until_paused()


def test_away_and_back_again_at_once_never_pauses_what_was_resumed(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    here, there = pair
    for _ in range(5):
        world.host.press_focus(there.pane)
        world.host.press_focus(here.pane)
        world.host.type(b" ")  # The person goes on: into the editor, or on a pause screen to resume.
        until(lambda: world.host.focused() == here.pane, what="back")
        world.settle()
        if here.look().paused:
            here.until_paused()
            here.resume()
        nothing_more_happens(world)
        assert here.is_running()
    there.until_paused()


def test_a_person_who_resumes_under_a_manual_pause_is_not_asked_again(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    here, there = pair
    world.attention("pause", "--all")
    here.until_paused()
    here.resume()
    nothing_more_happens(world)
    assert here.is_running()
    assert there.is_paused()
    world.attention("resume", "--all")
    nothing_more_happens(world)
    assert here.is_running()
    assert there.is_paused(), "it has lost the focus all the same"


def test_a_request_that_comes_late_does_not_pause_under_the_eyes_of_the_person(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    """As by a controller that was held up between its look and its letter."""
    here, _ = pair
    status = here.status()
    assert status is not None
    engaged = here.look().times("gate-engaged")
    late = {"reason": "left long ago", "deadline_ms": None, "attended": status["attended"] - 1}
    letter = here.mailbox() / "pending.json"
    letter.with_name(".letter").write_text(json.dumps({"v": 1, "runs": {"focus": late}, "written_ms": 0}))
    letter.with_name(".letter").replace(letter)
    until(lambda: not list(here.mailbox().glob("pending.json*")), what="the request has been dealt with")
    assert here.is_running()
    assert here.look().times("gate-engaged") == engaged


def test_a_pause_arrives_without_the_nudge_key(world: World) -> None:
    world.set_up(more='\n[strategy.omp-mailbox]\nnudge = ""\n')
    left, other = two_agents(world)
    world.switch(other)
    left.until_paused()
