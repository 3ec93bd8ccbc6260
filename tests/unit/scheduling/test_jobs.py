from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import AtLogon, EachHour, Job, suitable_scheduler

DIVISORS = [minutes for minutes in range(1, 61) if 60 % minutes == 0]


def test_minutes_that_are_left_out_are_left_out() -> None:
    assert EachHour.every(10, without=[50]).minutes == (0, 10, 20, 30, 40)


@given(st.sampled_from(DIVISORS))
def test_the_interval_of_an_even_hour_is_what_it_was_made_with(minutes: int) -> None:
    assert EachHour.every(minutes).interval == minutes


@given(st.sets(st.integers(0, 59), min_size=1))
def test_an_interval_means_exactly_these_minutes(minutes: set[int]) -> None:
    at = EachHour(tuple(minutes))
    assert at.minutes == tuple(sorted(minutes))
    assert at.interval is None or EachHour.every(at.interval) == at


@pytest.mark.parametrize("minutes", [0, -5, 7, 45, 61, 120])
def test_an_interval_that_does_not_divide_an_hour_is_refused(minutes: int) -> None:
    with pytest.raises(ValueError, match="do not divide an hour"):
        EachHour.every(minutes)


@pytest.mark.parametrize("minutes", [(), (60,), (-1,)])
def test_what_is_no_minute_of_an_hour_is_refused(minutes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="from 0 to 59"):
        EachHour(minutes)


def test_people_read_when_it_is() -> None:
    assert str(EachHour((50, 5))) == "at :05 :50 of every hour"
    assert "logon" in str(AtLogon())


@pytest.mark.parametrize("name", ["", "Mini", "a b", "../x", "a--b", "ü"])
def test_a_name_that_would_be_no_file_everywhere_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no name for a job"):
        Job(name, "x", ("/x",), AtLogon())


@pytest.mark.parametrize(("command", "limit"), [((), 5), (("/a\nb",), 5), (("/a",), 0)])
def test_a_job_that_nothing_could_run_is_refused(command: tuple[str, ...], limit: int) -> None:
    with pytest.raises(ValueError, match="the job x"):
        Job("x", "x", command, AtLogon(), limit)


@pytest.mark.parametrize(
    ("platform", "name"), [("win32", "task-scheduler"), ("darwin", "launchd"), ("linux", "systemd")]
)
def test_each_system_has_one_that_suits(platform: str, name: str) -> None:
    assert suitable_scheduler(platform) == name
