"""What a reader finds in logs of every version, and in what they do not tell outright."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from attention_stretchly.lines import Sign, read_line
from attention_stretchly.machine import BreakMachine
from attention_stretchly.splitting import LONGEST, LineSplitter
from attention_stretchly.testing import VERSIONS, LogWriter, Scripted
from attention_stretchly.values import EndedBy, Kind, LoggedBreak
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from datetime import datetime

ENDS = [each for each in EndedBy if each is not EndedBy.OPEN]


def breaks(content: bytes) -> list[LoggedBreak]:
    return Reading().feed(content).all


class Reading:
    """Takes bytes in portions; the latest value of each break counts."""

    def __init__(self) -> None:
        self.machine = BreakMachine()
        self._splitter = LineSplitter()
        self._found: dict[int, LoggedBreak] = {}

    def feed(self, content: bytes) -> Reading:
        for line in self._splitter.feed(content):
            if entry := read_line(line):
                self._found |= {each.number: each for each in self.machine.take(entry)}
        return self

    @property
    def all(self) -> list[LoggedBreak]:
        return [self._found[number] for number in sorted(self._found)]


def short(found: list[LoggedBreak]) -> list[tuple[str, str | None, str | None, str]]:
    """Kind, start and end in seconds since ten, how it ended."""
    return [(each.kind.value, clock(each.start), clock(each.end), each.ended_by.value) for each in found]


def clock(stamp: datetime | None) -> str | None:
    return stamp.strftime("%H:%M:%S") if stamp else None


def log(*lines: str) -> bytes:
    """Each line is a time of day, then the text; `!` before the text means a warning."""
    rendered = []
    for line in lines:
        time, _, text = line.partition(" ")
        level = "[warn] " if text.startswith("!") else "[info] "
        rendered.append(f"[2025-03-10 {time}.000] {level} {text.removeprefix('!')}\n")
    return "".join(rendered).encode()


@st.composite
def scripts(draw: st.DrawFn) -> tuple[tuple[int, int], list[Scripted]]:
    version = draw(st.sampled_from(VERSIONS))
    ends = [each for each in ENDS if each is not EndedBy.EXCLUDED or version >= (1, 11)]
    day = []
    for _ in range(draw(st.integers(0, 8))):
        kind, ended_by = draw(st.sampled_from(Kind)), draw(st.sampled_from(ends))
        tells = ended_by in (EndedBy.FINISHED, EndedBy.POSTPONED)
        # Without a plan and an end that names it, nothing in a log of 1.1 to 1.7 tells a long break.
        announced = draw(st.booleans()) or not (tells or version >= (1, 8))
        day.append(
            Scripted(
                kind,
                ended_by,
                draw(st.integers(0, 700_000)),
                announced,
                draw(st.integers(1, 3)),
                draw(st.booleans()),
            )
        )
    if day and draw(st.booleans()):
        last = day[-1]
        day[-1] = Scripted(last.kind, EndedBy.OPEN, last.lasts_ms, True, last.windows)
    return version, day


@given(scripts(), st.sampled_from(["\n", "\r\n"]))
def test_every_dialect_gives_the_scripted_breaks_back(
    script: tuple[tuple[int, int], list[Scripted]], newline: str
) -> None:
    version, day = script
    writer = LogWriter(version, newline)
    writer.start_app()

    assert [*writer.play(day)] == breaks(writer.content)


@given(scripts(), st.data())
def test_any_split_of_the_bytes_gives_the_same_breaks(
    script: tuple[tuple[int, int], list[Scripted]], data: st.DataObject
) -> None:
    version, day = script
    writer = LogWriter(version)
    expected = writer.play(day)
    reading = Reading()
    places = sorted(data.draw(st.lists(st.integers(0, len(writer.content)), max_size=20)))
    for begin, end in zip([0, *places], [*places, len(writer.content)], strict=True):
        reading.feed(writer.content[begin:end])

    assert reading.all == expected


@given(st.binary(max_size=400))
def test_noise_is_no_break_and_hides_none_after_it(noise: bytes) -> None:
    day = log("10:00:00 Stretchly: starting Mini Break", "10:00:20 Stretchly: finishing Mini Break")

    assert short(breaks(noise + b"\n" + day)) == [("mini", "10:00:00", "10:00:20", "finished")]


@pytest.mark.parametrize("end", ["finishing Long Break", "postponing Long Break"])
def test_before_1_8_the_end_tells_a_long_break(end: str) -> None:
    found = breaks(log("10:00:00 Stretchly: starting Mini Break", f"10:04:00 Stretchly: {end}"))

    assert [(each.kind, each.number) for each in found] == [(Kind.LONG, 1)]


def test_before_1_8_the_plan_tells_a_long_break_that_has_not_ended() -> None:
    found = breaks(
        log("09:59:30 Stretchly: showing Long Break notification", "10:00:00 Stretchly: starting Mini Break")
    )

    assert short(found) == [("long", "10:00:00", None, "open")]


@pytest.mark.parametrize(
    "cancelled",
    [
        "Stretchly: pausing breaks because of idle time",
        "Stretchly: pausing breaks for 1",
        "Stretchly: resuming breaks",
        "Stretchly: reseting breaks",
        "!Stretchly: in natural break, not starting Long Break",
        "!Stretchly: Long Break already running, not starting Long Break",
    ],
)
def test_a_plan_that_was_given_up_tells_nothing(cancelled: str) -> None:
    found = breaks(
        log(
            "09:59:30 Stretchly: showing Long Break notification",
            f"09:59:40 {cancelled}",
            "10:00:00 Stretchly: starting Mini Break",
        )
    )

    assert short(found) == [("mini", "10:00:00", None, "open")]


def test_a_start_is_called_what_it_is_once_the_version_is_known_to() -> None:
    """The plan was for a long break, but a mini break came; the suffix is of 1.11."""
    found = breaks(
        log(
            "09:59:30 Stretchly: showing Long Break notification",
            "10:00:00 Stretchly: starting Mini Break",
            "10:00:20 Stretchly: finishing Mini Break (shouldPlanNext: true)",
        )
    )

    assert short(found) == [("mini", "10:00:00", "10:00:20", "finished")]


def test_what_was_known_of_the_version_ends_with_the_program() -> None:
    found = breaks(
        log(
            "09:00:00 Stretchly: starting Long Break",
            "09:05:00 Stretchly: finishing Long Break",
            "09:50:00 Stretchly: initializing...",
            "09:59:30 Stretchly: showing Long Break notification",
            "10:00:00 Stretchly: starting Mini Break",
        )
    )

    assert short(found)[1:] == [("long", "10:00:00", None, "open")]


def test_a_long_break_can_start_over_a_mini_break() -> None:
    found = breaks(
        log(
            "10:00:00 Stretchly: starting Mini break",
            "10:00:05 Stretchly: starting Long break",
            "10:00:20 Stretchly: finishing Mini break (shouldPlanNext: true)",
            "10:05:05 Stretchly: finishing Long break (shouldPlanNext: true)",
        )
    )

    assert short(found) == [
        ("mini", "10:00:00", "10:00:20", "finished"),
        ("long", "10:00:05", "10:05:05", "finished"),
    ]


@pytest.mark.parametrize(
    ("line", "ended_by"),
    [
        ("Stretchly: skipping to Mini break", "replaced"),
        ("Stretchly: skipping to Long Break in 1200000ms", "replaced"),
        ("Stretchly: resetting breaks", "reset"),
    ],
)
def test_both_kinds_end_together(line: str, ended_by: str) -> None:
    found = breaks(
        log(
            "10:00:00 Stretchly: starting Mini break",
            "10:00:05 Stretchly: starting Long break",
            f"10:00:09 {line}",
        )
    )

    assert short(found) == [
        ("mini", "10:00:00", "10:00:09", ended_by),
        ("long", "10:00:05", "10:00:09", ended_by),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Stretchly: resetting breaks by shortcut",
        "Stretchly: skipping to next Mini Break by shortcut",
        "Stretchly: skip to Mini Break (requested by second instance)",
        "Stretchly: reinitializing...",
        "Stretchly: loading preferences",
        "Stretchly: preventing app closure (in break with strict mode)",
        "Stretchly: entering manual finish phase (Mini break)",
        "Stretchly: arguments received from second instance: Stretchly: finishing Mini Break",
        'Stretchly: showing notification "Stretchly: finishing Mini Break" (silent: false)',
        "Stretchly: finishing Mini Break ",
        " Stretchly: finishing Mini Break",
        "!Stretchly: finishing Mini Break",
        "System: suspend or lock",
    ],
)
def test_these_lines_end_no_break(line: str) -> None:
    found = breaks(log("10:00:00 Stretchly: starting Mini Break", f"10:00:05 {line}"))

    assert short(found) == [("mini", "10:00:00", None, "open")]


@pytest.mark.parametrize("line", ["initializing...", "loading settings", "creating settings file"])
def test_a_new_start_of_stretchly_leaves_the_end_unknown(line: str) -> None:
    found = breaks(log("10:00:00 Stretchly: starting Mini Break", f"10:45:00 Stretchly: {line}"))

    assert short(found) == [("mini", "10:00:00", None, "lost")]


def test_a_second_start_of_a_kind_means_that_the_end_of_the_first_is_missing() -> None:
    found = breaks(log("10:00:00 Stretchly: starting Mini break", "10:30:00 Stretchly: starting Mini break"))

    assert short(found) == [("mini", "10:00:00", None, "lost"), ("mini", "10:30:00", None, "open")]


def test_an_end_without_a_start_began_before_the_log() -> None:
    found = breaks(
        log("10:00:00 Stretchly: finishing Long Break", "10:09:00 Stretchly: postponing Mini Break")
    )

    assert short(found) == [
        ("long", None, "10:00:00", "finished"),
        ("mini", None, "10:09:00", "postponed"),
    ]


def test_lines_count_in_the_order_of_the_file_when_the_clock_is_set_back() -> None:
    found = breaks(log("02:59:50 Stretchly: starting Mini Break", "02:00:10 Stretchly: finishing Mini Break"))

    assert short(found) == [("mini", "02:59:50", "02:00:10", "finished")]


def test_a_cut_log_may_have_lost_the_end() -> None:
    found = breaks(log("10:00:00 Stretchly: starting Mini Break") + b"[log cropped]\ning Mini Break\n")

    assert short(found) == [("mini", "10:00:00", None, "lost")]


def test_what_goes_on_is_told_while_it_does() -> None:
    reading = Reading().feed(log("10:00:00 Stretchly: starting Long break"))
    assert short(list(reading.machine.going_on)) == [("long", "10:00:00", None, "open")]

    assert reading.feed(log("10:00:09 Stretchly: resetting breaks")).machine.going_on == ()


@pytest.mark.parametrize(
    ("line", "sign"),
    [
        (b"\xef\xbb\xbf[2025-03-10 10:00:00.113] [info]  Stretchly: starting Mini Break\r\n", Sign.STARTED),
        (b"[2025-03-10 10:00:00.113] [info] Stretchly: starting Mini Break", Sign.STARTED),
        (b"[2025-03-10 10:00:00.113] [info]  Stretchly: setting 'a' to '\xff\xfe'", Sign.OTHER),
        (b"[2025-03-10 10:00:00.113] [info]   Stretchly: starting Mini Break", Sign.OTHER),
        (b"[log cropped]", Sign.GAP),
    ],
)
def test_lines_are_read_as_bytes(line: bytes, sign: Sign) -> None:
    entry = read_line(line)

    assert entry is not None
    assert entry.sign is sign


@pytest.mark.parametrize(
    "line", [b"", b"    at main.js:1:1", b"[2025-99-10 10:00:00.113] [info]  Stretchly: starting Mini Break"]
)
def test_other_lines_are_none_of_the_log(line: bytes) -> None:
    assert read_line(line) is None


@given(st.lists(st.sampled_from([0, 3, LONGEST, LONGEST + 1])), st.integers(1_000, 50_000))
def test_long_lines_are_left_out_however_they_come(lengths: list[int], size: int) -> None:
    data = b"".join(b"x" * length + b"\n" for length in lengths)
    splitter = LineSplitter()
    lines = [line for at in range(0, len(data), size) for line in splitter.feed(data[at : at + size])]

    assert [len(line) for line in lines] == [length for length in lengths if length <= LONGEST]
    assert splitter.flush() == []


def test_a_line_without_an_end_takes_no_memory() -> None:
    splitter = LineSplitter()
    for _ in range(10):
        splitter.feed(b"x" * LONGEST)

    assert splitter._half == b""
    assert splitter.feed(b"y\nwhole\n") == [b"whole"]


def test_the_rest_of_a_skipped_line_is_left_out() -> None:
    splitter = LineSplitter()
    splitter.feed(b"begun")
    splitter.skip_line()

    assert splitter.feed(b"rest\nwhole\n") == [b"whole"]
