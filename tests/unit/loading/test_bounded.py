"""Calls with a time limit."""

from __future__ import annotations

import sys
import threading
import time

import pytest

from attention_framework.bounded import MOST_HANGING, Bounded, Caller, Ending, Inline, describe
from attention_framework.kinds import HostUnavailable
from attention_framework.testing import until

LIMIT_S = 0.05


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def hang():
    """An event to hang on; set at the end, so that no thread is left behind."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture(params=["bounded", "inline"])
def caller(request: pytest.FixtureRequest, told: list[str]) -> Caller:
    return Bounded(told.append) if request.param == "bounded" else Inline(told.append)


def test_each_gives_one_result_per_item_in_order(caller: Caller) -> None:
    assert [result.value for result in caller.each("s", str, [3, 1, 2])] == ["3", "1", "2"]


def test_an_item_that_raises_stops_no_other_and_is_reported_with_its_place(
    caller: Caller, told: list[str]
) -> None:
    results = caller.each("s", lambda divisor: 6 // divisor, [1, 0, 3])

    assert [result.ending for result in results] == [Ending.DONE, Ending.RAISED, Ending.DONE]
    assert results[2].value == 2
    assert told == [f"s: {results[1].problem}"]
    assert "ZeroDivisionError" in told[0]
    assert "test_bounded.py:" in told[0]


def test_the_same_problem_of_many_items_is_reported_once(caller: Caller, told: list[str]) -> None:
    caller.each("s", lambda _: 1 // 0, range(100))

    assert len(told) == 1


def test_an_expected_error_is_an_answer_and_not_reported(caller: Caller, told: list[str]) -> None:
    def unavailable() -> None:
        raise HostUnavailable("tmux is not running")

    result = caller.call("s", unavailable)

    assert (result.problem, result.value, told) == ("tmux is not running", None, [])


def test_a_plugin_cannot_end_the_process(caller: Caller, told: list[str]) -> None:
    result = caller.call("s", lambda: sys.exit(3))

    assert result.ending is Ending.RAISED
    assert "SystemExit: 3" in told[0]


def test_nothing_is_called_for_no_items(caller: Caller) -> None:
    assert caller.each("s", lambda _: 1 // 0, []) == []


def test_a_call_within_a_call_works(caller: Caller) -> None:
    assert caller.call("outer", lambda: caller.call("inner", lambda: 5).value).value == 5


def test_inline_lets_the_person_interrupt(told: list[str]) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Inline(told.append).call("s", interrupt)


def test_an_item_that_hangs_is_given_up_and_named_and_the_rest_is_not_called(
    told: list[str], hang: threading.Event
) -> None:
    def wait_on_two(item: int) -> int:
        return hang.wait() if item == 2 else item

    results = Bounded(told.append, LIMIT_S).each("slow", wait_on_two, [1, 2, 3, 4])

    assert [result.ending for result in results] == [
        Ending.DONE,
        Ending.TIMED_OUT,
        Ending.NOT_CALLED,
        Ending.NOT_CALLED,
    ]
    assert told == ["slow: gave no answer within 0.05 s on 2, and is not called again"]


def test_the_time_in_which_the_whole_process_was_stopped_is_held_against_nobody(
    told: list[str], hang: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_s = 0.0

    def monotonic() -> float:
        """Everybody goes on once somebody has seen how late it is."""
        if stopped_s:
            hang.set()
        return real() + stopped_s

    def be_stopped() -> str:
        nonlocal stopped_s
        stopped_s = 100.0
        hang.wait()
        return "answered"

    real = time.monotonic
    monkeypatch.setattr("attention_framework.bounded.time.monotonic", monotonic)
    bounded = Bounded(told.append, 1.0)
    assert bounded.call("slow", be_stopped).value == "answered"
    assert bounded.given_up == {}


def test_a_strategy_that_hung_is_not_called_again_and_others_are(
    told: list[str], hang: threading.Event
) -> None:
    bounded = Bounded(told.append, LIMIT_S)
    bounded.call("slow", hang.wait)
    called: list[str] = []

    again = bounded.call("slow", lambda: called.append("slow"))
    bounded.call("other", lambda: called.append("other"))

    assert called == ["other"]
    assert again.ending is Ending.NOT_CALLED
    assert "no answer" in again.problem
    assert len(told) == 1


def test_the_limit_holds_for_each_item_and_not_for_all_together(told: list[str]) -> None:
    never = threading.Event()

    results = Bounded(told.append, 0.5).each("s", lambda _: never.wait(0.12), range(6))

    assert {result.ending for result in results} == {Ending.DONE}


def test_a_given_up_call_that_returns_after_all_does_not_go_on_with_the_rest(
    told: list[str], hang: threading.Event
) -> None:
    called: list[int] = []
    threads: list[threading.Thread] = []

    def note(item: int) -> None:
        called.append(item)
        threads.append(threading.current_thread())
        hang.wait()

    Bounded(told.append, LIMIT_S).each("s", note, [1, 2, 3])
    hang.set()
    threads[0].join(10)

    assert not threads[0].is_alive()
    assert called == [1]


def test_a_thousand_items_take_one_thread(told: list[str]) -> None:
    bounded = Bounded(told.append)

    threads = {
        result.value
        for _ in range(3)
        for result in bounded.each("s", lambda _: threading.get_ident(), range(1000))
    }

    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_a_thread_that_hangs_does_not_keep_the_process_alive(told: list[str], hang: threading.Event) -> None:
    ours: list[threading.Thread] = []

    def note() -> None:
        ours.append(threading.current_thread())
        hang.wait()

    Bounded(told.append, LIMIT_S).call("s", note)

    assert ours[0].daemon


def test_a_description_needs_no_message() -> None:
    assert describe(ValueError()) == "ValueError"


class TestStaying:
    """In a process that goes on for days a strategy that hung gets other chances."""

    @pytest.fixture
    def staying(self, told: list[str]) -> Bounded:
        caller = Bounded(told.append, LIMIT_S)
        caller.stays = True
        caller.first_rest_s = 0.0
        return caller

    def test_one_that_hung_is_called_again_after_a_rest(
        self, staying: Bounded, told: list[str], hang: threading.Event
    ) -> None:
        assert staying.call("s", hang.wait).ending is Ending.TIMED_OUT
        assert told == ["s: gave no answer within 0.05 s, and is not called for a while"]
        assert staying.call("s", lambda: 7).value == 7
        assert staying.given_up == {}

    def test_during_the_rest_it_is_not_called_and_says_why(
        self, staying: Bounded, hang: threading.Event
    ) -> None:
        staying.first_rest_s = 3_600.0
        staying.call("s", hang.wait)
        assert staying.call("s", lambda: 7).ending is Ending.NOT_CALLED
        assert staying.call("other", lambda: 7).value == 7
        assert list(staying.given_up) == ["s"]

    def test_each_time_it_hangs_the_rest_is_longer(self, staying: Bounded, hang: threading.Event) -> None:
        rests = []
        for _ in range(3):
            staying.call("s", hang.wait)
            given_up = staying._given_up["s"]
            rests.append(given_up.rest_s)
            given_up.rest_s, given_up.until = max(given_up.rest_s, 1.0), 0.0
        assert rests == [0.0, 2.0, 4.0]

    def test_not_while_too_many_of_its_calls_hang_and_again_when_one_has_come_back(
        self, staying: Bounded, hang: threading.Event
    ) -> None:
        for _ in range(MOST_HANGING):
            assert staying.call("s", hang.wait).ending is Ending.TIMED_OUT
            staying._given_up["s"].until = 0.0
        assert staying.call("s", lambda: 7).ending is Ending.NOT_CALLED
        hang.set()
        assert until(lambda: staying.call("s", lambda: 7).value) == 7

    def test_a_command_does_not_call_it_again(self, told: list[str], hang: threading.Event) -> None:
        caller = Bounded(told.append, LIMIT_S)
        caller.first_rest_s = 0.0
        caller.call("s", hang.wait)
        assert caller.call("s", lambda: 7).ending is Ending.NOT_CALLED
        assert list(caller.given_up) == ["s"]


def test_many_threads_may_call_at_once(told: list[str]) -> None:
    caller = Bounded(told.append, 60)
    wrong: list[object] = []

    def call() -> None:
        for number in range(300):
            value = caller.call("s", lambda number=number: number).value
            if value != number:
                wrong.append((number, value))

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (wrong, told) == ([], [])
