"""The contract of policies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from ...model import FOCUS_RUN, Action, Allowance, Verdict
from ..builders import focus_history, hello, hold, pane, scope, snapshot, view
from ..memory import START_MS
from .common import check_name, check_settings

if TYPE_CHECKING:
    from ...kinds import Policy
    from ...model import Pane, View

ONE, TWO = pane("w1:p1", hello=hello("w1:p1", 100, attended=3)), pane("w1:p2", label="notes")
BOTH = snapshot(ONE, TWO, focused=["w1:p2"])
SITUATIONS: dict[str, View] = {
    "no pane at all": view(snapshot()),
    "focus unknown": view(snapshot(ONE, TWO, focused=None)),
    "nobody looks": view(snapshot(ONE, TWO)),
    "the other focused": view(BOTH),
    "itself focused": view(snapshot(ONE, TWO, focused=["w1:p1"])),
    "two clients": view(snapshot(ONE, TWO, focused=["w1:p1", "w1:p2"])),
    "after a switch": view(BOTH, memory=focus_history(snapshot(ONE, TWO, focused=["w1:p1"]))),
    "focus on a pane that is gone": view(replace(BOTH, focused=frozenset({"w9:p9"}))),
    "a break": view(BOTH, holds=(hold(),)),
    "a break for the other": view(BOTH, holds=(hold(scope=scope("w1:p2")),)),
    "allowed": view(BOTH, allowances=(Allowance("w1:p1", START_MS + 1, 0), Allowance("w1:p2", None, 0))),
    "clock set back": view(BOTH, now_ms=0, holds=(hold(),), allowances=(Allowance("w1:p1", 5, 9),)),
}
PANES: dict[str, Pane] = {
    "with a hello": ONE,
    "without a hello": TWO,
    "unknown to the snapshot": pane("w7:p7"),
    "without an agent": pane("w1:p3", agent=None),
    "moved": pane("w2:p1", aliases=("w1:p1",), hello=hello("w1:p1", waived=frozenset({"b-1"}))),
}


class PolicyContract:
    """Needs the fixture `policy`. It is asked about several panes (`PANES`), each in several situations (`SITUATIONS`)."""

    @pytest.fixture(params=list(SITUATIONS.values()), ids=list(SITUATIONS))
    def situation(self, request: Any) -> View:
        return request.param  # type: ignore[no-any-return]

    def test_it_can_be_chosen_and_set_by_a_settings_file(self, policy: Policy) -> None:
        check_name(policy)
        check_settings(policy)

    def test_it_answers_in_every_situation(self, policy: Policy, situation: View) -> None:
        for verdict in _verdicts(policy, situation).values():
            assert verdict is None or isinstance(verdict, Verdict)

    def test_it_answers_alike_when_asked_again(self, policy: Policy, situation: View) -> None:
        first = _verdicts(policy, situation)
        _verdicts(policy, view(BOTH))
        assert _verdicts(policy, situation) == first

    def test_an_opinion_says_why_and_a_pause_for_which_runs(self, policy: Policy, situation: View) -> None:
        for verdict in filter(None, _verdicts(policy, situation).values()):
            assert verdict.reason
            assert bool(verdict.runs) == (verdict.action is Action.PAUSE)
            assert all(run.id and run.reason for run in verdict.runs)

    def test_runs_are_the_focus_or_holds_in_force(self, policy: Policy, situation: View) -> None:
        """Nobody could end a pause for any other run."""
        known = {FOCUS_RUN, *(hold.run for hold in situation.holds)}
        for verdict in filter(None, _verdicts(policy, situation).values()):
            assert {run.id for run in verdict.runs} <= known

    def test_it_wants_no_pause_for_the_focus_when_the_focus_is_unknown(self, policy: Policy) -> None:
        for verdict in filter(None, _verdicts(policy, SITUATIONS["focus unknown"]).values()):
            assert FOCUS_RUN not in {run.id for run in verdict.runs}


def _verdicts(policy: Policy, situation: View) -> dict[str, Verdict | None]:
    return {name: policy.judge(pane, situation) for name, pane in PANES.items()}
