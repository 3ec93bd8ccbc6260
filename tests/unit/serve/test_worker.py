from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from attention_framework import CycleReport, Decision, Outcome
from attention_framework.runner import Woken
from attention_framework.serve.work import (
    BURST,
    FIRST_LOOK_MS,
    FIRST_RETRY_MS,
    PACE_MS,
    SAFETY_MS,
    Agenda,
    Pace,
    Work,
)
from attention_framework.serve.worker import Worker
from attention_framework.testing import SESSION, Memory, until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BOUND_S = 10.0


def report(*outcomes: Outcome, error: str = "", again_ms: int | None = None) -> CycleReport:
    decisions = tuple(Decision("key", "p", "omp", outcome, "") for outcome in outcomes)
    return CycleReport("c", "t", SESSION, "key", 0, decisions, error=error, again_ms=again_ms)


class Cycles:
    """Cycles that a test lets end, one by one; `held` makes each wait."""

    def __init__(self) -> None:
        self.held = False
        self.begun = threading.Semaphore(0)
        self.may_end = threading.Semaphore(0)
        self.triggers: list[list[str]] = []
        self.problem: Exception | None = None
        self.before_take: Exception | None = None

    def __call__(self, take: Callable[[], Sequence[str]]) -> Woken:
        if self.before_take:
            raise self.before_take
        self.triggers.append(list(take()))
        self.begun.release()
        if self.held:
            assert self.may_end.acquire(timeout=BOUND_S)
        if self.problem:
            raise self.problem
        return Woken(SESSION, report())


@pytest.fixture
def cycles() -> Cycles:
    return Cycles()


@pytest.fixture
def worker(cycles: Cycles, memory: Memory) -> Iterator[Worker]:
    worker = Worker("test", cycles, memory.clock)
    yield worker
    worker.stop()
    cycles.may_end.release(1000)
    worker.join(BOUND_S)


def begun(cycles: Cycles, worker: Worker) -> None:
    worker.start()
    assert cycles.begun.acquire(timeout=BOUND_S)


def test_it_looks_once_when_it_starts(cycles: Cycles, worker: Worker) -> None:
    begun(cycles, worker)
    assert cycles.triggers == [["look"]]


def test_a_wake_up_during_a_cycle_is_answered_by_the_next_one(cycles: Cycles, worker: Worker) -> None:
    cycles.held = True
    first = worker.wake("first")
    begun(cycles, worker)
    second, third = worker.wake("second"), worker.wake("third")
    cycles.may_end.release()
    assert first.done.wait(BOUND_S)
    assert not second.done.is_set()
    cycles.may_end.release()
    assert second.done.wait(BOUND_S)
    assert third.done.wait(BOUND_S)
    assert cycles.triggers == [["first"], ["second", "third"]]


def test_ten_thousand_wake_ups_cost_few_cycles(cycles: Cycles, worker: Worker) -> None:
    worker.start()
    wakes = [worker.wake(f"w{number}") for number in range(10_000)]
    assert all(wake.done.wait(BOUND_S) for wake in wakes)
    assert all(wake.woken is not None for wake in wakes)
    assert worker.tally.wakes == 10_000
    # As the clock stands still here, the bucket does not fill; the rest is one after the pause.
    assert worker.tally.cycles <= BURST + 10
    assert {name for names in cycles.triggers for name in names} - {"look"} == {
        f"w{n}" for n in range(10_000)
    }


def test_a_cycle_that_breaks_ends_neither_the_worker_nor_the_wait(cycles: Cycles, worker: Worker) -> None:
    cycles.problem = RuntimeError("broken")
    wake = worker.wake("x")
    worker.start()
    assert wake.done.wait(BOUND_S)
    assert wake.woken is None
    assert worker.tally.error == "RuntimeError: broken"
    cycles.problem = None
    again = worker.wake("y")
    assert again.done.wait(BOUND_S)
    assert again.woken is not None
    assert worker.tally.failed_in_a_row == 0


def test_those_for_whom_no_cycle_could_begin_are_told(cycles: Cycles, worker: Worker) -> None:
    cycles.before_take = RuntimeError("the lock is never free")
    wake = worker.wake("x")
    worker.start()
    assert wake.done.wait(BOUND_S)
    assert cycles.triggers == []


def test_after_the_stop_nobody_waits(cycles: Cycles, worker: Worker) -> None:
    cycles.held = True
    begun(cycles, worker)
    waiting = worker.wake("x")
    worker.stop()
    cycles.may_end.release()
    assert waiting.done.wait(BOUND_S)
    assert worker.wake("y").done.is_set()
    assert len(cycles.triggers) == 1


def test_whoever_waits_for_a_cycle_is_told_of_its_end(cycles: Cycles, worker: Worker) -> None:
    begun(cycles, worker)
    until(lambda: worker.tally.cycles == 1)
    before = worker.tally.cycles
    worker.wake("x")
    worker.wait_for_cycle(before, BOUND_S)
    assert worker.tally.cycles > before


