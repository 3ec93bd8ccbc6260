"""The harness itself: OMP without this project, so that a fault of one is not taken for a fault of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.testing import until

from .harness.model_server import Say
from .harness.tools import touch, waiting

if TYPE_CHECKING:
    from .harness.world import World


def test_an_omp_plays_a_script_to_its_end(world: World) -> None:
    agent = world.agent("a")
    script = world.model.play("two", waiting("one"), touch("two"), Say("ALL DONE"))
    agent.prompt(f"go {script}")
    until(lambda: agent.wrote("one.started"), 20, what="the first tool has started")
    agent.allow("one.go")
    until(lambda: "ALL DONE" in agent.screen(), 20, what="the last answer is on the screen")
    assert agent.wrote("two")
    assert world.model.asked("two") == [0, 1, 2]


def test_a_draft_stands_in_the_editor_as_it_was_pasted(world: World) -> None:
    agent = world.agent("a")
    assert agent.draft("one\n  zwei 🙂\nthree").cursor == (2, 5)
