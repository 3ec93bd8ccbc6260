"""Agents that end, come back, or begin a new conversation."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from attention_framework.testing import until

if TYPE_CHECKING:
    from .harness.agent import Agent
    from .harness.world import World


def test_an_omp_that_was_killed_and_started_again_is_not_paused_by_its_old_mailbox(
    world: World, pair: tuple[Agent, Agent]
) -> None:
    left, other = pair
    world.switch(other)
    left.until_paused()
    old = left.mailbox()
    (old / "pending.json").write_text(
        '{"v": 1, "runs": {"focus": {"reason": "old", "deadline_ms": null, "attended": 0}}}'
    )
    os.kill(left.look().pid, signal.SIGKILL)
    until(lambda: not left.is_there(), what="OMP is dead")
    world.switch(left)
    world.host.type(b"\nstty sane\n")
    left.start()
    world.settle()
    assert left.is_running()
    assert not left.look().times("gate-engaged")
    until(lambda: not old.exists(), what="the mailbox of the dead one is removed")
    world.switch(other)
    left.until_paused()


def test_a_new_conversation_in_the_same_omp_is_still_paused(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    before = left.look().session
    left.type("/new")
    until(lambda: left.look().text == "/new", what="the command stands in the editor")
    left.type("\r")
    until(lambda: left.look().session != before, 15, what="a new conversation")
    until(lambda: (left.status() or {}).get("session_file") == left.look().session, 15, what="it says so")
    world.switch(other)
    left.until_paused()
    world.switch(left)
    left.resume()
    left.draft("still the person's editor")


def test_an_omp_that_ends_leaves_nothing(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    left.leave()
    until(lambda: len(list(world.status_files())) == 1, 15, what="only the other one's status file is left")
    world.switch(other)
    world.settle()
    assert len(list(world.state.glob("sessions/*/mailbox/*"))) == 1


def test_uninstall_leaves_no_trace_and_no_pause(world: World, pair: tuple[Agent, Agent]) -> None:
    left, other = pair
    world.attention("uninstall", "--yes")
    assert not (world.home / ".omp/agent/extensions/attention-framework").exists()
    seen = len(world.journal())
    other.world.switch(other)
    until(lambda: world.host.focused() == other.pane, what="switched")
    assert len(world.journal()) == seen
    assert not left.look().paused
