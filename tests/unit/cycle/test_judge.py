from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from attention_framework import Action, Run, Verdict
from attention_framework.bounded import Bounded, Inline
from attention_framework.cycle.judge import NO_OPINION, combine, decided, judge
from attention_framework.testing import pane, snapshot, view

if TYPE_CHECKING:
    from attention_framework import Policy

ONE, TWO = pane("w1:p1"), pane("w1:p2")
VIEW = view(snapshot(ONE, TWO, focused=["w1:p1"]))
RUN = Verdict.run("may run")
BREAK = Verdict.pause("break", Run("b-1", "break"))
FOCUS = Verdict.pause("no focus", Run("focus", "no focus", attended=3))


def judged(*policies: Any, said: list[str] | None = None) -> Verdict:
    report = (said if said is not None else []).append
    return judge(policies, [ONE, TWO], VIEW, Inline(report))["w1:p1"]


def test_without_an_opinion_a_pane_runs(says: Any) -> None:
    assert judged() == NO_OPINION
    assert judged(says(None)) == NO_OPINION
    assert NO_OPINION.action is Action.RUN


def test_the_first_opinion_decides_and_is_named(says: Any) -> None:
    verdict = judged(says(None, "silent"), says(RUN, "allowed"), says(FOCUS, "focused"))
    assert (verdict.action, verdict.policy) == (Action.RUN, "allowed")
    verdict = judged(says(FOCUS, "focused"), says(RUN, "allowed"))
    assert (verdict.action, verdict.policy) == (Action.PAUSE, "focused")


def test_the_runs_of_the_pause_opinions_that_follow_are_added(says: Any) -> None:
    verdict = judged(says(BREAK, "holds"), says(None), says(FOCUS, "focused"))
    assert verdict.policy == "holds"
    assert verdict.reason == "break"
    assert [run.id for run in verdict.runs] == ["b-1", "focus"]


def test_a_run_opinion_ends_what_is_added(says: Any) -> None:
    verdict = judged(says(BREAK, "holds"), says(RUN, "allowed"), says(FOCUS, "focused"))
    assert [run.id for run in verdict.runs] == ["b-1"]


def test_the_first_of_two_runs_with_one_id_is_kept(says: Any) -> None:
    again = Verdict.pause("again", Run("b-1", "another reason"))
    assert judged(says(BREAK), says(again)).runs == BREAK.runs


def test_who_has_been_decided_upon_is_not_judged_again() -> None:
    asked: list[tuple[str, str]] = []

    class Asks:
        def __init__(self, name: str, verdict: Verdict) -> None:
            self.name = name
            self._verdict = verdict

        def judge(self, pane: Any, view: Any) -> Verdict | None:
            asked.append((self.name, pane.id))
            return self._verdict if pane.id == "w1:p1" else None

    judged(Asks("first", RUN), Asks("second", FOCUS))
    assert asked == [("first", "w1:p1"), ("first", "w1:p2"), ("second", "w1:p2")]


def test_a_policy_that_raises_has_no_opinion_and_is_reported_once(says: Any) -> None:
    said: list[str] = []
    verdict = judged(says(RuntimeError("out of order"), "broken"), says(FOCUS, "focused"), said=said)
    assert verdict.policy == "focused"
    assert len(said) == 1
    assert said[0].startswith("broken: RuntimeError: out of order")


def test_a_policy_that_answers_with_no_verdict_has_no_opinion_and_is_reported(says: Any) -> None:
    said: list[str] = []
    verdict = judged(says("pause", "confused"), says(FOCUS, "focused"), said=said)
    assert verdict.policy == "focused"
    assert len(said) == 1
    assert "confused" in said[0]


def test_a_policy_that_hangs_has_no_opinion_and_is_not_asked_about_the_next_pane(says: Any) -> None:
    let_go = threading.Event()
    said: list[str] = []
    asked: list[str] = []

    class Hangs:
        name = "hangs"

        def judge(self, pane: Any, view: Any) -> None:
            asked.append(pane.id)
            let_go.wait()

    try:
        policies: list[Policy] = [Hangs(), says(FOCUS, "focused")]
        verdicts = judge(policies, [ONE, TWO], VIEW, Bounded(said.append, limit_s=0.05))
    finally:
        let_go.set()
    assert {verdict.policy for verdict in verdicts.values()} == {"focused"}
    assert asked == ["w1:p1"]
    assert len(said) == 1
    assert said[0].startswith("hangs: gave no answer")


opinions = st.sampled_from([RUN, BREAK, FOCUS, Verdict.pause("own", Run("m-1", "manual"))])


@given(st.lists(opinions, min_size=1))
def test_what_pauses_is_what_stands_before_the_first_run(given_opinions: list[Verdict]) -> None:
    verdict = combine(given_opinions)
    actions = [opinion.action for opinion in given_opinions]
    before = actions.index(Action.RUN) if Action.RUN in actions else len(actions)
    wanted = {run.id for opinion in given_opinions[:before] for run in opinion.runs}
    assert verdict.action is actions[0]
    assert {run.id for run in verdict.runs} == wanted


@given(st.lists(opinions))
def test_only_a_run_opinion_at_the_end_settles_it(given_opinions: list[Verdict]) -> None:
    assert decided(given_opinions) is (bool(given_opinions) and given_opinions[-1].action is Action.RUN)
