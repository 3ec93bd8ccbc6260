from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.demo.evidence import Evidence, Work, spans
from attention_herdr.demo.invariants import check, delays_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

END_MS = 10_000.0


def calls(*times: float) -> tuple[tuple[float, float | None], ...]:
    return tuple((at, at + 40) for at in times)


LEFT = Work(
    name="builder",
    visits=((0.0, 4_000.0),),
    calls=calls(100, 3_900, 4_050),
    pauses=((4_100.0, None),),
    draft="a draft",
    draft_wanted="a draft",
    mailbox=("ack.json",),
)
FOCUSED = Work(
    name="reviewer",
    visits=((4_000.0, None),),
    calls=calls(5_000, 9_900),
    pauses=((500.0, 5_000.0),),
    draft="",
    draft_wanted="",
)
SENT = {"type": "decision", "outcome": "pause-sent"}
GOOD = Evidence(agents=(LEFT, FOCUSED), end_ms=END_MS, journal=(SENT, SENT))


def broken(evidence: Evidence) -> dict[str, Sequence[str]]:
    return {finding.promise: finding.broken for finding in check(evidence) if finding.broken}


def with_left(**changes: Any) -> Evidence:
    return replace(GOOD, agents=(replace(LEFT, **changes), FOCUSED))


def with_focused(**changes: Any) -> Evidence:
    return replace(GOOD, agents=(LEFT, replace(FOCUSED, **changes)))


def test_what_is_well_breaks_nothing() -> None:
    assert broken(GOOD) == {}


@pytest.mark.parametrize(
    ("evidence", "promise", "told"),
    [
        (replace(GOOD, stuck="tester: late"), "Every switch had its effect in time", "tester"),
        (with_focused(calls=calls(5_000)), "The agent that you look at runs", "started nothing"),
        (with_focused(pauses=((4_500.0, None),)), "The agent that you look at runs", "is paused"),
        (with_left(pauses=()), "All the others are paused", "builder"),
        (with_left(calls=calls(4_200, 4_300)), "No call starts in a pause", "2 calls"),
        (with_focused(pauses=((6_000.0, 6_500.0),)), "Nobody is paused under your eyes", "2.0 s"),
        (with_left(draft="a draft/pause"), "Drafts are the same, byte for byte", "/pause"),
        (with_left(prompts=("/pause",)), "Drafts are the same, byte for byte", "submitted"),
        (
            with_left(mailbox=("ack.json", "pending.json.1.claim")),
            "Every request has come to an end",
            "claim",
        ),
        (with_left(mailbox=()), "Every request has come to an end", "disagree"),
        (replace(GOOD, failed_hooks=("pane.focused: no",)), "Every hook of Herdr's ran well", "pane.focused"),
        (
            replace(GOOD, journal=(SENT, SENT, {"type": "cycle", "error": "no answer"})),
            "Every hook of Herdr's ran well",
            "no answer",
        ),
        (replace(GOOD, journal=(SENT,)), "The journal has every pause", "2 pauses"),
    ],
)
def test_what_breaks_a_promise_is_named(evidence: Evidence, promise: str, told: str) -> None:
    found = broken(evidence)
    assert told in " ".join(found[promise])


def test_a_pause_that_was_painted_before_the_agent_could_know_of_your_return_is_no_late_one() -> None:
    assert broken(with_focused(pauses=((4_300.0, 5_000.0),))) == {}


def test_delays_are_from_leaving_to_the_screen() -> None:
    assert delays_ms(GOOD) == [100.0]


def test_a_pause_after_the_next_visit_is_no_delay_of_the_first() -> None:
    assert delays_ms(with_left(visits=((0.0, 1_000.0), (2_000.0, 4_000.0)))) == [100.0]


def test_times_between_begin_and_end() -> None:
    events = [
        (1.0, "paused"),
        (2.0, "paused"),
        (3.0, "wake"),
        (4.0, "resumed"),
        (5.0, "resumed"),
        (6.0, "paused"),
    ]
    assert list(spans(events, "paused", "resumed")) == [(1.0, 4.0), (6.0, None)]
