from __future__ import annotations

from typing import Any

import pytest
from attention_omp_keys.status import OmpStatus

from attention_framework import AgentState, Call, Pane, Reflex
from attention_framework.testing import FakeContext, PauseDetectorContract, hello, pane

DETECTOR = OmpStatus(None, FakeContext())


def saying(**said: Any) -> Pane:
    return pane(hello=hello(**said))


class TestContract(PauseDetectorContract):
    @pytest.fixture
    def detector(self) -> OmpStatus:
        return DETECTOR

    @pytest.fixture
    def paused_pane(self) -> Pane:
        return saying(state="paused", by="request", shown="overlay")

    @pytest.fixture
    def running_pane(self) -> Pane:
        return saying()

    @pytest.fixture
    def gone_pane(self) -> Pane:
        return pane("w9:p9")


def test_a_pause_by_request_names_its_engagement_and_runs() -> None:
    seen = DETECTOR.observe(
        saying(state="paused", by="request", shown="overlay", runs=frozenset({"b-1"}), engagement="100-2")
    )
    assert (seen.state, seen.by_person, seen.engagement, seen.runs) == (
        AgentState.PAUSED,
        False,
        "100-2",
        frozenset({"b-1"}),
    )


def test_a_pause_of_the_persons_is_told_as_such() -> None:
    assert DETECTOR.observe(saying(state="paused", by="person")).by_person


def test_a_call_in_flight_makes_it_pausing() -> None:
    call = Call("bash", 1)
    seen = DETECTOR.observe(saying(state="paused", by="request", shown="overlay", calls=(call,)))
    assert (seen.state, seen.calls) == (AgentState.PAUSING, (call,))
    assert "bash" in seen.evidence


def test_a_running_agent_is_running_whatever_calls_it_makes() -> None:
    assert DETECTOR.observe(saying(calls=(Call("bash", 1),))).state is AgentState.RUNNING


@pytest.mark.parametrize(
    "said", [{"state": "unsupported", "problem": "not-live: too old"}, {"state": "asleep"}], ids=str
)
def test_what_it_cannot_vouch_for_is_left_to_the_next_detector(said: dict[str, Any]) -> None:
    seen = DETECTOR.observe(saying(**said))
    assert seen.state is AgentState.UNKNOWN
    assert said.get("problem", said["state"]) in seen.evidence


def test_a_problem_is_part_of_the_evidence() -> None:
    assert "not-painted" in DETECTOR.observe(saying(problem="not-painted: vim is open")).evidence


def test_a_brake_is_seen_with_its_calls_and_since_when() -> None:
    calls = (Call("bash", 5),)
    seen = DETECTOR.observe(
        saying(state="braked", shown="line", calls=calls, written_ms=9, reflex=Reflex("brake", since_ms=7))
    )
    assert (seen.state, seen.calls, seen.since_ms, seen.held) == (AgentState.BRAKED, calls, 7, False)
    assert "bash" in seen.evidence


def test_a_brake_that_does_not_say_since_when_is_as_old_as_its_file() -> None:
    assert DETECTOR.observe(saying(state="braked", written_ms=9)).since_ms == 9
    assert DETECTOR.observe(saying(state="braked")).since_ms is None


def test_a_pause_that_a_line_shows_is_a_pause_and_says_so() -> None:
    seen = DETECTOR.observe(saying(state="paused", by="request", shown="line"))
    assert seen.state is AgentState.PAUSED
    assert "a line above its editor" in seen.evidence


@pytest.mark.parametrize("state", ["running", "braked", "paused"])
def test_words_of_a_newer_protocol_are_not_believed(state: str) -> None:
    seen = DETECTOR.observe(saying(state=state, shown="overlay", versions=(("protocol", "2"),)))
    assert seen.state is AgentState.UNKNOWN
    assert "protocol 2" in seen.evidence