class TestAgenda:
    def due(self, agenda: Agenda, *reports: CycleReport | None) -> float:
        for one in reports:
            agenda.ended(1_000.0, one)
        return agenda.due_ms - 1_000.0

    def test_at_the_start_it_is_due(self) -> None:
        assert Agenda().due_ms < 0

    def test_what_no_event_told_is_seen_by_the_safety_look(self) -> None:
        assert self.due(Agenda(), report(Outcome.PAUSED)) == SAFETY_MS

    @pytest.mark.parametrize("outcome", [Outcome.PAUSE_SENT, Outcome.NOT_CONFIRMED, Outcome.READ_FAILED])
    def test_what_is_open_is_looked_at_again_later_each_time(self, outcome: Outcome) -> None:
        agenda = Agenda()
        waits = [self.due(agenda, report(outcome)) for _ in range(6)]
        assert waits[:3] == [FIRST_LOOK_MS, 2 * FIRST_LOOK_MS, 4 * FIRST_LOOK_MS]
        assert waits[-1] == SAFETY_MS
        assert self.due(agenda, report(), report(outcome)) == FIRST_LOOK_MS

    @pytest.mark.parametrize("failed", [report(error="no answer"), None])
    def test_a_failed_cycle_is_tried_again_later_each_time(self, failed: CycleReport | None) -> None:
        agenda = Agenda()
        assert self.due(agenda, failed) == FIRST_RETRY_MS
        assert self.due(agenda, failed) == 2 * FIRST_RETRY_MS
        assert self.due(agenda, *[failed] * 20) == SAFETY_MS
        assert self.due(agenda, report(), failed) == FIRST_RETRY_MS

    def test_an_absence_that_is_too_short_yet_is_looked_at_when_it_is_not(self) -> None:
        assert self.due(Agenda(), report(Outcome.LEFT_RUNNING, again_ms=150)) == 150
        assert self.due(Agenda(), report(Outcome.LEFT_RUNNING, again_ms=0)) == 1


class TestPace:
    def test_a_few_begin_at_once_then_one_in_a_while(self) -> None:
        pace = Pace()
        waits = [pace.wait_ms(1_000.0) for _ in range(BURST + 3)]
        assert waits == [0.0] * BURST + [PACE_MS, 2 * PACE_MS, 3 * PACE_MS]

    def test_in_quiet_times_it_fills_again(self) -> None:
        pace = Pace()
        for _ in range(BURST):
            pace.wait_ms(1_000.0)
        assert [pace.wait_ms(1_000.0 + BURST * PACE_MS) for _ in range(BURST)] == [0.0] * BURST

    def test_a_storm_of_a_second_costs_a_bounded_number(self) -> None:
        pace, now_ms, begun = Pace(), 1_000.0, 0
        while now_ms < 2_000.0:
            now_ms += pace.wait_ms(now_ms) + 0.1
            begun += 1
        assert begun <= BURST + 1000 / PACE_MS + 1


class TestWork:
    """What a thread does with it, without one."""

    def done(self, work: Work, now_ms: float, woken: Woken | None = None) -> list[str]:
        return [wake.trigger for wake in work.ended(now_ms, now_ms, 0, woken or Woken(SESSION, report()), "")]

    def test_there_is_nothing_to_do_until_somebody_wakes_it_or_a_look_is_due(self) -> None:
        work = Work()
        assert work.rest_ms(1_000.0) == 0
        work.begin()
        assert work.take() == []
        assert self.done(work, 1_000.0) == []
        assert work.rest_ms(1_000.0) == SAFETY_MS
        work.wake("x")
        assert work.rest_ms(1_000.0) == 0

    def test_who_comes_before_the_cycle_has_begun_is_covered_and_who_comes_later_is_not(self) -> None:
        work = Work()
        work.wake("before")
        work.begin()
        work.wake("while it waits for the lock")
        assert work.take() == ["before", "while it waits for the lock"]
        work.wake("too late")
        assert self.done(work, 1_000.0) == ["before", "while it waits for the lock"]
        assert work.rest_ms(1_000.0) == 0
        work.begin()
        assert work.take() == ["too late"]

    def test_of_a_cycle_that_could_not_begin_everybody_hears(self) -> None:
        work = Work()
        work.wake("x")
        work.begin()
        assert self.done(work, 1_000.0, Woken(SESSION, None, "the lock")) == ["x"]
        assert not work.woken

    def test_after_the_stop_nothing_begins_and_nobody_waits(self) -> None:
        work = Work()
        first = work.wake("x")
        work.stopped = True
        assert (work.rest_ms(0.0), work.pause_ms(0.0)) == (0, 0)
        assert work.wake("y").done.is_set()
        assert work.left() == [first]
        assert work.left() == []
