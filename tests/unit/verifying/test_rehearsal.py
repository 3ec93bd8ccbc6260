"""What was seen decides, whichever step gets stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from attention_framework.verifying.absence import Claim, Grade
from attention_framework.verifying.judging import claim_after
from attention_framework.verifying.scene import Stuck

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attention_framework.verifying.absence import Step

TRIPS = range(1, 60)
"""More than a run has waits."""


def judged(steps: Sequence[Step]) -> Claim:
    grades = [step.grade for step in steps]
    return claim_after(grades, grades[-1])


def test_all_is_well_but_that_nobody_was_busy(rehearse: Callable[..., Any]) -> None:
    rehearsal, stage = rehearse()
    steps = list(rehearsal.steps())
    assert {step.grade for step in steps[:8]} == {Grade.PASSED}, steps
    assert judged(steps) is Claim.NOT_TESTED
    assert 10 < stage.waits < len(TRIPS)


def test_a_submitted_draft_is_refused_whichever_wait_is_in_vain(rehearse: Callable[..., Any]) -> None:
    for trip in (None, *TRIPS):
        rehearsal, stage = rehearse(submits=True, trip=trip)
        steps = list(rehearsal.steps())
        assert rehearsal.has_draft == bool(stage.pasted), trip
        if stage.pasted:
            assert judged(steps) is Claim.REFUSED, (trip, steps)
            assert rehearsal.drafts, trip
            assert not any(draft.kept for draft in rehearsal.drafts), trip
            assert any("draft" in step.saw for step in steps if step.grade is Grade.FAILED), trip


@pytest.mark.parametrize("deaf", ["first", "second"])
def test_an_agent_that_is_never_paused_is_refused_whichever_wait_is_in_vain(
    rehearse: Callable[..., Any], deaf: str
) -> None:
    for trip in (None, *TRIPS):
        rehearsal, _ = rehearse(deaf=deaf, trip=trip)
        steps = list(rehearsal.steps())
        if steps[0].grade is Grade.PASSED:
            assert judged(steps) is Claim.REFUSED, (trip, steps)


def test_one_wait_in_vain_never_makes_a_claim(rehearse: Callable[..., Any]) -> None:
    for trip in TRIPS:
        rehearsal, stage = rehearse(trip=trip)
        steps = list(rehearsal.steps())
        assert len(steps) == 10
        assert judged(steps) is not Claim.HOLDS, trip
        if stage.waits < trip:
            assert {step.grade for step in steps[:8]} == {Grade.PASSED}, trip


def test_a_draft_that_was_never_seen_is_read_all_the_same(rehearse: Callable[..., Any]) -> None:
    """The step that leaves it fails, and it has been pasted."""
    rehearsal, stage = rehearse()
    stage.screen = lambda _: ""
    steps = list(rehearsal.steps())
    assert steps[1].grade is Grade.FAILED
    assert steps[6].grade is Grade.PASSED
    assert all(draft.kept for draft in rehearsal.drafts)
    assert judged(steps) is Claim.NOT_TESTED


def test_a_draft_that_no_step_could_read_is_read_at_last(rehearse: Callable[..., Any]) -> None:
    rehearsal, _ = rehearse(submits=True)
    in_vain = rehearsal.first.is_left_for
    rehearsal.first.is_left_for = lambda *_: in_vain(rehearsal.second)
    rehearsal._return = rehearsal._rapidly = lambda: (Grade.FAILED, "it did not come so far")
    *_, last = rehearsal.steps()
    assert [draft.when for draft in rehearsal.drafts] == ["after all steps"]
    assert "the draft has changed" in last.saw
    assert last.grade is Grade.FAILED


@pytest.mark.parametrize("done", range(2, 9))
def test_a_draft_that_is_submitted_later_is_refused_too(rehearse: Callable[..., Any], done: int) -> None:
    """Also in the last step that leaves its agent, which has no prompt here and so reads no draft."""
    rehearsal, stage = rehearse()
    steps = []
    for step in rehearsal.steps():
        steps.append(step)
        stage.submits = len(steps) >= done
    assert judged(steps) is Claim.REFUSED, steps
    assert not rehearsal.drafts[-1].kept


def test_a_draft_that_cannot_be_come_to_is_one_that_cannot_be_read(rehearse: Callable[..., Any]) -> None:
    rehearsal, _ = rehearse()

    def in_vain(*_: object) -> None:
        raise Stuck("the host is gone")

    steps = rehearsal.steps()
    before = [next(steps) for _ in range(6)]
    rehearsal._go_to = in_vain
    *_, last = (*before, *steps)
    assert last.grade is Grade.FAILED
    assert "the draft cannot be read" in last.saw
