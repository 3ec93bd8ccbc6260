from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import UNKNOWN, Action, AgentState, Observation, Outcome, Run, Verdict
from attention_framework.cycle.plan import Deed, Found, Intent, after_recheck, may_give_back, plan
from attention_framework.state.deliveries import Outstanding
from attention_framework.testing import pane

FOCUS, BREAK = Run("focus", "no focus", attended=3), Run("b-1", "break")
PAUSE = Verdict.pause("w1:p2 has the focus", FOCUS)
RUN = Verdict.run("it has the focus")
RUNNING = Observation(AgentState.RUNNING)
PAUSED = Observation(AgentState.PAUSED, engagement="7-1", runs=frozenset(("focus",)))
BY_PERSON = Observation(AgentState.PAUSED, by_person=True, engagement="7-2")
ASKED = Outstanding(("focus",), "mailbox", 0, 0)


def planned(verdict: Verdict, seen: Observation, **known: object) -> tuple[Deed, Outcome]:
    intent = plan(pane(status="working"), verdict, Found(seen, **known))  # type: ignore[arg-type]
    return intent.deed, intent.outcome


@pytest.mark.parametrize("seen", [RUNNING, UNKNOWN, Observation(AgentState.BRAKED)])
@pytest.mark.parametrize("asked", [None, ASKED])
def test_whoever_is_to_pause_and_is_not_seen_paused_is_asked(
    seen: Observation, asked: Outstanding | None
) -> None:
    assert planned(PAUSE, seen, asked=asked) == (Deed.PAUSE, Outcome.PAUSE_SENT)


@pytest.mark.parametrize("state", [AgentState.PAUSED, AgentState.PAUSING])
def test_a_pause_that_was_asked_for_is_confirmed_once_it_is_seen(state: AgentState) -> None:
    intent = plan(pane(), PAUSE, Found(Observation(state), asked=ASKED))
    assert (intent.deed, intent.outcome, intent.confirmed) == (Deed.LEAVE, Outcome.PAUSED, True)


def test_a_pause_that_nobody_asked_for_is_there_already() -> None:
    intent = plan(pane(), PAUSE, Found(PAUSED))
    assert (intent.deed, intent.outcome, intent.confirmed) == (Deed.LEAVE, Outcome.ALREADY_PAUSED, False)
    assert "for focus" in intent.reason
    assert "by the person" in plan(pane(), PAUSE, Found(BY_PERSON)).reason
    assert plan(pane(), PAUSE, Found(Observation(AgentState.PAUSED))).reason == "paused"


def test_a_status_that_the_settings_leave_alone_is_not_paused() -> None:
    intent = plan(pane(status="blocked"), PAUSE, Found(RUNNING, eligible=False))
    assert (intent.deed, intent.outcome) == (Deed.LEAVE, Outcome.LEFT_RUNNING)
    assert "blocked" in intent.reason
    assert planned(PAUSE, PAUSED, eligible=False) == (Deed.LEAVE, Outcome.ALREADY_PAUSED)


def test_whoever_may_run_and_runs_is_left_alone() -> None:
    assert planned(RUN, RUNNING) == (Deed.LEAVE, Outcome.LEFT_RUNNING)


@pytest.mark.parametrize("known", [{"asked": ASKED}, {"on_its_way": True}])
@pytest.mark.parametrize("seen", [RUNNING, UNKNOWN])
def test_a_request_that_is_no_longer_wanted_is_withdrawn(seen: Observation, known: dict[str, object]) -> None:
    assert planned(RUN, seen, **known) == (Deed.WITHDRAW, Outcome.RELEASED)


def test_a_hold_that_the_person_has_waived_is_named() -> None:
    intent = plan(pane(), RUN, Found(RUNNING, waived=frozenset(("b-2", "b-1"))))
    assert (intent.deed, intent.outcome) == (Deed.LEAVE, Outcome.WAIVED)
    assert "b-1, b-2" in intent.reason


def test_whoever_is_paused_and_may_run_stays_so_until_the_person_resumes() -> None:
    intent = plan(pane(), RUN, Found(PAUSED))
    assert (intent.deed, intent.outcome, intent.confirmed) == (Deed.LEAVE, Outcome.ALREADY_PAUSED, False)
    assert plan(pane(), RUN, Found(PAUSED, asked=ASKED)).confirmed


def test_what_the_verdict_gives_back_is_resumed_by_its_engagement() -> None:
    intent = plan(pane(), Verdict.run("focus", frozenset(("focus",))), Found(PAUSED))
    assert (intent.deed, intent.outcome, intent.engagement) == (Deed.RESUME, Outcome.RESUMED, "7-1")


@pytest.mark.parametrize(
    "seen",
    [
        BY_PERSON,
        Observation(AgentState.PAUSED, engagement=None, runs=frozenset(("focus",))),
        Observation(AgentState.PAUSED, engagement="7-1"),
        Observation(AgentState.PAUSED, engagement="7-1", runs=frozenset(("focus", "b-1"))),
        Observation(AgentState.PAUSED, by_person=True, engagement="7-1", runs=frozenset(("focus",))),
    ],
    ids=["the person's", "nameless", "for no run", "for another run too", "taken over by the person"],
)
def test_nothing_else_is_given_back(seen: Observation) -> None:
    verdict = Verdict.run("focus", frozenset(("focus",)))
    assert not may_give_back(verdict, seen)
    assert planned(verdict, seen) == (Deed.LEAVE, Outcome.ALREADY_PAUSED)


