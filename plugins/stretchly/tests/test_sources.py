"""The break sources `stretchly` and `marker`."""

from __future__ import annotations

import json
import os
from datetime import datetime
from threading import Event, Semaphore, Thread
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.durations import at_most_ms
from attention_stretchly.marker import MarkerBreaks, MarkerSettings
from attention_stretchly.places import places
from attention_stretchly.source import StretchlyBreaks, StretchlySettings
from attention_stretchly.values import Kind

from attention_framework import HostUnavailable
from attention_framework.testing import BreakSourceContract, FakeContext, Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from attention_framework import Break, BreakSource
    from conftest import LogFile

STORE = "Packages/33881JanHovancik.stretchly_24fg4m0zq65je/LocalCache/Roaming/Stretchly/logs/main.log"


def at(memory: Memory, log: LogFile, after_s: float = 0) -> None:
    """Put our clock so long after the last line of the log."""
    memory.clock.set_wall(round((log.writer.now.timestamp() + after_s) * 1000))


def stretchly(memory: Memory, log: Path | None = None) -> StretchlyBreaks:
    settings = StretchlySettings(log=str(log) if log else None)
    return StretchlyBreaks(settings, FakeContext(memory.effects))


class TestStretchlyContract(BreakSourceContract):
    @pytest.fixture
    def make_source(self, memory: Memory, log: LogFile) -> Callable[[], BreakSource]:
        log.start()
        at(memory, log, 1)
        return lambda: stretchly(memory, log.path)


class TestMarkerContract(BreakSourceContract):
    @pytest.fixture
    def make_source(self, memory: Memory, tmp_path: Path) -> Callable[[], BreakSource]:
        path = written(memory, tmp_path)
        return lambda: marker(memory, path)


def test_a_break_goes_on_until_the_log_tells_its_end(memory: Memory, log: LogFile) -> None:
    source = stretchly(memory, log.path)
    assert source.current() == []

    log.start()
    at(memory, log, 1)
    [found] = source.current()
    assert (found.run, found.kind) == ("stretchly-mini-2025-03-10T09:00:00.003", "mini")
    assert found.deadline_ms == found.started_ms + 35_000

    log.say("postponing Mini break")
    assert source.current() == []


@pytest.mark.parametrize(("name", "lasts_s"), [("Mini break", 35), ("Long break", 605)])
def test_a_break_without_an_end_is_given_up(memory: Memory, log: LogFile, name: str, lasts_s: int) -> None:
    log.start(name)
    at(memory, log, lasts_s - 1)
    assert stretchly(memory, log.path).current()

    at(memory, log, lasts_s)
    assert stretchly(memory, log.path).current() == []


def test_a_break_of_before_the_clock_was_set_back_is_given_up(memory: Memory, log: LogFile) -> None:
    log.start()
    at(memory, log, -3_600)
    assert stretchly(memory, log.path).current() == []


def test_the_newest_log_is_followed_with_the_durations_beside_it(
    memory: Memory, log: LogFile, tmp_path: Path
) -> None:
    memory.environment |= {"HOME": str(tmp_path), "APPDATA": str(tmp_path / "roaming")}
    old, new = tmp_path / ".config/Stretchly/logs", tmp_path / "roaming/Stretchly/logs"
    for folder in (old, new):
        folder.mkdir(parents=True)
    log.start("Long break")
    log.path.rename(old / "main.log")
    os.utime(old / "main.log", (1, 1))
    log.start()
    log.path.rename(new / "main.log")
    at(memory, log, 1)
    memory.disk.put(new.parent / "config.json", b'{"microbreakDuration": 40000}')

    [found] = stretchly(memory).current()

    assert found.kind == "mini"
    assert found.deadline_ms == found.started_ms + 55_000


