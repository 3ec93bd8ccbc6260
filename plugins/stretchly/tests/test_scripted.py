"""The program that stands in for Stretchly does what its log can show of the real one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.reader import BreakReader, read_breaks
from attention_stretchly.testing import VERSIONS, Script, ScriptedStretchly
from attention_stretchly.testing.electron_log import LogAppender
from attention_stretchly.testing.shown import LOADS_MS, Shown
from attention_stretchly.values import EndedBy, Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WITH_COMMANDS = [version for version in VERSIONS if version >= (1, 4)]


class World:
    """Its breaks, with a clock that the test moves."""

    def __init__(self, folder: Path, script: Script) -> None:
        self.log = folder / "main.log"
        self.now_ms = 0.0
        appender = LogAppender(self.log, script.version, script.newline, script.log_full)
        self.shown = Shown(script, appender, lambda: self.now_ms)

    def go_on(self, milliseconds: float) -> None:
        end = self.now_ms + milliseconds
        while (due := self.shown.next_ms) is not None and due <= end:
            self.now_ms = due
            self.shown.tick()
        self.now_ms = end

    @property
    def breaks(self) -> list[tuple[Kind, EndedBy]]:
        return [(each.kind, each.ended_by) for each in read_breaks(BreakReader(self.log))]

    @property
    def said(self) -> list[str]:
        return [line.partition("Stretchly: ")[2] for line in self.log.read_text().splitlines()]


ACTS: dict[EndedBy, Callable[[Shown], None]] = {
    EndedBy.FINISHED: Shown.skip,
    EndedBy.POSTPONED: Shown.postpone,
    EndedBy.RESET: Shown.reset,
    EndedBy.REPLACED: lambda shown: shown.skip_to(Kind.MINI, 60_000),
    EndedBy.LOST: Shown.start_app,
}


@pytest.mark.parametrize("version", WITH_COMMANDS)
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("by", ACTS)
def test_a_reader_finds_the_breaks_that_it_shows(
    tmp_path: Path, version: tuple[int, int], kind: Kind, by: EndedBy
) -> None:
    world = World(tmp_path, Script(version, newline="\r\n"))
    world.shown.start_app()
    world.shown.skip_to(kind)
    world.go_on(LOADS_MS + 5_000)
    assert world.breaks == [(kind, EndedBy.OPEN)]

    ACTS[by](world.shown)

    assert world.breaks == [(kind, by)]


@pytest.mark.parametrize(("kind", "lasts_ms"), [(Kind.MINI, 20_000), (Kind.LONG, 300_000)])
def test_a_break_runs_out_and_plays_a_sound(tmp_path: Path, kind: Kind, lasts_ms: float) -> None:
    world = World(tmp_path, Script())
    world.shown.skip_to(kind)
    world.go_on(LOADS_MS + lasts_ms - 1)
    assert world.breaks == [(kind, EndedBy.OPEN)]
    world.go_on(1)
    assert world.breaks == [(kind, EndedBy.FINISHED)]
    assert world.said[-1].startswith("playing audio/")


def test_a_postponed_break_comes_again(tmp_path: Path) -> None:
    world = World(tmp_path, Script(postpone_after_ms=1_000, speed=10))
    world.shown.skip_to(Kind.MINI)
    world.go_on(12_500)
    assert world.breaks == [(Kind.MINI, EndedBy.POSTPONED), (Kind.MINI, EndedBy.POSTPONED)]


def test_a_long_break_over_a_mini_one_closes_it(tmp_path: Path) -> None:
    world = World(tmp_path, Script())
    world.shown.skip_to(Kind.MINI)
    world.go_on(1_000)
    world.shown.skip_to(Kind.LONG)
    world.go_on(1_000)
    assert world.breaks == [(Kind.MINI, EndedBy.REPLACED), (Kind.LONG, EndedBy.OPEN)]


def test_a_full_log_is_moved_away(tmp_path: Path) -> None:
    world = World(tmp_path, Script(log_full=500))
    for _ in range(5):
        world.shown.skip_to(Kind.MINI)
        world.go_on(1_000)
    assert (tmp_path / "main.old.log").exists()
    assert world.log.stat().st_size < 700
    assert world.breaks[-1] == (Kind.MINI, EndedBy.OPEN)


@pytest.mark.skipif(sys.platform != "win32", reason="elsewhere a file that is open can be renamed")
def test_a_full_log_that_is_open_elsewhere_is_cropped(tmp_path: Path) -> None:
    world = World(tmp_path, Script(log_full=500))
    world.shown.skip_to(Kind.MINI)
    with world.log.open("rb"):
        while b"[log cropped]" not in world.log.read_bytes():
            world.shown.resume()
    assert not (tmp_path / "main.old.log").exists()


def test_the_first_process_stays_and_the_others_hand_over(tmp_path: Path) -> None:
    with ScriptedStretchly(tmp_path, speed=1) as stretchly:
        stretchly.start()
        stretchly.call("help")
        stretchly.call("nonsense")
        stretchly.call("mini")

        assert stretchly.pid is not None
        said = [line for line in stretchly.lines() if line and not line.startswith(("init", "load"))]
        assert said[:4] == [
            "arguments received from second instance: help",
            "arguments received from second instance: mini",
            "skip to Mini break (requested by second instance)",
            "skipping to Mini break",
        ]
        written = stretchly.log.read_text(encoding="utf-8")
        assert "[error] Stretchly 2: command 'nonsense' is not supported" in written
        assert "Stretchly 2: forwarding command 'mini' to the main instance" in written

        stretchly.quit()
        assert stretchly.pid is None
