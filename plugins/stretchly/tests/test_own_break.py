"""Which break of a log is ours: any version, anything between, any portions of the bytes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.driver.logs import FollowedLogs
from attention_stretchly.files import Part
from attention_stretchly.testing import VERSIONS, LogWriter, Scripted
from attention_stretchly.values import EndedBy, Kind
from hypothesis import given
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_stretchly.driver.own import OwnBreak

LOG = Path("main.log")
ENDS = [EndedBy.FINISHED, EndedBy.POSTPONED, EndedBy.RESET, EndedBy.EXCLUDED, EndedBy.LOST, EndedBy.REPLACED]
WITH_COMMANDS = [version for version in VERSIONS if version >= (1, 4)]
kinds = st.sampled_from(list(Kind))
versions = st.sampled_from(WITH_COMMANDS)


class GrowingFile:
    """One file in memory."""

    def __init__(self) -> None:
        self.content = b""

    def read(self, path: Path, offset: int, limit: int) -> Part:
        if path != LOG:
            raise FileNotFoundError(2, "No such file or directory", str(path))
        return Part(len(self.content), self.content[offset : offset + limit])

    def mark(self, path: Path) -> tuple[int, int, int] | None:
        return (1, len(self.content), len(self.content)) if path == LOG else None


class Following:
    """A log with what a writer has said, and the one break that is looked for in it."""

    def __init__(self, kind: Kind, version: tuple[int, int] = (1, 22)) -> None:
        self.kind = kind
        self.writer = LogWriter(version)
        self.file = GrowingFile()
        self.logs = FollowedLogs([LOG], kind, self.file)

    def set_out(self) -> Following:
        self.file.content = self.writer.content
        self.logs.set_out()
        return self

    def poll(self) -> OwnBreak:
        self.file.content = self.writer.content
        self.logs.poll()
        return self.own

    def poll_in_portions(self, cuts: list[int]) -> OwnBreak:
        done, whole = len(self.file.content), self.writer.content
        for cut in sorted(done + cut % (len(whole) - done + 1) for cut in cuts):
            self.file.content = whole[:cut]
            self.logs.poll()
        return self.poll()

    @property
    def own(self) -> OwnBreak:
        return self.logs.own

    def say(self, text: str, level: str = "info") -> None:
        self.writer.say(f"Stretchly: {text}", level)

    def name(self, kind: Kind) -> str:
        return self.writer.name_of(kind)

    def ask(self, kind: Kind | None = None, later: str = "") -> None:
        self.say(f"skipping to {self.name(kind or self.kind)}{later}")

    def start(self, kind: Kind | None = None) -> None:
        self.say(f"starting {self.name(self.writer.started_as(kind or self.kind))}")

    def finish(self, kind: Kind | None = None, plan: str = "true") -> None:
        self.writer.say(self.writer.finishing(self.name(kind or self.kind), plan))

    def end(self, by: EndedBy) -> None:
        match by:
            case EndedBy.FINISHED:
                self.finish()
            case EndedBy.EXCLUDED:
                self.finish(plan="false")
            case EndedBy.POSTPONED:
                self.say(f"postponing {self.name(self.kind)}")
            case EndedBy.RESET:
                self.say("reseting breaks" if self.writer.version < (1, 10) else "resetting breaks")
            case EndedBy.REPLACED:
                self.ask(self.kind.other)
            case EndedBy.LOST:
                self.writer.start_app()


def expected(by: EndedBy, version: tuple[int, int]) -> EndedBy:
    """Before 1.11 the log does not tell an exclusion from another end."""
    return EndedBy.FINISHED if by is EndedBy.EXCLUDED and version < (1, 11) else by


BEFORE: dict[str, Callable[[Following], None]] = {
    "an older break ends": lambda it: it.finish(),
    "an older one of the other kind ends": lambda it: it.finish(it.kind.other),
    "an older one is postponed": lambda it: it.say(f"postponing {it.name(it.kind)}"),
    "the breaks are reset": lambda it: it.end(EndedBy.RESET),
    "it starts": lambda it: it.writer.start_app(),
    "somebody asks for the other kind": lambda it: it.ask(it.kind.other),
    "somebody asks for one that is to come later": lambda it: (
        it.ask(later=" in 1200000ms") if it.writer.version >= (1, 10) else None
    ),
    "another one is announced and starts": lambda it: (
        it.say(f"showing {it.name(it.kind.other)} notification"),
        it.start(it.kind.other),
    ),
    "one of ours starts by itself": lambda it: (
        it.say(f"showing {it.name(it.kind)} notification"),
        it.start(),
    ),
    "it says what it was called with": lambda it: it.say(
        f"arguments received from second instance: {it.kind},-T,Stretchly: finishing {it.name(it.kind)}"
    ),
}
AMID: dict[str, Callable[[Following], None]] = {
    "a window is shown": lambda it: it.say("showing window 2 of 2"),
    "the other kind ends": lambda it: it.finish(it.kind.other),
    "text that looks alike": lambda it: it.say(
        f"setting 'x' to 'Stretchly: finishing {it.name(it.kind)}' (was '')"
    ),
    "a second one is refused": lambda it: it.say(
        f"{it.name(it.kind)} already running, not starting {it.name(it.kind)}", "warn"
    ),
    "an error": lambda it: it.say("TypeError: Object has been destroyed", "error"),
}


@given(
    kind=kinds,
    version=versions,
    earlier=st.lists(st.tuples(kinds, st.sampled_from(ENDS)), max_size=4),
    before=st.lists(st.sampled_from(sorted(BEFORE)), max_size=4),
    amid=st.lists(st.sampled_from(sorted(AMID)), max_size=4),
    ends=st.sampled_from(ENDS),
    cuts=st.lists(st.integers(0, 100_000), max_size=12),
)
def test_our_break_begins_and_ends_when_it_does_whatever_else_is_logged(
    kind: Kind,
    version: tuple[int, int],
    earlier: list[tuple[Kind, EndedBy]],
    before: list[str],
    amid: list[str],
    ends: EndedBy,
    cuts: list[int],
) -> None:
    it = Following(kind, version)
    it.writer.play([Scripted(each, by) for each, by in earlier])
    it.set_out()
    for index, each in enumerate(before):
        # One of our kind that ends before Stretchly has written that it was asked may have been ours.
        if each != "one of ours starts by itself" or index == len(before) - 1:
            BEFORE[each](it)
    it.ask()
    assert it.poll_in_portions(cuts).ended_by is None
    assert it.own.asked
    assert not it.own.begun
    it.start()
    for each in amid:
        AMID[each](it)
    assert it.poll_in_portions(cuts).ended_by is None
    assert it.own.begun
    it.end(ends)
    assert it.poll_in_portions(cuts).ended_by is expected(ends, version)


@given(
    kind=kinds,
    version=versions,
    cut=st.integers(0, 10_000),
    content=st.lists(st.sampled_from(ENDS), min_size=1),
)
def test_what_stood_there_before_is_not_ours_wherever_the_place_is(
    kind: Kind, version: tuple[int, int], cut: int, content: list[EndedBy]
) -> None:
    """The place may be within a line, whose rest comes later."""
    it = Following(kind, version)
    it.writer.play([Scripted(kind, by) for by in content])
    it.say(f"starting {it.name(it.writer.started_as(kind))}")
    whole, last = it.writer.content, len(it.writer.lines[-1])
    it.file.content = whole[: len(whole) - 1 - cut % last]
    it.logs.set_out()

    assert not it.poll().begun


@pytest.mark.parametrize("kind", Kind)
def test_a_break_that_stretchly_does_not_say_it_was_asked_for_counts_from_its_start(kind: Kind) -> None:
    it = Following(kind).set_out()
    it.start()
    assert it.poll().going_on
    it.finish()
    assert it.poll().ended_by is EndedBy.FINISHED


def test_long_breaks_that_1_7_calls_mini_are_no_mini_breaks() -> None:
    it = Following(Kind.MINI, (1, 7)).set_out()
    it.say("showing Long Break notification")
    it.start(Kind.LONG)
    assert not it.poll().begun
    it.finish(Kind.LONG)
    assert not it.poll().begun


def test_a_break_of_1_7_whose_kind_only_its_end_tells_is_given_up_as_ours() -> None:
    it = Following(Kind.MINI, (1, 7)).set_out()
    it.start(Kind.LONG)
    assert it.poll().begun
    it.finish(Kind.LONG)
    assert not it.poll().begun
    assert it.own.ended_by is None


def test_a_long_break_of_1_7_whose_kind_only_its_end_tells_has_ended() -> None:
    it = Following(Kind.LONG, (1, 7)).set_out()
    it.ask()
    it.say("pausing breaks because of idle time")
    it.start()
    it.finish()
    assert it.poll().ended_by is EndedBy.FINISHED


def test_a_second_request_of_the_same_kind_goes_on_with_the_next_break() -> None:
    """Two drivers call at once: the agents of both are held until the one that is shown is over."""
    it = Following(Kind.MINI).set_out()
    it.ask()
    it.start()
    it.ask()
    assert it.poll().ended_by is None
    assert not it.own.going_on
    it.start()
    it.finish()
    assert it.poll().ended_by is EndedBy.FINISHED


@pytest.mark.parametrize("started", [True, False])
def test_a_request_for_later_ends_ours(started: bool) -> None:
    it = Following(Kind.MINI).set_out()
    it.ask()
    if started:
        it.start()
    it.ask(later=" in 1200000ms")
    assert it.poll().ended_by is EndedBy.REPLACED
    assert it.own.begun is started


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("by", ENDS)
def test_one_that_is_shown_already_is_joined(known: bool, by: EndedBy) -> None:
    it = Following(Kind.LONG)
    it.say("showing window 1 of 1")
    if known:
        it.start()
    it.set_out()
    it.say("Long break already running, not starting Long break", "warn")
    assert it.poll().joined
    assert it.own.going_on
    it.end(by)
    assert it.poll().ended_by is by


def test_one_of_the_other_kind_that_is_refused_is_not_ours() -> None:
    it = Following(Kind.LONG).set_out()
    it.say("Mini break already running, not starting Mini break", "warn")
    assert not it.poll().joined


@pytest.mark.parametrize("by", [EndedBy.RESET, EndedBy.REPLACED])
def test_what_was_asked_for_can_be_over_before_it_begins(by: EndedBy) -> None:
    it = Following(Kind.MINI).set_out()
    it.ask()
    it.end(by)
    assert it.poll().ended_by is by
    assert not it.own.begun


def test_a_stretchly_that_starts_has_not_been_asked() -> None:
    it = Following(Kind.MINI).set_out()
    it.ask()
    it.writer.start_app()
    assert not it.poll().asked
    assert it.own.app_starts == 1


def test_a_request_outweighs_a_break_in_the_log_of_another_installation() -> None:
    class Two(GrowingFile):
        other = b""

        def read(self, path: Path, offset: int, limit: int) -> Part:
            if path.name == "other.log":
                return Part(len(self.other), self.other[offset : offset + limit])
            return super().read(path, offset, limit)

        def mark(self, path: Path) -> tuple[int, int, int] | None:
            return (2, len(self.other), 0) if path.name == "other.log" else super().mark(path)

    it = Following(Kind.MINI)
    it.file = Two()
    it.logs = FollowedLogs([Path("other.log"), LOG], Kind.MINI, it.file)
    it.set_out()
    scheduled = LogWriter((1, 22))
    scheduled.say("Stretchly: starting Mini break")
    it.file.other = scheduled.content
    assert it.poll().begun
    it.ask()
    it.start()
    assert it.poll().asked
    assert it.logs.path == LOG


def test_an_older_break_whose_kind_is_corrected_is_not_ours() -> None:
    it = Following(Kind.MINI, (1, 16))
    it.say("showing Long Break notification")
    it.say("starting Mini Break")
    it.set_out()
    it.say("ready-to-show fired")  # By which the version is known to call a break what it is.
    assert not it.poll().begun
