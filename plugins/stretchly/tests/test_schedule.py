from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attention_stretchly.schedule import (
    INTERVALS,
    Schedule,
    read_launcher,
    read_long_at,
    read_mini_every,
)
from attention_stretchly.source import StretchlySettings
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import InstallRefused, WrongUsage

COMMAND = ("/venv/bin/python", "-m", "attention_framework")


def jobs(every: int = 10, at: int = 50, **settings: Any) -> tuple[Any, Any]:
    mini, long = Schedule("systemd", every, at).jobs(COMMAND, StretchlySettings(**settings))
    return mini, long


def test_the_jobs_run_the_driver_at_their_times() -> None:
    mini, long = jobs()
    assert mini.command == (*COMMAND, "break-run", "mini")
    assert long.command == (*COMMAND, "break-run", "long")
    assert mini.at.minutes == (0, 10, 20, 30, 40)
    assert long.at.minutes == (50,)


def test_no_mini_break_begins_within_the_long_one_which_it_would_end() -> None:
    assert jobs(every=5)[0].at.minutes == (0, 5, 10, 15, 20, 25, 30, 35, 40, 45)
    assert jobs(every=5, at=58)[0].at.minutes == (10, 15, 20, 25, 30, 35, 40, 45, 50, 55)
    assert jobs(every=5, long={"at_most_s": 130})[0].at.minutes == (*range(0, 50, 5), 55)
    assert 50 not in jobs(every=5, long={"at_most_s": 20})[0].at.minutes


@given(st.sampled_from(INTERVALS[:-1]), st.integers(0, 59))
def test_the_two_never_begin_together(every: int, at: int) -> None:
    mini, long = jobs(every, at)
    assert not set(mini.at.minutes) & set(long.at.minutes)


def test_if_no_mini_break_is_left_other_times_are_asked_for() -> None:
    with pytest.raises(WrongUsage, match="no mini break is left: every 10 minutes"):
        jobs(long={"at_most_s": 3600})


def test_a_run_is_ended_some_time_after_the_break_has_to_be_over() -> None:
    mini, long = jobs(mini={"at_most_s": 20.5})
    assert (mini.limit_s, long.limit_s) == (141, 725)


@pytest.mark.parametrize(("text", "minutes"), [("10m", 10), ("2m", 2), ("60m", 60), (" 5m ", 5)])
def test_intervals(text: str, minutes: int) -> None:
    assert read_mini_every(text) == minutes


@pytest.mark.parametrize("text", ["", "10", "7m", "0m", "1m", "120m", "1h", "-5m", "m", "１０m", "10 m"])
def test_other_intervals_are_refused_with_those_that_there_are(text: str) -> None:
    with pytest.raises(ValueError, match="2m, 3m, 4m, 5m, 6m, 10m, 12m, 15m, 20m, 30m, 60m"):
        read_mini_every(text)


def test_minutes_of_the_hour() -> None:
    assert [read_long_at(text) for text in (":00", ":09", ":59")] == [0, 9, 59]


@pytest.mark.parametrize("text", ["", "50", ":5", ":60", "12:50", ":-1", ":5a", ":٥٠"])
def test_other_minutes_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write :00 to :59"):
        read_long_at(text)


def test_a_launcher_is_a_powershell_file_by_its_absolute_path() -> None:
    assert read_launcher("x.ps1") == str(Path.cwd() / "x.ps1")
    with pytest.raises(ValueError, match=r"\.ps1"):
        read_launcher("x.bat")


def test_what_was_chosen_is_read_as_it_was_written() -> None:
    schedule = Schedule("launchd", 15, 0, "/x.ps1")
    assert Schedule.read(schedule.document(), Path("/s.json")) == schedule


@pytest.mark.parametrize(
    "change",
    [{"mini_every": 7}, {"mini_every": "x"}, {"long_at": 60}, {"long_at": None}, {"scheduler": ...}],
)
def test_a_record_that_says_something_else_is_refused(change: dict[str, Any]) -> None:
    document = json.loads(Schedule().document()) | change
    content = json.dumps({key: value for key, value in document.items() if value is not ...}).encode()
    with pytest.raises(InstallRefused, match="no longer tells what was set up"):
        Schedule.read(content, Path("/s.json"))


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"null"])
def test_a_record_that_is_none_is_refused(content: bytes) -> None:
    with pytest.raises(InstallRefused, match="no longer tells"):
        Schedule.read(content, Path("/s.json"))


def test_an_option_that_was_not_given_stays_as_it_was() -> None:
    before = Schedule("systemd", 15, 30)
    assert before.changed({"--long-at": 0}) == Schedule("systemd", 15, 0)


def test_times_without_a_scheduler_are_wrong_usage() -> None:
    with pytest.raises(WrongUsage, match=r"--mini-every and --long-at: .* Add --scheduler"):
        Schedule().changed({"--mini-every": 5, "--long-at": 0})
