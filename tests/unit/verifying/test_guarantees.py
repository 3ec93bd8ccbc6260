from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from attention_framework import Hello, ProcessIdentity, Reflex
from attention_framework.verifying.guarantees import BREAKS, PROMISES, Facts, Mode, measure, standing
from attention_framework.verifying.page import measured_lines, standing_lines

HELLO = Hello("w1%3Ap1.7", "omp", "w1:p1", ProcessIdentity(7), reflex=Reflex(mode="brake", reports=True))
BRAKED = Facts(True, "brake", "open", True, HELLO)
STRICT = replace(
    BRAKED, reflex="strict", fail="closed", hello=replace(HELLO, reflex=Reflex(mode="strict", reports=True))
)
CASES = [
    (replace(BRAKED, hello=None), Mode.UNCONFIRMED, "said hello"),
    (replace(BRAKED, acknowledged=False), Mode.UNCONFIRMED, "not acknowledged"),
    (replace(BRAKED, resident=False), Mode.ONE_SHOT, "attention serve --detach"),
    (
        replace(BRAKED, reflex="off", hello=replace(HELLO, reflex=Reflex(mode="off"))),
        Mode.RESIDENT,
        'reflex.mode = "brake"',
    ),
    (replace(BRAKED, hello=replace(HELLO, reflex=Reflex(mode="off"))), Mode.RESIDENT, "start the agent anew"),
    (replace(BRAKED, hello=replace(HELLO, reflex=Reflex(mode="brake"))), Mode.RESIDENT, "focus-events on"),
    (BRAKED, Mode.BRAKE, 'reflex.mode = "strict"'),
    (
        replace(BRAKED, hello=replace(HELLO, reflex=replace(HELLO.reflex, silent=2))),
        Mode.BRAKE,
        "reflex.ask_ms",
    ),
    (replace(STRICT, fail="open"), Mode.STRICT, 'reflex.fail = "closed"'),
]


@pytest.mark.parametrize(("facts", "mode", "missing"), CASES)
def test_each_agent_is_told_its_mode_and_what_is_missing(facts: Facts, mode: Mode, missing: str) -> None:
    found = standing(facts)
    assert found.mode is mode
    assert any(missing in sentence for sentence in found.missing)


def test_the_strongest_lacks_nothing() -> None:
    assert standing(STRICT).missing == ()
    assert standing(STRICT).mode is Mode.STRICT


def test_a_reflex_without_a_controller_is_none() -> None:
    assert standing(replace(STRICT, resident=False)).mode is Mode.ONE_SHOT


def test_every_mode_has_a_promise_and_what_breaks_it_and_they_are_in_the_documentation() -> None:
    page = Path(__file__).parents[3] / "docs/explanation/guarantees.md"
    told = " ".join(page.read_text(encoding="utf-8").split())
    assert set(PROMISES) == set(BREAKS) == set(Mode)
    for mode in Mode:
        assert f"| {mode} | {PROMISES[mode]} |" in told


def decision(at_ms: int, outcome: str, pane: str = "p", **steps: float) -> dict[str, Any]:
    return {
        "type": "decision",
        "at_ms": at_ms,
        "session": "s",
        "pane": pane,
        "outcome": outcome,
        "steps": steps,
    }


def test_the_journal_is_measured_from_wake_up_to_confirmation() -> None:
    entries = [
        decision(1, "pause-sent", snapshot=900.0),
        decision(2, "paused", confirm=900.0),
        decision(10, "pause-sent", snapshot=3.0, deliver=1.0),
        decision(11, "pause-sent", snapshot=90.0),
        decision(12, "paused", snapshot=2.0, confirm=20.0),
        decision(13, "pause-sent", pane="q", snapshot=6.0),
        decision(14, "not-confirmed", pane="q"),
        decision(15, "not-confirmed", pane="q"),
        {"type": "cycle", "at_ms": 16},
        {"nonsense": True},
        decision(17, "pause-sent", "r") | {"steps": None},
    ]
    found = measure(entries, from_ms=5)
    assert (found.asked, found.unconfirmed) == (2, 1)
    assert found.wake_to_sent is not None
    assert (found.wake_to_sent.count, found.wake_to_sent.p50, found.wake_to_sent.p99) == (2, 4.0, 6.0)
    assert found.sent_to_confirmed is not None
    assert (found.sent_to_confirmed.count, found.sent_to_confirmed.longest) == (1, 20.0)


def test_nothing_measured_is_said() -> None:
    assert next(iter(measured_lines(measure([], 0)))).endswith("nothing is measured")


def test_lines_are_no_wider_than_a_terminal() -> None:
    for facts, _, _ in CASES:
        assert all(len(line) <= 100 for line in standing_lines("herdr w1:p1 omp", standing(facts)))
