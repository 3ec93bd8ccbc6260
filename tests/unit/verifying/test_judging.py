"""What a timeline proves: obedient ones pass whatever the times, and each way to break one is found."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import Call
from attention_framework.verifying.absence import Absence, Claim, Draft, Grade, Step
from attention_framework.verifying.judging import (
    FILE_TIME_MS,
    ROUNDING_MS,
    before_the_gate,
    changed_drafts,
    claim,
    claim_after,
    inside,
    late_answers,
    late_calls,
    new_work,
    not_controlled,
    not_held,
    safe_boundary_ms,
    unordered,
    was_busy,
)
from attention_framework.verifying.page import CLAIMS, claim_line

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
LEFT = 1_000_000.0
GOOD = Absence(
    agent="second",
    left_ms=LEFT,
    moved_ms=LEFT + 9,
    braked_ms=LEFT + 4,
    looked_ms=LEFT + 12,
    asked_ms=LEFT + 40,
    transport="omp-mailbox",
    engaged_ms=LEFT + 30,
    shown_ms=LEFT + 33,
    shown="overlay",
    held_ms=LEFT + 35,
    confirmed_ms=LEFT + 50,
    back_ms=LEFT + 3_000,
    in_flight=(Call("bash", int(LEFT) - 200),),
    calls=((LEFT - 1_300, LEFT - 300), (LEFT - 190, LEFT + 810)),
    answers=((LEFT - 260, LEFT - 210),),
)
KEPT = Draft("at the end", b"a draft", b"a draft")

gates = st.floats(min_value=0, max_value=500)
delays = st.floats(min_value=0, max_value=400)
"""How long a call may take until it leaves its first trace."""
calls_before = st.lists(st.tuples(st.integers(0, 5_000), delays), max_size=5)


def timeline(gate: float, before: list[tuple[int, float]]) -> Absence:
    """An agent that begins nothing after its gate: each call is named as in flight, and its trace comes when it comes."""
    named = tuple(Call("bash", int(LEFT + gate) - ago) for ago, _ in before)
    traces = tuple((call.since_ms + delay, None) for call, (_, delay) in zip(named, before, strict=True))
    return replace(
        GOOD, braked_ms=LEFT + gate, engaged_ms=LEFT + gate, in_flight=named, calls=traces, answers=()
    )


def test_a_good_timeline_has_nothing_wrong() -> None:
    for judge in (not_held, not_controlled, unordered, new_work):
        assert judge(GOOD) == []
    assert claim([GOOD], [KEPT]) == (Grade.PASSED, [])


@given(gates, calls_before)
def test_calls_that_had_begun_before_the_gate_are_never_late(
    gate: float, before: list[tuple[int, float]]
) -> None:
    assert late_calls(timeline(gate, before)) == []


@given(gates, calls_before, st.floats(min_value=20, max_value=2_000))
def test_one_more_call_after_the_gate_is_always_found(
    gate: float, before: list[tuple[int, float]], later: float
) -> None:
    obedient = timeline(gate, before)
    began = max([LEFT + gate, *(trace for trace, _ in obedient.calls)]) + later
    broken = replace(obedient, calls=(*obedient.calls, (began, None)))
    assert late_calls(broken) == ([began] if began < LEFT + 3_000 else [])


@given(gates, calls_before, st.integers(20, 2_000))
def test_a_call_that_the_agent_names_itself_is_found_without_a_trace(
    gate: float, before: list[tuple[int, float]], later: int
) -> None:
    obedient = timeline(gate, before)
    since = int(LEFT + gate) + later + 1
    broken = replace(obedient, in_flight=(*obedient.in_flight, Call("bash", since)))
    assert late_calls(broken) == [float(since)]


def test_a_late_call_with_a_name_and_a_trace_is_told_once() -> None:
    broken = replace(
        GOOD,
        in_flight=(*GOOD.in_flight, Call("bash", int(LEFT) + 900)),
        calls=(*GOOD.calls, (LEFT + 910, None)),
    )
    assert late_calls(broken) == [LEFT + 900]


def test_one_call_in_flight_explains_one_trace() -> None:
    twice = replace(GOOD, calls=((LEFT + 10, None), (LEFT + 20, None)))
    assert late_calls(twice) == [LEFT + 20]


def test_a_call_whose_trace_is_from_before_the_key_explains_no_other() -> None:
    assert late_calls(replace(GOOD, calls=((LEFT - 190, LEFT + 810), (LEFT + 900, None)))) == [LEFT + 900]


def test_what_begins_after_the_return_is_no_work_of_the_absence() -> None:
    assert late_calls(replace(GOOD, calls=(*GOOD.calls, (LEFT + 3_001, None)))) == []


def test_the_clock_of_files_may_be_a_tick_behind() -> None:
    behind = replace(GOOD, calls=((LEFT - 200 - FILE_TIME_MS + 1, None),))
    assert late_calls(behind) == []


def test_the_brake_counts_and_not_the_overlay_that_follows() -> None:
    between = replace(GOOD, calls=(*GOOD.calls, (LEFT + 20, None)))
    assert late_calls(between) == [LEFT + 20]
    assert late_calls(replace(between, braked_ms=None)) == []


MUTANTS: list[tuple[str, Callable[[Absence], list[str]], Absence, str]] = [
    ("never paused", not_held, replace(GOOD, held_ms=None), "never paused"),
    ("nothing on the screen", not_held, replace(GOOD, shown_ms=None), "nothing was on its screen"),
    ("no request", not_controlled, replace(GOOD, asked_ms=None), "no request"),
    ("gate before the key", unordered, replace(GOOD, engaged_ms=LEFT - 10), "the gate"),
    ("brake before the key", unordered, replace(GOOD, braked_ms=LEFT - 10), "the brake"),
    ("overlay before the gate", unordered, replace(GOOD, shown_ms=LEFT + 20), "the overlay 10 ms before"),
    ("confirmed before the overlay", unordered, replace(GOOD, confirmed_ms=LEFT + 23), "the confirmation"),
    ("look before the key", unordered, replace(GOOD, looked_ms=LEFT - 5), "the controller's look"),
    ("gate before the look", unordered, replace(GOOD, looked_ms=LEFT + 37), "the gate"),
    ("brake after the overlay's gate", unordered, replace(GOOD, braked_ms=LEFT + 40), "the brake"),
    ("moved after the return", unordered, replace(GOOD, moved_ms=LEFT + 4_000), "the return"),
    ("a call", new_work, replace(GOOD, calls=(*GOOD.calls, (LEFT + 900, None))), "a tool call began 896 ms"),
    (
        "answers",
        new_work,
        replace(GOOD, answers=((LEFT, LEFT + 90), (LEFT, LEFT + 950))),
        "answer of its model",
    ),
]


@pytest.mark.parametrize(
    ("judge", "broken", "said"), [row[1:] for row in MUTANTS], ids=[row[0] for row in MUTANTS]
)
def test_each_way_to_break_a_timeline_is_found(
    judge: Callable[[Absence], list[str]], broken: Absence, said: str
) -> None:
    found = judge(broken)
    assert any(said in sentence for sentence in found)


def test_rounding_is_no_disorder() -> None:
    assert unordered(replace(GOOD, shown_ms=LEFT + 30 - ROUNDING_MS)) == []


def test_calls_between_key_and_gate_are_counted_and_nobody_is_blamed() -> None:
    early = replace(
        GOOD, calls=(*GOOD.calls, (LEFT + 3, None)), in_flight=(*GOOD.in_flight, Call("bash", int(LEFT) + 2))
    )
    assert before_the_gate(early) == 1
    assert before_the_gate(GOOD) == 0
    assert new_work(early) == []


def test_one_answer_may_be_under_way() -> None:
    assert late_answers(replace(GOOD, answers=((LEFT - 10, LEFT + 700),))) == []
    two = replace(GOOD, answers=((LEFT - 10, LEFT + 700), (LEFT + 800, LEFT + 900)))
    assert late_answers(two) == [LEFT + 900]


def test_many_late_calls_are_told_in_one_sentence() -> None:
    late = tuple((LEFT + 900 + number, None) for number in range(5))
    [sentence] = new_work(replace(GOOD, calls=(*GOOD.calls, *late)))
    assert sentence.endswith("and 4 more in the same absence")


def test_the_safe_boundary_is_the_end_of_the_last_call_in_flight() -> None:
    assert safe_boundary_ms(GOOD) == LEFT + 810
    assert safe_boundary_ms(replace(GOOD, calls=())) == LEFT + 4
    assert safe_boundary_ms(replace(GOOD, calls=((LEFT - 190, None),))) is None
    never = replace(GOOD, braked_ms=None, engaged_ms=None, held_ms=None)
    assert safe_boundary_ms(never) is None


def test_an_absence_without_work_proves_nothing() -> None:
    idle = replace(GOOD, in_flight=(), calls=((LEFT - 1_300, LEFT - 300),))
    assert not was_busy(idle)
    assert was_busy(GOOD)
    grade, reasons = claim([idle], [KEPT])
    assert grade is Grade.NOT_CHECKED
    assert "nothing is proved" in reasons[0]


@pytest.mark.parametrize("broken", [row[2] for row in MUTANTS if row[1] in (not_held, new_work)])
def test_the_claim_is_refused_if_one_absence_of_several_is_broken(broken: Absence) -> None:
    assert claim([GOOD, broken, GOOD], [KEPT])[0] is Grade.FAILED


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_a_draft_is_kept_only_if_every_byte_is(wanted: bytes, found: bytes) -> None:
    said = changed_drafts([Draft("then", wanted, found)])
    assert bool(said) == (wanted != found)
    if said:
        place = int(said[0].rpartition(" ")[2])
        assert wanted[:place] == found[:place]
        assert wanted[place : place + 1] != found[place : place + 1]


def test_a_changed_or_unreadable_draft_refuses_the_claim() -> None:
    for found in (b"a draft/pause", b"", None):
        draft = Draft("after coming back", b"a draft", found)
        assert claim([GOOD], [KEPT, draft])[0] is Grade.FAILED


IDLE = replace(GOOD, in_flight=(), calls=())
ABSENCES: list[tuple[Absence, bool]] = [
    (GOOD, True),
    (IDLE, True),
    *((row[2], False) for row in MUTANTS if row[1] is not not_controlled),
]
DRAFTS = [
    (KEPT, True),
    *((Draft("then", b"a draft", found), False) for found in (b"a draft/pause", b"", None)),
]
STEPS = [list(steps) for steps in product(Grade, repeat=3)]
"""Of the steps before the last: none may count for more by its place."""


def upto_two(items: list[T]) -> list[tuple[T, ...]]:
    return [chosen for count in range(3) for chosen in combinations(items, count)]


def test_what_was_seen_decides_whichever_steps_failed() -> None:
    for absences, drafts in product(upto_two(ABSENCES), upto_two(DRAFTS)):
        seen = [absence for absence, _ in absences]
        wrong = not all(well for _, well in (*absences, *drafts))
        claimed, reasons = claim(seen, [draft for draft, _ in drafts])
        assert bool(reasons) == (claimed is not Grade.PASSED)
        for steps in STEPS:
            found = claim_after(steps, claimed)
            if wrong:
                assert found is Claim.REFUSED, (absences, drafts, steps)
            elif not any(map(was_busy, seen)):
                assert found is Claim.NOT_TESTED, (absences, drafts, steps)
            else:
                assert (found is Claim.HOLDS) == (Grade.FAILED not in steps), (absences, drafts, steps)


def test_the_line_says_the_claim_after_all_steps() -> None:
    said = set()
    for grades in product(Grade, repeat=4):
        line = claim_line([Step(number, "title", grade, "") for number, grade in enumerate(grades, 1)])
        assert line == CLAIMS[claim_after(grades, grades[-1])]
        assert ("REFUSED" in line) >= (grades[-1] is Grade.FAILED)
        said.add(line)
    assert said == set(CLAIMS.values())


def test_calls_that_touch_the_absence_are_its_calls() -> None:
    spans = [(LEFT - 9, LEFT - 1), (LEFT - 5, LEFT + 5), (LEFT - 5, None), (LEFT + 5_000, None)]
    assert inside(spans, GOOD) == ((LEFT - 5, LEFT + 5), (LEFT - 5, None))