def test_every_packaging_is_looked_for() -> None:
    known = {
        place.log.as_posix()
        for place in places({"HOME": "/h", "APPDATA": "/a", "LOCALAPPDATA": "/l", "XDG_CONFIG_HOME": "/x"})
    }

    assert known == {
        "/a/Stretchly/logs/main.log",
        f"/l/{STORE}",
        "/x/Stretchly/logs/main.log",
        "/h/.config/Stretchly/logs/main.log",
        "/h/.var/app/net.hovancik.Stretchly/config/Stretchly/logs/main.log",
        "/h/snap/stretchly/current/.config/Stretchly/logs/main.log",
        "/h/Library/Logs/Stretchly/main.log",
    }
    [named] = places({"HOME": "/h"}, "~/Data/logs/main.log")
    assert (named.log.as_posix(), named.config.as_posix()) == ("/h/Data/logs/main.log", "/h/Data/config.json")


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (None, 9_000),
        (b"{", 9_000),
        (b"[]", 9_000),
        (b'{"breakDuration": "long"}', 9_000),
        (b'{"breakDuration": true}', 9_000),
        (b'{"breakDuration": -1}', 9_000),
        (b'{"breakDuration": NaN}', 9_000),
        (json.dumps({"breakDuration": 60_000}).encode(), 61_000),
        (b"{}", 301_000),
    ],
)
def test_durations(config: bytes | None, expected: int) -> None:
    assert at_most_ms(config, Kind.LONG, 1_000, 9_000) == expected


def test_a_log_that_cannot_be_read_is_named(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(HostUnavailable, match="cannot be read"):
        stretchly(memory, tmp_path).current()


def written(memory: Memory, folder: Path, content: str = "") -> Path:
    path = folder / "break"
    path.write_text(content, encoding="utf-8")
    memory.clock.set_wall(round(path.stat().st_mtime * 1000) + 1)
    return path


def marker(memory: Memory, path: Path) -> MarkerBreaks:
    return MarkerBreaks(MarkerSettings(file=str(path), at_most_s=60), FakeContext(memory.effects))


def test_a_break_goes_on_while_the_file_is_there(memory: Memory, tmp_path: Path) -> None:
    path = written(memory, tmp_path)
    [found] = marker(memory, path).current()
    assert found.deadline_ms == found.started_ms + 60_000

    path.unlink()
    assert marker(memory, path).current() == []


def test_a_file_that_nobody_removes_is_given_up(memory: Memory, tmp_path: Path) -> None:
    path = written(memory, tmp_path)
    memory.clock.advance(60_000)
    assert marker(memory, path).current() == []


def test_a_file_of_a_process_that_is_gone_counts_for_nothing(memory: Memory, tmp_path: Path) -> None:
    memory.processes.start(4711)
    path = written(memory, tmp_path, "4711\n")
    assert marker(memory, path).current()

    memory.processes.end(4711)
    assert marker(memory, path).current() == []


def test_what_is_no_file_is_refused(memory: Memory, tmp_path: Path) -> None:
    memory.clock.set_wall(round(datetime.now().timestamp() * 1000))
    with pytest.raises(HostUnavailable, match="cannot be read"):
        marker(memory, tmp_path).current()


def test_without_a_file_it_tells_of_nothing_and_says_so(memory: Memory) -> None:
    assert MarkerBreaks(MarkerSettings(), FakeContext(memory.effects)).current() == []
    assert MarkerBreaks.warnings(MarkerSettings())


def test_a_watch_wakes_when_a_break_begins_and_when_it_ends(memory: Memory, log: LogFile) -> None:
    source, stop, woken = stretchly(memory, log.path), Event(), Semaphore(0)
    log.say("initializing...")
    asked = Event()

    def current() -> Sequence[Break]:
        found = StretchlyBreaks.current(source)
        asked.set()
        return found

    source.current = current  # type: ignore[method-assign]
    thread = Thread(target=source.watch, args=(lambda reason: woken.release(), stop), daemon=True)
    thread.start()
    try:
        assert asked.wait(5)
        at(memory, log, 1)
        log.start()
        assert woken.acquire(timeout=5)
        log.say("resetting breaks")
        assert woken.acquire(timeout=5)
    finally:
        stop.set()
        thread.join(5)
