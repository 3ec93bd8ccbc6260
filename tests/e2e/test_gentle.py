"""The gentle pause: one line instead of the pause screen, and an editor that stays usable."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .harness.agent import ACT_WITHIN_S
from .harness.model_server import Say
from .harness.tools import touch, waiting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .harness.agent import Agent
    from .harness.world import World

LINE = re.compile(r"attention: paused since \d\d:\d\d:\d\d - Ctrl\+Alt\+R resumes, your prompts wait")
RESUME = "\x1b\x12"
GENTLY = '\n[strategy.omp-mailbox]\nshow = "line"\n'


def is_gently_paused(agent: Agent) -> bool:
    """By its own word, by its gate, and by what its pane shows."""
    status, seen = agent.status(), agent.look()
    said = status is not None and (status["state"], status["shown"]) == ("paused", "line")
    return said and seen.paused and not seen.painted and bool(LINE.search(agent.screen()))


def until_gently_paused(agent: Agent) -> None:
    until(lambda: is_gently_paused(agent), ACT_WITHIN_S, what=f"{agent.name} is paused, and a line says so")


def until_it_runs(agent: Agent) -> None:
    agent.until_running()
    until(lambda: not LINE.search(agent.screen()), ACT_WITHIN_S, what="the line is gone")


@pytest.fixture
def gentle(world: World) -> Iterator[tuple[Agent, Agent]]:
    """The first has the focus and runs, the second is gently paused."""
    world.set_up(more=GENTLY)
    first, second = world.agent("a"), world.agent("b")
    until_gently_paused(first)
    world.switch(first)
    first.type(RESUME)
    until_it_runs(first)
    until_gently_paused(second)
    yield first, second
    world.attention("stop")


def test_the_draft_is_kept_and_goes_on_while_it_is_paused(world: World, gentle: tuple[Agent, Agent]) -> None:
    left, other = gentle
    before = left.draft("a draft\nof two lines")
    world.switch(other)
    until_gently_paused(left)
    print(left.screen())
    assert left.look().text == before.text
    world.switch(left)
    left.type(" and more")
    until(lambda: left.look().text == before.text + " and more", ACT_WITHIN_S, what="what is typed is there")
    assert is_gently_paused(left), "typing ends no pause"
    left.type(RESUME)
    until_it_runs(left)
    after = left.look()
    assert (after.text, after.editor_focused) == (before.text + " and more", True)


def test_no_tool_starts_until_the_person_resumes_by_the_key(
    world: World, gentle: tuple[Agent, Agent]
) -> None:
    left, other = gentle
    script = world.model.play("work", waiting("one"), touch("two"), Say("WORK DONE"))
    left.prompt(f"go {script}")
    until(lambda: left.wrote("one.started"), 20, what="the call is in flight")
    world.switch(other)
    until_gently_paused(left)
    seen = len(left.look().events)
    left.allow("one.go")
    until(
        lambda: "turn_end" in left.look().after(seen), 20, what="the call in flight has ended, and the turn"
    )
    world.switch(left)
    world.settle()
    assert is_gently_paused(left)
    assert world.model.asked("work") == [0]
    assert not [event for event in left.look().after(seen) if event.startswith("tool_execution_start")]
    left.type(RESUME)
    until(lambda: "WORK DONE" in left.screen(), 20, what="the agent has gone on to its end")
    assert left.wrote("two")


def test_a_prompt_that_is_sent_meanwhile_waits_and_is_answered_afterwards(
    world: World, gentle: tuple[Agent, Agent]
) -> None:
    left, other = gentle
    world.switch(other)
    until_gently_paused(left)
    world.switch(left)
    script = world.model.play("later", touch("later"), Say("LATER DONE"))
    seen = len(left.look().events)
    left.prompt(f"go {script}")
    until(lambda: "agent_start" in left.look().after(seen), ACT_WITHIN_S, what="OMP has taken the prompt")
    assert is_gently_paused(left)
    assert world.model.asked("later") == []
    left.type(RESUME)
    until(lambda: "LATER DONE" in left.screen(), 20, what="it is answered")


def test_a_command_ends_it_and_the_acknowledgement_says_what_was_shown(
    world: World, gentle: tuple[Agent, Agent]
) -> None:
    left, other = gentle
    world.switch(other)
    until_gently_paused(left)
    assert '"shown":"line"' in (left.mailbox() / "ack.json").read_text()
    assert "by a line" in world.attention("status")
    assert "shown by a line" in world.attention("explain", left.pane)
    world.switch(left)
    world.settle()
    world.attention("resume", left.pane)
    until_it_runs(left)
    assert not (left.mailbox() / "ack.json").exists()


def test_a_typed_pause_turns_it_into_the_persons_own(world: World, gentle: tuple[Agent, Agent]) -> None:
    left, other = gentle
    world.switch(other)
    until_gently_paused(left)
    world.switch(left)
    left.type("/pause")
    until(lambda: left.look().text == "/pause", ACT_WITHIN_S, what="the command stands in the editor")
    left.type("\r")
    left.until_paused()
    status = left.status()
    assert status is not None
    assert (status["by"], status["shown"]) == ("person", "overlay")
    left.resume()


def test_an_external_editor_delays_it_and_is_never_reported_as_one(
    world: World, gentle: tuple[Agent, Agent]
) -> None:
    left, other = gentle
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
    assert not left.look().paused
    left.allow("editor.go")
    until_gently_paused(left)
    assert left.look().text.startswith("a draft")


def test_a_full_screen_of_omp_covers_the_line_so_nothing_is_acknowledged(
    world: World, gentle: tuple[Agent, Agent]
) -> None:
    left, other = gentle
    left.type("/settings")
    until(lambda: left.look().text == "/settings", what="the command stands in the editor")
    left.type("\r")
    until(lambda: not left.look().editor_focused, what="the settings are open")
    world.switch(other)
    until(
        lambda: ((left.status() or {}).get("problem") or {}).get("code") == "not-painted",
        15,
        what="it says why",
    )
    assert not (left.mailbox() / "ack.json").exists()
    status = left.status()
    assert status is not None
    assert status["state"] != "paused"
    assert (left.mailbox() / "pending.json").exists() or list(left.mailbox().glob("pending.json.*.claim"))


def test_another_session_in_the_same_process_brings_the_line_back(
    world: World, gentle: tuple[Agent, Agent]
) -> None:
    left, other = gentle
    world.switch(other)
    until_gently_paused(left)
    world.switch(left)
    left.type("/new")
    until(lambda: left.look().text == "/new", ACT_WITHIN_S, what="the command stands in the editor")
    left.type("\r")
    until(lambda: left.look().text == "", ACT_WITHIN_S, what="the command is carried out")
    until_gently_paused(left)


def test_the_line_is_seen_by_a_detector_that_reads_the_screen(
    world: World, gentle: tuple[Agent, Agent]
) -> None:
    left, other = gentle
    left.draft("a draft")
    world.switch(other)
    until_gently_paused(left)
    settings = world.settings.read_text()
    world.settings.write_text(settings.replace("[agents.omp]", '[agents.omp]\ndetector = ["omp-screen"]'))
    told = world.attention("explain", left.pane)
    assert "omp-screen" in told
    assert "the line above the prompt editor" in told
