"""What is held and what is told decide, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from attention_framework import Break, Hold, Scope
from attention_framework.break_watch.plan import Plan, plan

NOW = 1_000
runs = st.sampled_from(["r1", "r2", "r3"])
sources = st.sampled_from(["s1", "s2", "attention break-start"])
deadlines = st.sampled_from([NOW, NOW + 1, NOW + 500])
breaks = st.builds(Break, runs, st.just("mini"), st.just(0), deadlines)
told_by = st.dictionaries(
    st.sampled_from(["s1", "s2"]), st.none() | st.lists(breaks, unique_by=lambda b: b.run)
)
kinds = st.sampled_from(["break", "manual"])
every_hold = st.lists(
    st.builds(Hold, runs, kinds, sources, st.just(Scope()), st.just(0), deadlines | st.none()),
    unique_by=lambda hold: hold.run,
)


def carried_out(holds: list[Hold], decided: Plan) -> list[Hold]:
    left = [hold for hold in holds if hold not in decided.release]
    new = [Hold(found.run, "break", source, Scope(), 0, found.deadline_ms) for source, found in decided.take]
    return left + new


@given(every_hold, told_by, st.frozensets(runs))
def test_only_holds_of_breaks_of_these_sources_are_released(
    holds: list[Hold], told: dict[str, list[Break] | None], seen: frozenset[str]
) -> None:
    for hold in plan(holds, told, seen, NOW).release:
        assert hold.kind == "break"
        assert hold.source in told


@given(every_hold, told_by)
def test_what_is_carried_out_leaves_nothing_to_do(
    holds: list[Hold], told: dict[str, list[Break] | None]
) -> None:
    first = plan(holds, told, frozenset(), NOW)
    left = carried_out(holds, first)
    again = plan(left, told, first.seen, NOW)

    assert again.release == ()
    assert {found.run for _, found in again.take} <= {hold.run for hold in first.release}
    assert len({hold.run for hold in left}) == len(left)


@given(every_hold, told_by)
def test_after_it_our_holds_are_the_breaks_that_go_on(
    holds: list[Hold], told: dict[str, list[Break] | None]
) -> None:
    left = carried_out(holds, plan(holds, told, frozenset(), NOW))
    for hold in left:
        answer = told.get(hold.source)
        if hold.kind == "break" and answer is not None:
            assert hold.run in {found.run for found in answer}
            assert hold.in_force(NOW)


@given(every_hold, told_by)
def test_a_silent_source_keeps_its_holds_until_their_deadline(
    holds: list[Hold], told: dict[str, list[Break] | None]
) -> None:
    silent = dict.fromkeys(told)
    decided = plan(holds, silent, frozenset(), NOW)

    assert decided.take == ()
    assert all(not hold.in_force(NOW) for hold in decided.release)


def test_a_break_that_somebody_else_ended_is_not_begun_again() -> None:
    told = {"s1": [Break("r1", "mini", 0, NOW + 9)]}
    first = plan([], told, frozenset(), NOW)
    second = plan([], told, first.seen, NOW)

    assert [found.run for _, found in first.take] == ["r1"]
    assert second.take == ()
    assert plan([], {"s1": None}, second.seen, NOW).seen == second.seen
    assert plan([], {"s1": []}, second.seen, NOW).seen == frozenset()


def test_a_break_without_a_deadline_is_over_after_the_longest_time() -> None:
    endless = Break("r1", "mini", 0, None)

    assert plan([], {"s1": [endless]}, frozenset(), 3_599_999).take
    assert not plan([], {"s1": [endless]}, frozenset(), 3_600_000).take
    assert not plan([], {"s1": [replace(endless, deadline_ms=NOW)]}, frozenset(), NOW).take
