"""Something else than the editor has the screen when the pause comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .harness.model_server import Say
from .harness.omp_home import write_home
from .harness.tools import ask, touch
from .harness.world import two_agents

if TYPE_CHECKING:
    from .harness.agent import Agent
    from .harness.world import World

ESCAPE = "\x1b"


@pytest.fixture
def asking_pair(world: World) -> tuple[Agent, Agent]:
    """OMP asks before it runs a tool, and an agent that waits for an answer may be paused too."""
    write_home(world.home, world.model.url, approval="always-ask")
    world.set_up(statuses='["idle", "working", "done", "blocked"]')
    return two_agents(world)


def leave_and_return(world: World, left: Agent, other: Agent) -> None:
    world.switch(other)
    left.until_paused()
    world.switch(left)
    left.resume()


def test_the_model_picker_is_usable_afterwards(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    left.type("/model")
    until(lambda: left.look().text == "/model", what="the command stands in the editor")
    left.type("\r")
    until(lambda: "All available models" in left.screen(), what="the picker is open")
    leave_and_return(world, left, other)
    until(lambda: "All available models" in left.screen(), what="the picker is on the screen again")
    assert not left.look().editor_focused
    left.type(ESCAPE)
    until(lambda: left.look().editor_focused, what="the picker takes keys and closes")
    left.draft("typed afterwards")


def test_a_question_of_the_agent_is_answered_afterwards(
    world: World, asking_pair: tuple[Agent, Agent]
) -> None:
    left, other = asking_pair
    script = world.model.play("ask", ask("Which one?", "Alpha", "Beta"), Say("ASK DONE"))
    left.prompt(f"go {script}")
    until(
        lambda: "Alpha" in left.screen() and not left.look().editor_focused, 20, what="the question is asked"
    )
    leave_and_return(world, left, other)
    until(lambda: "Alpha" in left.screen(), what="the question is on the screen again")
    assert world.model.asked("ask") == [0]
    left.type("\r")
    until(lambda: "ASK DONE" in left.screen(), 20, what="the answer has arrived")


def test_an_approval_is_given_afterwards(world: World, asking_pair: tuple[Agent, Agent]) -> None:
    left, other = asking_pair
    script = world.model.play("approve", touch("approved"), Say("APPROVE DONE"))
    left.prompt(f"go {script}")
    until(lambda: not left.look().editor_focused, 20, what="OMP asks for approval")
    leave_and_return(world, left, other)
    assert not left.wrote("approved")
    assert not left.look().editor_focused
    left.type("\r")
    until(lambda: "APPROVE DONE" in left.screen(), 20, what="the tool was approved")
    assert left.wrote("approved")


def test_an_approval_given_under_the_focus_of_another_pane_is_impossible(
    world: World, asking_pair: tuple[Agent, Agent]
) -> None:
    left, other = asking_pair
    script = world.model.play("approve", touch("approved"), Say("APPROVE DONE"))
    left.prompt(f"go {script}")
    until(lambda: not left.look().editor_focused, 20, what="OMP asks for approval")
    world.switch(other)
    left.until_paused()
    world.host.press_focus(left.pane)
    until(lambda: world.host.focused() == left.pane, what="back")
    left.type("y")
    assert left.look().paused
    assert not left.wrote("approved")


def test_an_external_editor_delays_the_pause_and_is_never_reported_as_one(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    left, other = pair
    left.draft("a draft")
    left.type("\x07")
    until(lambda: left.wrote("editor.started"), what="the external editor runs")
    world.switch(other)
    until(
        lambda: ((left.status() or {}).get("problem") or {}).get("code") == "not-painted",
        15,
        what="it says why",
    )
    status = left.status()
    assert status is not None
    assert status["state"] == "running"
    assert not (left.mailbox() / "ack.json").exists()
    assert not left.look().paused, "a gate without a screen that says so would be a trap"
    left.allow("editor.go")
    left.until_paused()
    assert left.look().text.startswith("a draft")
    world.switch(left)
    left.resume()
    assert "edited" in left.look().text
