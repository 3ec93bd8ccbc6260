"""Each of the three transports, chosen by one line of the settings, and what it does to a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .harness.world import two_agents

if TYPE_CHECKING:
    from .harness.world import World

DRAFT = "do not touch 🙂\nthis"


@pytest.mark.parametrize("transport", ["omp-prompt", "omp-keys", "omp-mailbox"])
def test_it_pauses_an_agent_whose_editor_is_empty(world: World, transport: str) -> None:
    world.set_up(transport)
    left, other = two_agents(world)
    world.switch(other)
    left.until_paused()
    sent = [line["transport"] for line in world.journal() if line.get("outcome") == "pause-sent"]
    assert set(sent) == {transport}


@pytest.mark.parametrize("transport", ["omp-keys", "omp-mailbox"])
def test_it_leaves_a_draft_as_it_is(world: World, transport: str) -> None:
    world.set_up(transport)
    left, other = two_agents(world)
    left.draft(DRAFT)
    world.switch(other)
    left.until_paused()
    assert left.look().text == DRAFT


def test_the_prompt_transport_submits_a_draft_with_its_command(world: World) -> None:
    world.set_up("omp-prompt")
    left, other = two_agents(world)
    left.draft("rm -rf build && [[never-asked-for]]")
    world.switch(other)
    until(lambda: left.look().text == "", 15, what="the draft is gone from the editor")
    until(
        lambda: world.model.asked("never-asked-for"),
        15,
        what="the model was asked what the person had not submitted",
    )
