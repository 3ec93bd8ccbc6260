"""Agents that brake by themselves, windows that are not in front, and absences that are too short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attention_framework import Action, AgentState, Outcome
from attention_framework.state.memory import load_memory
from attention_framework.testing import hold

if TYPE_CHECKING:
    from attention_framework import FocusMemory

    from .conftest import World


def memory(world: World) -> FocusMemory:
    found = load_memory(world.folder, world.effects.files, pytest.fail)
    assert found is not None
    return found


class TestBrake:
    def test_a_braked_agent_gets_the_request_that_a_running_one_gets(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.agents["w1:p1"].brake()
        decision = world.decisions()["w1:p1"]
        assert (decision.outcome, decision.observed.state) == (Outcome.PAUSE_SENT, AgentState.BRAKED)
        world.agents["w1:p1"].look()
        assert world.agents["w1:p1"].paused
        assert world.outcomes()["w1:p1"] is Outcome.PAUSED

    def test_a_braked_agent_that_may_run_is_asked_for_nothing(self, world: World) -> None:
        world.agents["w1:p1"].brake()
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.LEFT_RUNNING
        assert "lets go by itself" in decision.reason
        assert world.files(world.agents["w1:p1"].mailbox) == []


class TestAway:
    """The host says that the first pane has the focus; its agent has read that the window lost it."""

    @pytest.fixture(autouse=True)
    def away(self, world: World) -> None:
        world.agents["w1:p1"].brake()

    def test_by_default_the_focus_in_the_host_is_the_focus(self, world: World) -> None:
        assert world.outcomes()["w1:p1"] is Outcome.LEFT_RUNNING
        assert memory(world).focused == {"w1:p1"}

    def test_it_pauses_where_the_settings_say_so(self, world: World) -> None:
        world.away_counts = True
        decision = world.decisions()["w1:p1"]
        assert (decision.outcome, decision.runs) == (Outcome.PAUSE_SENT, ("focus",))
        assert decision.reason.startswith("the window is not in front")
        assert memory(world).focused == frozenset()
        world.agents["w1:p1"].look()
        assert world.agents["w1:p1"].paused

    def test_whoever_comes_back_before_the_request_is_made_is_not_asked(self, world: World) -> None:
        world.away_counts = True
        looks: list[int] = []

        def come_back_before_the_second_look() -> None:
            looks.append(1)
            if len(looks) == 2:
                world.agents["w1:p1"].attend()

        world.host.before_snapshot = come_back_before_the_second_look
        assert world.outcomes()["w1:p1"] is Outcome.NOW_FOCUSED

    def test_the_agent_in_another_pane_is_told_the_reason(self, world: World) -> None:
        world.away_counts = True
        world.agents["w1:p2"].resume_by_hand()
        assert world.decisions()["w1:p2"].reason.startswith("the window is not in front")

    def test_a_report_of_a_pane_that_is_not_focused_changes_nothing(self, world: World) -> None:
        world.away_counts = True
        world.host.focus("w1:p3")
        assert "w1:p3 has the focus" in world.decisions()["w1:p1"].reason
        assert memory(world).focused == {"w1:p3"}


class TestSettle:
    @pytest.fixture(autouse=True)
    def switch(self, world: World) -> None:
        world.settle_ms = 1_000
        world.host.focus("w1:p2")

    def test_a_short_absence_is_no_reason_to_ask(self, world: World) -> None:
        report = world.cycle()
        (decision,) = (each for each in report.decisions if each.pane == "w1:p1")
        assert (decision.outcome, decision.action) == (Outcome.LEFT_RUNNING, Action.PAUSE)
        assert "it is asked in 1.00 s" in decision.reason
        assert report.again_ms == 1_000
        assert memory(world).again_at_ms == world.clock.wall_ms() + 1_000
        assert world.files(world.agents["w1:p1"].mailbox) == []

    def test_time_that_has_passed_counts(self, world: World) -> None:
        world.cycle()
        world.clock.advance(400)
        assert world.cycle().again_ms == 600

    def test_it_is_asked_once_the_absence_is_long_enough(self, world: World) -> None:
        world.cycle()
        world.clock.advance(1_000)
        report = world.cycle()
        assert report.again_ms is None
        assert memory(world).again_at_ms is None
        assert {each.pane: each.outcome for each in report.decisions}["w1:p1"] is Outcome.PAUSE_SENT

    def test_whoever_is_back_in_time_is_never_asked(self, world: World) -> None:
        world.cycle()
        world.clock.advance(400)
        world.host.focus("w1:p1")
        assert world.cycle().again_ms is None
        world.clock.advance(1_000)
        assert world.outcomes()["w1:p1"] is Outcome.LEFT_RUNNING

    def test_a_break_does_not_wait(self, world: World) -> None:
        world.holds.take(hold("b-1"))
        report = world.cycle()
        assert report.again_ms is None
        assert {each.pane: each.outcome for each in report.decisions}["w1:p1"] is Outcome.PAUSE_SENT

    def test_a_clock_that_is_set_back_keeps_nobody_waiting(self, world: World) -> None:
        world.cycle()
        world.clock.set_wall(world.clock.wall_ms() - 3_600_000)
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT

    def test_a_memory_of_an_earlier_version_keeps_nobody_waiting(self, world: World) -> None:
        world.cycle()
        path = world.folder.focus
        content = world.effects.files.read(path).replace(b'"left"', b'"later"')
        world.effects.files.write(path, content)
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT
