"""The oldest and the newest OMP that are supported, and one that is too old."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

from .harness.model_server import Say
from .harness.programs import omp_folder
from .harness.tools import touch, waiting
from .harness.world import two_agents

if TYPE_CHECKING:
    from .harness.world import World

DRAFT = "a draft 🙂\nof two lines"


@pytest.mark.parametrize(
    "version", [pytest.param(name, marks=pytest.mark.omp(name)) for name in ("omp-oldest", "omp-newest")]
)
def test_a_supported_omp_is_paused_in_mid_work_and_goes_on(world: World, version: str) -> None:
    assert omp_folder(version) == world.omp
    world.set_up()
    left, other = two_agents(world)
    script = world.model.play("work", waiting("one"), touch("two"), Say("WORK DONE"))
    left.prompt(f"go {script}")
    until(lambda: left.wrote("one.started"), 20, what="the call is in flight")
    left.draft(DRAFT)
    world.switch(other)
    left.until_paused()
    left.allow("one.go")
    until(lambda: left.wrote("one.done"), what="the call in flight has come to its end")
    assert left.look().text == DRAFT
    assert not left.wrote("two")
    world.switch(left)
    left.resume()
    until(lambda: "WORK DONE" in left.screen(), 20, what="the agent has gone on")
    assert left.look().text == DRAFT


def test_an_omp_that_is_too_old_is_left_alone_and_says_so(world: World) -> None:
    """As after going back to an older OMP: the extension is still there."""
    world.set_up()
    world.omp = omp_folder("omp-too-old")
    old = world.agent("a", program=f"{world.omp}/omp")
    status = old.status()
    assert status is not None
    assert status["state"] == "unsupported"
    assert "attention" in old.screen()
    world.host.open()
    script = world.model.play("work", touch("one"), touch("two"), Say("WORK DONE"))
    world.switch(old)
    old.prompt(f"go {script}")
    world.host.focus(world.host.first_pane())
    until(lambda: "WORK DONE" in old.screen(), 30, what="it works on, whoever has the focus")
    assert not old.look().paused
