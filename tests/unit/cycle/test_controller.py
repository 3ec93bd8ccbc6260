"""Whole cycles: what a switch, a break and the person's own hand lead to."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import (
    Allowance,
    Delivery,
    HostUnavailable,
    InstallRefused,
    Outcome,
    Run,
    Verdict,
)
from attention_framework.cycle.badges import BADGE_TTL_MS
from attention_framework.state.allowances import save_allowance
from attention_framework.state.deliveries import load_records
from attention_framework.testing import SESSION, START_MS, hold, pane, scope

if TYPE_CHECKING:
    from .conftest import World


def pending(world: World, pane_id: str) -> dict[str, Any] | None:
    """The request that lies in the mailbox of the pane's agent."""
    path = world.agents[pane_id].mailbox / "pending.json"
    return json.loads(world.effects.files.read(path)) if world.effects.files.exists(path) else None


class TestSwitch:
    def test_the_pane_that_was_left_is_asked_to_pause_and_the_focused_one_is_not(self, world: World) -> None:
        world.host.focus("w1:p2")
        assert world.outcomes() == {"w1:p1": Outcome.PAUSE_SENT, "w1:p2": Outcome.ALREADY_PAUSED}
        request = pending(world, "w1:p1")
        assert request is not None
        assert request["runs"] == {
            "focus": {"reason": "w1:p2 has the focus", "deadline_ms": None, "attended": 0}
        }
        assert world.host.panes["w1:p1"].keys[-1] == "f12"

    def test_the_pause_counts_once_the_agent_has_said_so(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.cycle()
        world.agents["w1:p1"].look()
        world.clock.advance(30)
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.PAUSED
        assert decision.steps == (("confirm", 30.0),)
        assert world.outcomes()["w1:p1"] is Outcome.ALREADY_PAUSED, "it is confirmed once"

    def test_a_pause_with_a_call_in_flight_counts_and_says_so(self, world: World) -> None:
        world.agents["w1:p1"].calls = [{"name": "bash", "since_ms": START_MS}]
        world.host.focus("w1:p2")
        world.settle()
        decision = world.decisions()["w1:p1"]
        assert decision.observed.state == "pausing"
        assert [call.name for call in decision.observed.calls] == ["bash"]

    def test_the_one_in_front_is_not_resumed_by_coming_back_unless_asked_for(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.settle()
        world.host.focus("w1:p1")
        world.settle()
        assert world.agents["w1:p1"].paused
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.ALREADY_PAUSED
        assert "until the person resumes it" in decision.reason

    def test_the_focus_on_a_pane_without_an_agent_pauses_all(self, world: World) -> None:
        world.host.focus("w1:p3")
        world.settle()
        assert all(agent.paused for agent in world.agents.values())
        assert set(world.outcomes()) == {"w1:p1", "w1:p2"}

    def test_an_agent_that_nobody_told_the_settings_about_is_no_candidate(self, world: World) -> None:
        world.change("w1:p1", agent="stranger")
        world.host.focus("w1:p2")
        assert "w1:p1" not in world.outcomes()

    def test_a_status_that_is_left_alone_is_not_paused(self, world: World) -> None:
        world.change("w1:p1", status="blocked")
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.LEFT_RUNNING
        world.change("w1:p1", status="working")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT

    def test_the_cycle_after_a_crashed_one_does_the_same_again(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.effects.files.remove(world.folder.deliveries)
        world.cycle()
        world.effects.files.remove(world.folder.deliveries)
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT


class TestReadFirst:
    def test_a_proof_of_presence_after_the_hello_was_read_voids_the_pause(self, world: World) -> None:
        agent = world.agents["w1:p1"]
        world.host.before_snapshot = agent.attend  # The person comes back while the host is asked.
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT
        request = pending(world, "w1:p1")
        assert request is not None
        assert request["runs"]["focus"]["attended"] == 0 < agent.attended
        agent.look()
        assert not agent.paused

    def test_the_count_is_that_of_the_first_reading_also_when_the_status_is_read_again(
        self, world: World
    ) -> None:
        counted = []
        judge = world.policies[-1].judge

        def attend_after_judging(pane: Any, view: Any) -> Any:
            verdict = judge(pane, view)
            if pane.id == "w1:p1":
                world.agents["w1:p1"].attend()
                counted.append(pane.hello.attended)
            return verdict

        world.policies[-1].judge = attend_after_judging  # type: ignore[method-assign]
        world.host.focus("w1:p2")
        world.cycle()
        request = pending(world, "w1:p1")
        assert request is not None
        assert request["runs"]["focus"]["attended"] == counted[0] == 0


class TestRecheck:
    def look_twice(self, world: World, second: Any) -> None:
        """Do something before the second snapshot of the next cycle."""
        looks: list[int] = []

        def before_snapshot() -> None:
            looks.append(1)
            if len(looks) == 2:
                second()

        world.host.before_snapshot = before_snapshot

    def test_a_pane_that_is_focused_again_is_not_asked(self, world: World) -> None:
        world.host.focus("w1:p2")
        self.look_twice(world, lambda: world.host.focus("w1:p1"))
        assert world.outcomes()["w1:p1"] is Outcome.NOW_FOCUSED
        assert pending(world, "w1:p1") is None

    def test_a_focus_that_is_no_longer_known_pauses_nobody(self, world: World) -> None:
        world.host.focus("w1:p2")
        self.look_twice(world, lambda: setattr(world.host, "focus_known", False))
        assert world.outcomes()["w1:p1"] is Outcome.NOW_FOCUSED
        assert pending(world, "w1:p1") is None

    def test_if_the_host_goes_in_between_nothing_is_done_and_it_is_said(self, world: World) -> None:
        world.host.focus("w1:p2")
        self.look_twice(world, lambda: setattr(world.host, "down", True))
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.READ_FAILED
        assert "no fake host answers" in decision.reason
        assert pending(world, "w1:p1") is None

    def test_a_cycle_that_does_nothing_looks_once(self, world: World) -> None:
        before = world.host.snapshots
        world.cycle()
        assert world.host.snapshots == before + 1

    def test_a_pane_that_goes_in_between_is_asked_in_vain(self, world: World) -> None:
        world.host.focus("w1:p2")
        self.look_twice(world, lambda: world.host.remove("w1:p1"))
        decision = world.decisions()["w1:p1"]
        assert "nudge failed" in decision.reason


class TestFocusUnknown:
    def test_nobody_is_paused_and_the_memory_stays(self, world: World) -> None:
        before = world.effects.files.read(world.folder.focus)
        world.host.focus("w1:p3")
        world.host.focus_known = False
        assert world.outcomes()["w1:p1"] is Outcome.LEFT_RUNNING
        assert world.effects.files.read(world.folder.focus) == before

    def test_a_break_pauses_all_the_same(self, world: World) -> None:
        world.host.focus_known = False
        world.holds.take(hold())
        world.settle()
        assert all(agent.paused for agent in world.agents.values())


class TestHolds:
    def test_a_break_pauses_the_focused_one_too(self, world: World) -> None:
        world.holds.take(hold("b-1"))
        world.settle()
        assert world.agents["w1:p1"].runs == ("b-1",)
        assert {agent.paused for agent in world.agents.values()} == {True}

    def test_a_hold_of_one_pane_pauses_no_other(self, world: World) -> None:
        world.host.focus("w1:p1", "w1:p2")
        agent = world.agents["w1:p2"]
        agent.resume_by_hand()
        world.holds.take(hold("m-1", kind="manual", scope=scope("w1:p2")))
        world.settle()
        assert agent.paused
        assert not world.agents["w1:p1"].paused

    def test_a_hold_reaches_a_pane_by_the_id_that_it_had_before_it_moved(self, world: World) -> None:
        world.holds.take(hold("m-1", scope=scope("w1:p1")))
        world.host.move("w1:p1", "w2:p9")
        world.settle()
        assert world.agents["w1:p1"].paused

    def test_whoever_the_person_resumed_during_a_break_is_left_alone(self, world: World) -> None:
        world.holds.take(hold("b-1"))
        world.settle()
        world.agents["w1:p1"].resume_by_hand()
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.WAIVED
        assert "b-1" in decision.reason
        world.holds.take(hold("b-2"))
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT, "the next break counts again"

    def test_a_hold_past_its_deadline_is_removed_and_handed_to_the_observers(self, world: World) -> None:
        world.holds.take(hold("b-1", deadline_ms=START_MS + 1_000))
        world.clock.advance(1_000)
        controller = world.controller
        from attention_framework.cycle.steps import Stopwatch

        controller.cycle(world.host, SESSION, "test", Stopwatch(world.clock))
        assert [expired.run for expired in controller.expired] == ["b-1"]
        assert world.holds.all() == []
        assert not world.agents["w1:p1"].paused

    def test_a_request_whose_hold_has_ended_is_withdrawn(self, world: World) -> None:
        world.holds.take(hold("b-1"))
        world.cycle()
        world.holds.release("b-1")
        assert world.outcomes()["w1:p1"] is Outcome.RELEASED
        request = pending(world, "w1:p1")
        assert request is not None
        assert request["runs"] == {}
        world.agents["w1:p1"].look()
        assert world.outcomes()["w1:p1"] is Outcome.LEFT_RUNNING

    def test_a_request_that_a_crashed_cycle_left_behind_is_withdrawn_too(self, world: World) -> None:
        world.holds.take(hold("b-1"))
        world.cycle()
        world.effects.files.remove(world.folder.deliveries)
        world.holds.release("b-1")
        assert world.outcomes()["w1:p1"] is Outcome.RELEASED

    def test_a_pane_without_focus_stays_paused_when_its_break_ends(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.holds.take(hold("b-1"))
        world.settle()
        assert set(world.agents["w1:p1"].runs) == {"b-1", "focus"}
        world.holds.release("b-1")
        world.settle()
        assert world.agents["w1:p1"].paused


class TestGiveBack:
    def test_the_focus_gives_back_what_its_loss_had_paused(self, world: World, give_back: Any) -> None:
        world.policies = give_back
        world.host.focus("w1:p2")
        world.settle()
        assert not world.agents["w1:p2"].paused, "paused at the start, given back by the focus"
        world.host.focus("w1:p1")
        assert world.outcomes()["w1:p1"] is Outcome.RESUMED
        world.settle()
        assert not world.agents["w1:p1"].paused
        assert world.agents["w1:p2"].paused

    def test_it_gives_back_no_pause_of_the_persons(self, world: World, give_back: Any) -> None:
        world.policies = give_back
        world.agents["w1:p2"].resume_by_hand()
        world.agents["w1:p2"].pause_by_hand()
        world.host.focus("w1:p2")
        world.settle()
        assert world.agents["w1:p2"].paused

    def test_nothing_is_resumed_that_lost_the_focus_in_between(self, world: World, give_back: Any) -> None:
        world.policies = give_back
        world.host.focus("w1:p2")
        looks: list[int] = []

        def leave_at_the_second_look() -> None:
            looks.append(1)
            if len(looks) == 2:
                world.host.focus("w1:p3")

        world.host.before_snapshot = leave_at_the_second_look
        assert world.outcomes()["w1:p2"] is Outcome.ALREADY_PAUSED
        world.agents["w1:p2"].look()
        assert world.agents["w1:p2"].paused


class TestFocusAlone:
    """A host that tells its focus alone is asked for no second snapshot."""

    def act(self, world: World, focus: object) -> Outcome:
        def focus_now(session: object) -> object:
            if isinstance(focus, Exception):
                raise focus
            return focus

        world.host.focus_now = focus_now  # type: ignore[attr-defined]
        world.host.focus("w1:p2")
        before = world.host.snapshots
        outcome = world.outcomes()["w1:p1"]
        assert world.host.snapshots == before + 1
        return outcome

    def test_it_decides_whether_a_request_goes_out(self, world: World) -> None:
        assert self.act(world, frozenset({"w1:p2"})) is Outcome.PAUSE_SENT

    def test_one_that_has_come_back_is_left_alone(self, world: World) -> None:
        assert self.act(world, frozenset({"w1:p1"})) is Outcome.NOW_FOCUSED

    def test_one_that_is_no_longer_known_asks_for_nothing(self, world: World) -> None:
        assert self.act(world, None) is Outcome.NOW_FOCUSED

    def test_a_host_that_fails_asks_for_nothing(self, world: World) -> None:
        assert self.act(world, HostUnavailable("gone")) is Outcome.READ_FAILED


class TestAgents:
    def test_one_that_has_not_said_hello_is_refused_with_the_way_out(self, empty_world: World) -> None:
        empty_world.host.focus("w1:p3")
        empty_world.policies = empty_world.policies[-1:]  # Without hello every agent would be new.
        decision = empty_world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.REFUSED
        assert "is its extension installed" in decision.reason

    def test_one_that_cannot_be_paused_is_refused_with_its_reason(self, world: World) -> None:
        agent = world.agents["w1:p1"]
        agent.state, agent.problem = "unsupported", {"code": "too-old", "text": "needs 18.1.16"}
        agent.attend()
        world.host.focus("w1:p2")
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.REFUSED
        assert "too-old: needs 18.1.16" in decision.reason

    def test_what_a_dead_one_left_is_removed(self, world: World) -> None:
        agent = world.agents["w1:p1"]
        world.memory.processes.end(agent.pid)
        world.cycle()
        assert world.files(world.folder.agents) == ["w1%3Ap2.102.json"]
        assert world.files(agent.mailbox) == []

    def test_a_broken_status_file_is_reported_and_counts_as_no_hello(self, world: World) -> None:
        world.disk.put(world.folder.agent(world.agents["w1:p1"].file), b'{"v": 1, "agent": "omp"')
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.REFUSED
        assert any("w1%3Ap1.101.json is not JSON" in sentence for sentence in world.said)

    def test_a_status_file_that_breaks_between_two_readings_is_taken_as_it_was(self, world: World) -> None:
        path = world.folder.agent(world.agents["w1:p1"].file)
        world.host.focus("w1:p2")
        world.host.before_snapshot = lambda: world.disk.put(path, b"{")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT

    def test_two_that_claim_one_pane_are_left_alone_and_it_is_said(self, world: World) -> None:
        world.agents["other"] = world.agent("w1:p1", 103)
        world.host.focus("w1:p2")
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.REFUSED
        assert "101, 103" in decision.reason
        assert all(agent.state == "running" for agent in (world.agents["other"],))

    def test_a_nested_one_stands_back(self, world: World) -> None:
        outer = world.agents["w1:p1"]
        world.agents["nested"] = world.agent("w1:p1", 103, parent=101)
        world.agents["w1:p1"] = outer
        world.host.focus("w1:p2")
        world.settle()
        assert outer.paused
        assert not world.agents["nested"].paused

    def test_a_new_one_is_spared_until_the_next_switch(self, world: World) -> None:
        world.host.add(pane("w1:p4"))
        world.agent("w1:p4", 104)
        assert world.decisions()["w1:p4"].policy == "origin"
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p4"] is Outcome.PAUSE_SENT

    def test_what_was_asked_of_one_is_not_held_against_the_next_in_its_pane(
        self, world: World, fake_transport: Any
    ) -> None:
        keys = fake_transport("keys", Delivery.sent(), retry_after_s=60.0)
        world.transports = [keys]
        world.host.focus("w1:p2")
        world.cycle()
        world.memory.processes.end(101)
        world.agent("w1:p1", 105)
        world.host.focus("w1:p3")  # Else it would be spared as new.
        world.cycle()
        assert keys.asked == [("focus",), ("focus",)]

    def test_an_agent_that_has_ended_leaves_no_request_to_its_pane(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.cycle()
        world.change("w1:p1", agent=None)
        world.memory.processes.end(101)
        world.cycle()
        records = load_records(world.folder, world.effects.files, world.said.append)
        assert "w1:p1" not in records


class TestBadges:
    def test_a_paused_pane_has_one_and_a_running_one_has_none(self, world: World) -> None:
        badges = {name: entry.badge for name, entry in world.host.panes.items()}
        assert badges["w1:p2"] is not None
        assert badges["w1:p2"].text == "paused"
        assert badges["w1:p1"] is None

    def test_it_goes_when_the_agent_runs_again(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.agents["w1:p2"].resume_by_hand()
        world.cycle()
        assert world.host.panes["w1:p2"].badge is None

    def test_it_goes_when_the_agent_has_ended(self, world: World) -> None:
        world.memory.processes.end(102)
        world.change("w1:p2", agent=None)
        world.cycle()
        assert world.host.panes["w1:p2"].badge is None

    def test_it_is_shown_again_only_when_half_its_time_is_over(self, world: World) -> None:
        shown: list[str] = []
        show_badge = world.host.show_badge
        world.host.show_badge = lambda pane, badge: (shown.append(pane.id), show_badge(pane, badge))[1]  # type: ignore[method-assign]
        world.cycle()
        assert shown == []
        world.clock.advance(BADGE_TTL_MS / 2)
        world.cycle()
        assert shown == ["w1:p2"]

    def test_it_is_shown_again_by_a_host_that_says_it_has_forgotten_it(self, world: World) -> None:
        world.host.show_badge(world.host.panes["w1:p2"].pane, None)
        world.cycle()
        assert world.host.panes["w1:p2"].badge is None, "a host that does not say is believed to show it"
        world.change("w1:p2", badge="")
        world.cycle()
        assert world.host.panes["w1:p2"].badge is not None

    def test_a_workspace_shows_how_many_of_its_agents_are_paused(self, world: World) -> None:
        def counts() -> dict[str, str | None]:
            return {name: badge and badge.text for name, badge in world.host.workspace_badges.items()}

        assert counts() == {"w1": "1 paused"}
        world.agents["w1:p2"].resume_by_hand()
        world.host.focus("w1:p2")
        world.cycle()
        assert counts() == {"w1": None}, "what was shown goes with the last pause"

    def test_a_count_is_renewed_with_the_badges_that_it_counts(self, world: World) -> None:
        shown: list[str] = []
        show = world.host.show_workspace_badge
        world.host.show_workspace_badge = lambda it, badge: (shown.append(it.id), show(it, badge))[1]  # type: ignore[method-assign]
        world.cycle()
        assert shown == []
        world.clock.advance(BADGE_TTL_MS / 2)
        world.cycle()
        assert shown == ["w1"]
        world.host.workspace_badges.clear()  # A host that was restarted.
        world.cycle()
        assert shown == ["w1", "w1"]

    @pytest.mark.parametrize("error", [HostUnavailable("no such token"), RuntimeError("broken")])
    def test_a_badge_that_cannot_be_shown_spoils_nothing(self, world: World, error: Exception) -> None:
        def show_badge(pane: Any, badge: Any) -> None:
            raise error

        world.host.show_badge = show_badge  # type: ignore[method-assign]
        world.host.focus("w1:p3")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT

    def test_a_host_without_badges_is_fine(self, world: World) -> None:
        class Control:
            pass

        world.host.control = lambda session: Control()  # type: ignore[method-assign,assignment,return-value]
        assert world.outcomes()["w1:p1"] is Outcome.LEFT_RUNNING


class TestHost:
    def test_one_that_does_not_answer_fails_the_cycle_and_nothing_is_touched(self, world: World) -> None:
        world.host.down = True
        before = dict(world.disk.content)
        report = world.cycle()
        assert report.failed
        assert "no fake host answers" in report.error
        assert world.disk.content == before

    @pytest.mark.parametrize(
        "answer", [None, "panes", HostUnavailable(), RuntimeError("cut reply")], ids=repr
    )
    def test_an_answer_that_is_none_fails_the_cycle_with_a_reason(self, world: World, answer: Any) -> None:
        def snapshot(session: Any) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

        world.host.snapshot = snapshot  # type: ignore[method-assign]
        report = world.cycle()
        assert report.failed
        assert report.error

    def test_one_whose_control_is_gone_after_the_delivery_loses_no_decision(self, world: World) -> None:
        def control(session: Any) -> Any:
            raise HostUnavailable("the socket is gone")

        world.host.control = control  # type: ignore[method-assign]
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT

    def test_its_warnings_are_handed_on(self, world: World) -> None:
        snapshot = world.host.snapshot
        world.host.snapshot = lambda session: replace(snapshot(session), warnings=("protocol 99",))  # type: ignore[method-assign]
        assert world.cycle().warnings == ("protocol 99",)

    def test_the_session_is_described_once(self, world: World) -> None:
        described = json.loads(world.effects.files.read(world.folder.description))
        assert described == {"v": 1, "host": "fake", "address": SESSION.address}


class TestStrategies:
    def test_the_first_detector_that_knows_decides(self, world: World) -> None:
        class Blind:
            name = "blind"

            def observe(self, pane: Any) -> Any:
                raise RuntimeError("no eyes")

        world.detectors.insert(0, Blind())
        assert world.decisions()["w1:p1"].observed.detector == "fake-status"
        assert sum("no eyes" in sentence for sentence in world.said) == 1

    def test_a_detector_that_answers_with_no_observation_is_passed_over(self, world: World) -> None:
        class Confused:
            name = "confused"

            def observe(self, pane: Any) -> Any:
                return "paused"

        world.detectors.insert(0, Confused())
        assert world.decisions()["w1:p1"].observed.detector == "fake-status"

    def test_a_detector_need_not_be_hashable(self, world: World) -> None:
        class Equal(type(world.detectors[0])):  # type: ignore[misc]
            def __eq__(self, other: object) -> bool:
                return True

            __hash__ = None  # type: ignore[assignment]

        world.detectors = [Equal()]
        assert world.outcomes()["w1:p1"] is Outcome.LEFT_RUNNING

    def test_without_any_detector_a_pause_is_asked_for_and_reported_unconfirmed(self, world: World) -> None:
        world.detectors = []
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT
        world.clock.advance(10_000)
        assert world.outcomes()["w1:p1"] is Outcome.NOT_CONFIRMED

    def test_a_pause_without_a_run_is_no_withdrawal(self, world: World, says: Any) -> None:
        world.use(says(Verdict.pause("because", Run("b-1", "break"))))
        world.cycle()
        world.use(says(Verdict.pause("no run given")))
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.LEFT_RUNNING
        assert "says" in decision.policy
        request = pending(world, "w1:p1")
        assert request is not None
        assert list(request["runs"]) == ["b-1"]


class TestAllowance:
    def allow(self, world: World, pane_id: str, until_ms: int | None = None) -> None:
        changes = json.loads(world.effects.files.read(world.folder.focus))["changes"]
        save_allowance(world.folder, world.effects.files, Allowance(pane_id, until_ms, changes))

    def test_an_allowed_pane_runs_in_the_background(self, world: World) -> None:
        self.allow(world, "w1:p1")
        world.host.focus("w1:p2")
        decision = world.decisions()["w1:p1"]
        assert (decision.outcome, decision.policy) == (Outcome.LEFT_RUNNING, "allowed")

    def test_an_allowance_that_is_over_does_not_come_back_when_the_history_is_cut(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.cycle()
        self.allow(world, "w1:p1")
        for focused in ("w1:p1", *(("w1:p2", "w1:p3") * 40)):
            world.host.focus(focused)
            world.cycle()
        assert world.decisions()["w1:p1"].policy == "focused"

    def test_one_that_is_over_is_removed(self, world: World) -> None:
        self.allow(world, "w1:p1", START_MS + 1_000)
        world.clock.advance(999)
        world.cycle()
        assert world.files(world.folder.allowed) == ["w1%3Ap1.json"]
        world.clock.advance(1)
        world.cycle()
        assert world.files(world.folder.allowed) == []

    def test_one_of_a_pane_that_is_gone_waits_for_its_time(self, world: World) -> None:
        self.allow(world, "gone")
        self.allow(world, "gone too", START_MS + 1_000)
        world.clock.advance(1_000)
        world.cycle()
        assert world.files(world.folder.allowed) == ["gone.json"]


class TestState:
    @pytest.mark.parametrize(
        "content", [b"", b'{"v": 1, "focused": [', b"[]", b'{"v": 2}', b'{"v": 1, "changes": "x"}']
    )
    def test_a_broken_memory_is_set_aside_and_the_cycle_goes_on(self, world: World, content: bytes) -> None:
        world.disk.put(world.folder.focus, content)
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT
        assert world.disk.content[world.folder.focus.with_name("focus.json.broken")] == content
        assert sum("set aside as focus.json.broken" in sentence for sentence in world.said) == 1

    @pytest.mark.parametrize("content", [b"{", b'{"v": 1}', b'{"v": 1, "panes": {"w1:p1": 7}}'])
    def test_broken_records_are_set_aside_and_the_cycle_goes_on(self, world: World, content: bytes) -> None:
        world.disk.put(world.folder.deliveries, content)
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT

    def test_a_full_disk_fails_the_cycle_with_the_path_and_the_reason(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.disk.faults.full_disk()
        report = world.cycle()
        assert report.failed
        assert "focus.json" in report.error
        assert "No space left" in report.error

    def test_a_mailbox_that_cannot_be_written_is_a_refusal(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.disk.faults.fail("write", errno.ENOSPC, path="*/mailbox/*")
        decision = world.decisions()["w1:p1"]
        assert decision.outcome is Outcome.REFUSED
        assert "No space left" in decision.reason

    def test_a_label_with_half_a_character_reaches_the_agent(self, world: World) -> None:
        world.change("w1:p2", label="deploy \ud83d")
        world.host.focus("w1:p2")
        assert world.outcomes()["w1:p1"] is Outcome.PAUSE_SENT

    def test_records_of_panes_that_are_gone_are_dropped(self, world: World) -> None:
        world.host.focus("w1:p2")
        world.cycle()
        world.host.remove("w1:p1")
        world.cycle()
        assert "w1:p1" not in load_records(world.folder, world.effects.files, world.said.append)


def test_an_expected_error_of_a_strategy_is_an_answer_and_not_reported(world: World, says: Any) -> None:
    world.use(says(InstallRefused("not mine")), *world.policies)
    world.outcomes()
    assert world.said == []


def test_the_steps_are_timed_in_their_order(world: World) -> None:
    world.host.focus("w1:p2")
    steps = [name for name, _ in world.cycle().steps]
    assert steps == ["hellos", "snapshot", "judge", "observe", "recheck", "deliver"]
