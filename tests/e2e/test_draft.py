"""What stands in the editor is the person's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.testing import until

if TYPE_CHECKING:
    from .harness.agent import Agent
    from .harness.world import World

DRAFT = "Dear agent,\n    please  look at „äöü“ 🙂👩‍👩‍👧‍👦 é\n\n  and at \\ $HOME `x` /pause  "


def test_a_draft_of_several_lines_survives_byte_for_byte(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    left.draft(DRAFT)
    left.type("\x1b[D" * 3 + "\x1b[A" * 2)
    until(lambda: (left.look().cursor or (0,))[0] == 1, what="the cursor stands in the middle")
    before = left.look()
    for _ in range(3):
        world.switch(other)
        left.until_paused()
        assert (left.look().text, left.look().cursor) == (before.text, before.cursor)
        world.switch(left)
        left.resume()
        assert (left.look().text, left.look().cursor) == (before.text, before.cursor)
    left.type("X")
    until(lambda: left.look().text != before.text, what="the next key is typed into the draft")
    assert left.look().text.replace("X", "") == before.text.replace("X", "") == DRAFT


def test_what_is_typed_while_the_pause_is_on_its_way_is_not_lost(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    left, other = pair
    left.type("typed up to the last moment")
    world.host.press_focus(other.pane)
    left.until_paused()
    assert left.look().text == "typed up to the last moment"