ASKS = Intent(Deed.PAUSE, Outcome.PAUSE_SENT, "no focus", (FOCUS,))


def test_a_pane_that_has_the_focus_again_is_not_asked_to_pause() -> None:
    intent = after_recheck(ASKS, True)
    assert (intent.deed, intent.outcome, intent.reason) == (
        Deed.LEAVE,
        Outcome.NOW_FOCUSED,
        "it has the focus again",
    )


def test_a_focus_that_is_no_longer_known_pauses_nobody() -> None:
    intent = after_recheck(ASKS, None)
    assert (intent.deed, intent.outcome) == (Deed.LEAVE, Outcome.NOW_FOCUSED)
    assert intent.reason == "the focus is no longer known"


def test_a_pane_that_is_still_left_is_asked_as_planned() -> None:
    assert after_recheck(ASKS, False) is ASKS


@pytest.mark.parametrize("focused", [True, None])
def test_a_break_pauses_the_focused_pane_too_and_the_focus_run_is_dropped(focused: bool | None) -> None:
    both = Intent(Deed.PAUSE, Outcome.PAUSE_SENT, "break", (BREAK, FOCUS))
    assert after_recheck(both, focused).runs == (BREAK,)
    assert after_recheck(both, False).runs == (BREAK, FOCUS)


@pytest.mark.parametrize("focused", [False, None])
def test_nothing_is_given_back_to_a_pane_that_has_lost_the_focus_again(focused: bool | None) -> None:
    resumes = Intent(Deed.RESUME, Outcome.RESUMED, "focus", engagement="7-1")
    assert after_recheck(resumes, focused).deed is Deed.LEAVE
    assert after_recheck(resumes, True) is resumes


@pytest.mark.parametrize("focused", [True, False, None])
def test_a_withdrawal_stands_whatever_the_focus(focused: bool | None) -> None:
    withdraws = Intent(Deed.WITHDRAW, Outcome.RELEASED, "may run")
    assert after_recheck(withdraws, focused) is withdraws


observations = st.builds(
    Observation,
    st.sampled_from(AgentState),
    st.just(""),
    st.booleans(),
    st.sampled_from([None, "7-1"]),
    st.frozensets(st.sampled_from(["focus", "b-1"])),
)
verdicts = st.sampled_from([PAUSE, RUN, Verdict.run("own", frozenset(("focus",)))])
found = st.builds(
    Found,
    observations,
    st.sampled_from([None, ASKED]),
    st.booleans(),
    st.booleans(),
    st.frozensets(st.sampled_from(["b-1"])),
)


@given(verdicts, found)
def test_nobody_is_asked_against_the_verdict_and_no_pause_of_the_persons_is_undone(
    verdict: Verdict, known: Found
) -> None:
    intent = plan(pane(), verdict, known)
    if intent.deed is Deed.PAUSE:
        assert verdict.action is Action.PAUSE
        assert not known.seen.held
    if intent.deed in (Deed.RESUME, Deed.WITHDRAW):
        assert verdict.action is Action.RUN
    if intent.deed is Deed.RESUME:
        assert not known.seen.by_person
    assert not intent.confirmed or known.seen.held


BRAKED = Observation(AgentState.BRAKED)


def test_whoever_is_braked_and_should_pause_is_asked_as_if_it_ran() -> None:
    intent = plan(pane(), PAUSE, Found(BRAKED))
    assert (intent.deed, intent.outcome) == (Deed.PAUSE, Outcome.PAUSE_SENT)
    assert "braked until then" in intent.reason


def test_whoever_is_braked_and_may_run_lets_go_by_itself() -> None:
    intent = plan(pane(), RUN, Found(BRAKED, waived=frozenset(("b-1",))))
    assert (intent.deed, intent.outcome) == (Deed.LEAVE, Outcome.LEFT_RUNNING)
    assert "braked, and lets go by itself" in intent.reason
    assert planned(RUN, BRAKED, on_its_way=True) == (Deed.WITHDRAW, Outcome.RELEASED)


@pytest.mark.parametrize("seen", [RUNNING, BRAKED, UNKNOWN])
def test_a_short_absence_asks_for_nothing_yet(seen: Observation) -> None:
    intent = plan(pane(), PAUSE, Found(seen, settling_ms=250))
    assert (intent.deed, intent.outcome) == (Deed.LEAVE, Outcome.LEFT_RUNNING)
    assert "in 0.25 s" in intent.reason


@pytest.mark.parametrize("known", [{"asked": ASKED}, {"on_its_way": True}])
def test_what_was_asked_before_is_withdrawn_while_an_absence_is_short(known: dict[str, object]) -> None:
    assert planned(PAUSE, RUNNING, settling_ms=250, **known) == (Deed.WITHDRAW, Outcome.RELEASED)


@pytest.mark.parametrize("runs", [(BREAK,), (BREAK, FOCUS)])
def test_a_hold_never_waits(runs: tuple[Run, ...]) -> None:
    intent = plan(pane(), Verdict.pause("a break", *runs), Found(RUNNING, settling_ms=250))
    assert (intent.deed, intent.runs) == (Deed.PAUSE, runs)


def test_a_pause_that_is_there_is_there_however_short_the_absence() -> None:
    assert planned(PAUSE, PAUSED, settling_ms=250) == (Deed.LEAVE, Outcome.ALREADY_PAUSED)
