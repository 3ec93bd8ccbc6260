"""Following a log through all that happens to the file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from attention_stretchly import cursor, tail
from attention_stretchly.files import Part, RealLogFiles
from attention_stretchly.reader import BreakReader, read_breaks
from attention_stretchly.testing import VERSIONS, LogWriter, Scripted
from attention_stretchly.values import EndedBy, Kind
from hypothesis import given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attention_stretchly.values import LoggedBreak

    from conftest import LogFile


def ends(found: list[LoggedBreak]) -> list[tuple[int, str]]:
    return [(each.number, each.ended_by.value) for each in found]


@pytest.fixture
def reader(log: LogFile) -> BreakReader:
    return BreakReader(log.path)


def test_each_poll_tells_what_has_changed(log: LogFile, reader: BreakReader) -> None:
    log.start()
    assert ends(reader.poll()) == [(1, "open")]
    assert ends(reader.poll()) == []

    log.finish()
    assert ends(reader.poll()) == [(1, "finished")]

    log.start()
    log.finish()
    assert ends(reader.poll()) == [(2, "finished")]


def test_a_log_may_appear_later(log: LogFile, reader: BreakReader) -> None:
    assert reader.poll() == []

    log.start()
    assert ends(reader.poll()) == [(1, "open")]


def test_half_a_line_waits_for_the_rest(log: LogFile, reader: BreakReader) -> None:
    log.add(b"[2025-03-10 10:00:00.000] [info]  Stretchly: finishing Mini Break")
    assert reader.poll() == []

    log.add(b" (shouldPlanNext: false)\r")
    assert reader.poll() == []

    log.add(b"\n")
    assert ends(reader.poll()) == [(1, "excluded")]


def test_the_last_line_of_a_log_that_is_read_once_needs_no_line_end(log: LogFile) -> None:
    log.add(b"[2025-03-10 10:00:00.000] [info]  Stretchly: starting Mini Break")

    assert ends(read_breaks(BreakReader(log.path))) == [(1, "open")]


def test_the_old_log_is_read_first(log: LogFile, reader: BreakReader) -> None:
    log.start()
    log.rotate()
    log.finish()

    assert ends(reader.poll()) == [(1, "finished")]


def test_no_line_goes_on_in_another_file(log: LogFile, reader: BreakReader) -> None:
    log.add(b"[2025-03-10 10:00:00.000] [info]  Stretchly: starting Mini Break")
    log.rotate()
    log.finish()

    assert ends(reader.poll()) == [(1, "finished")]


def test_a_rotation_between_two_polls_loses_nothing(log: LogFile, reader: BreakReader) -> None:
    log.start()
    reader.poll()
    log.finish()
    log.rotate()
    log.start("Long break")

    assert ends(reader.poll()) == [(1, "finished"), (2, "open")]
    log.finish("Long break")
    assert ends(reader.poll()) == [(2, "finished")]


def test_a_poll_may_fall_between_the_renaming_and_the_new_file(log: LogFile, reader: BreakReader) -> None:
    log.start()
    reader.poll()
    log.finish()
    log.rotate()

    assert ends(reader.poll()) == [(1, "finished")]
    assert reader.poll() == []
    log.start()
    assert ends(reader.poll()) == [(2, "open")]


def test_two_rotations_between_two_polls_lose_no_more_than_the_log_does(
    log: LogFile, reader: BreakReader
) -> None:
    log.start()
    log.rotate()
    log.finish()
    reader.poll()
    log.rotate()
    log.start()
    log.rotate()
    log.finish()

    (found,) = reader.poll()
    assert (found.number, found.start is None, found.ended_by) == (2, False, EndedBy.FINISHED)


def test_an_old_log_that_was_followed_is_not_read_again(log: LogFile, reader: BreakReader) -> None:
    log.start()
    reader.poll()
    log.rotate()
    log.finish()
    reader.poll()
    log.path.unlink()
    log.start()

    assert ends(reader.poll()) == [(2, "open")]


def test_an_old_log_that_was_read_is_not_read_again(log: LogFile, reader: BreakReader) -> None:
    log.start()
    log.rotate()
    log.finish()
    reader.poll()
    log.path.unlink()
    log.start()

    assert ends(reader.poll()) == [(2, "open")]


@pytest.mark.parametrize("kept", [262_144, 3_000, 1_500])
def test_a_log_that_is_cut_is_not_read_anew(log: LogFile, reader: BreakReader, kept: int) -> None:
    for _ in range(30):
        log.start()
        log.finish()
    log.start()
    assert len(reader.poll()) == 31
    log.crop(kept)
    log.finish()

    assert ends(reader.poll()) == [(31, "finished")]


def test_after_a_cut_the_clock_may_have_been_set_back(log: LogFile, reader: BreakReader) -> None:
    log.start()
    reader.poll()
    log.crop()
    log.writer.now = log.writer.now.replace(hour=1)
    log.finish()

    assert ends(reader.poll()) == [(1, "finished")]


def test_half_a_line_is_completed_after_the_cut(log: LogFile, reader: BreakReader) -> None:
    log.start()
    for _ in range(30):
        log.say("ready-to-show fired")
    line = b"[2025-03-10 11:00:00.000] [info]  Stretchly: finishing Mini break (shouldPlanNext: true)\n"
    log.add(line[:60])
    reader.poll()
    log.add(line[60:])
    log.crop(2_000)

    assert ends(reader.poll()) == [(1, "finished")]


def test_a_cut_log_whose_bytes_have_changed_is_told_by_its_stamps(log: LogFile, reader: BreakReader) -> None:
    """electron-log decodes and encodes what it keeps."""
    log.start()
    log.finish()
    log.add(b"\xff\xfe no text\n")
    log.start()
    reader.poll()
    log.crop()
    log.finish()

    assert ends(reader.poll()) == [(2, "finished")]


def test_a_cut_that_took_unread_lines_leaves_the_end_unknown(log: LogFile, reader: BreakReader) -> None:
    log.start()
    reader.poll()
    for _ in range(100):
        log.say("ready-to-show fired")
    log.start("Long break")
    log.crop(1_000)

    assert ends(reader.poll()) == [(1, "lost"), (2, "open")]


def test_an_emptied_log_is_a_new_one_whatever_its_clock_says(log: LogFile, reader: BreakReader) -> None:
    log.start()
    log.finish()
    reader.poll()
    log.path.write_bytes(b"[2024-01-01 00:00:00.000] [info]  Stretchly: starting Mini break\n")

    assert ends(reader.poll()) == [(2, "open")]


def test_of_a_huge_log_the_tail_is_read(
    log: LogFile, reader: BreakReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursor, "TAIL", 4_000)
    monkeypatch.setattr(cursor, "CHUNK", 500)
    for _ in range(100):
        log.start()
        log.finish()
    log.start()

    found = reader.poll()

    assert reader.skipped
    assert 5 < len(found) < 40
    assert found[-1].ended_by is EndedBy.OPEN


def test_what_is_skipped_may_have_been_the_end(
    log: LogFile, reader: BreakReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursor, "TAIL", 4_000)
    log.start()
    reader.poll()
    log.say(*["ready-to-show fired"] * 200)

    assert ends(reader.poll()) == [(1, "lost")]


def test_a_gigabyte_of_nothing_costs_no_more_than_its_tail(log: LogFile) -> None:
    log.path.touch()
    os.truncate(log.path, 1 << 30)
    log.add(b"\n")
    log.start()
    files = Counting()

    assert ends(read_breaks(BreakReader(log.path, files))) == [(1, "open")]
    assert files.bytes < 20 << 20
    assert files.largest < 2 << 20


class Counting(RealLogFiles):
    def __init__(self) -> None:
        self.bytes = self.largest = 0

    def read(self, path: Path, offset: int, limit: int) -> Part:
        part = super().read(path, offset, limit)
        self.bytes += len(part.content)
        self.largest = max(self.largest, len(part.content))
        return part


class Failing(RealLogFiles):
    """Refuses every other read."""

    refuses = False

    def read(self, path: Path, offset: int, limit: int) -> Part:
        self.refuses = not self.refuses
        if self.refuses:
            raise PermissionError(13, "somebody has it open", str(path))
        return super().read(path, offset, limit)


def test_a_poll_that_failed_can_be_repeated(log: LogFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cursor, "CHUNK", 100)
    for _ in range(10):
        log.start()
        log.finish()
    log.rotate()
    log.start()
    reader = BreakReader(log.path, Failing())
    found: dict[int, LoggedBreak] = {}
    for _ in range(100):
        try:
            changed = reader.poll()
        except PermissionError:
            continue
        found |= {each.number: each for each in changed}

    assert ends([found[number] for number in sorted(found)]) == [
        *((number, "finished") for number in range(1, 11)),
        (11, "open"),
    ]


def test_no_file_is_left_open(log: LogFile, reader: BreakReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """ResourceWarnings are errors here; what is open during a poll is closed when it is over."""
    log.start()
    reader.poll()

    log.path.replace(log.old)  # On Windows this fails while a handle is open.
    log.old.unlink()


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="is not a file"):
        BreakReader(tmp_path).poll()


def test_the_name_of_the_old_log(tmp_path: Path) -> None:
    assert tail.old_name(tmp_path / "S11-rotated.main.log") == tmp_path / "S11-rotated.main.old.log"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_happens_between_polls_the_breaks_are_the_same(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Writes in any portions; rotations and cuts at any moment between two lines, polled or not."""
    path = tmp_path_factory.mktemp("log") / "main.log"
    writer = LogWriter(data.draw(st.sampled_from(VERSIONS)))
    day = [Scripted(data.draw(st.sampled_from(Kind))) for _ in range(6)]
    expected = writer.play(day)
    reader = BreakReader(path)
    found: dict[int, LoggedBreak] = {}
    for line in writer.lines:
        step = data.draw(st.sampled_from(["write", "write", "poll", "half", "rotate", "crop"]))
        content = f"{line}\n".encode()
        half = 20 if step == "half" else 0
        if step in ("rotate", "crop"):
            found |= {
                each.number: each for each in reader.poll()
            }  # One old log is kept: be no further behind.
        if step == "rotate" and path.exists():
            path.replace(tail.old_name(path))
        if step == "crop" and path.exists():
            path.write_bytes(b"[log cropped]\n" + path.read_bytes()[-1_200:] + b"\n")
        with path.open("ab") as file:
            file.write(content[:half])
        if step in ("half", "poll"):
            found |= {each.number: each for each in reader.poll()}
        with path.open("ab") as file:
            file.write(content[half:])
    found |= {each.number: each for each in reader.poll()}

    assert [found[number] for number in sorted(found)] == expected


class Restless(RealLogFiles):
    """Something happens to the log before each of the next reads."""

    def __init__(self, *acts: Callable[[], None]) -> None:
        self.acts = list(acts)

    def read(self, path: Path, offset: int, limit: int) -> Part:
        if self.acts:
            self.acts.pop(0)()
        return super().read(path, offset, limit)


@pytest.mark.parametrize("times", range(1, 9))
def test_a_log_that_is_cut_while_its_place_is_looked_for_is_found_again(log: LogFile, times: int) -> None:
    for _ in range(20):
        log.start()
        log.finish()
    files = Restless()
    reader = BreakReader(log.path, files)
    reader.poll()
    sizes = iter(range(900, 100, -90))

    def cut() -> None:
        log.finish()
        log.crop(kept=next(sizes))

    files.acts = [cut] * times
    reader.poll()
    while files.acts:
        reader.poll()
    log.start()
    reader.poll()

    assert [each.kind for each in reader.going_on] == [Kind.MINI]


def test_an_old_log_that_is_replaced_while_it_is_read_first(log: LogFile) -> None:
    log.start()
    log.finish()
    log.rotate()
    log.start("Long break")
    moved = log.old.read_bytes()

    def replace() -> None:
        log.old.write_bytes(b"x" * len(moved) + moved)

    reader = BreakReader(log.path, Restless(lambda: None, replace))
    reader.poll()
    reader.poll()

    assert [each.kind for each in reader.going_on] == [Kind.LONG]
