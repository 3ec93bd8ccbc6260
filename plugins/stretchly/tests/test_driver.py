"""The driver in a world in memory: what it does when, and what it says of it."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

import pytest
from attention_stretchly.driver.bounds import longest_ms
from attention_stretchly.driver.drive import Driver, Plan
from attention_stretchly.source import AtMost, StretchlySettings
from attention_stretchly.values import Kind

from attention_framework import Stop
from attention_framework.testing import FakeContext, Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attention_stretchly.driver.outcome import Outcome

    from conftest import LogFile

POLL_MS = 250


class Hold:
    def __init__(self, desk: Desk, run: str) -> None:
        self.desk = desk
        self.run = run
        self.in_force = True
        self.let_go_with: list[str | None] = []
        self.why = ""

    def let_go(self, resume: str | None = None, why: str = "") -> list[str]:
        self.why = why
        self.desk.happened.append("let go")
        self.let_go_with.append(resume)
        return []


class Call:
    def __init__(self, code: int | None) -> None:
        self.code = code

    def failed(self) -> int | None:
        return self.code


class Desk:
    """An application, a Stretchly and a person: `script` is what happens after so many milliseconds."""

    def __init__(self, memory: Memory, log: LogFile) -> None:
        self.memory = memory
        self.context = FakeContext(memory.effects)
        self.log = log
        self.happened: list[str] = []
        self.called_ms: list[float] = []
        self.code: int | None = 0
        self.cannot_hold: OSError | None = None
        self.cannot_call: OSError | None = None
        self.known_run = False
        self.hold: Hold | None = None
        self.stop = Stop()
        self.script: list[tuple[float, Callable[[], None]]] = []
        self._clock = memory.clock
        self._start_ms = memory.clock.monotonic_ms()
        memory.clock.on_sleep.append(lambda _: self._play())

    @property
    def now_ms(self) -> float:
        return self._clock.monotonic_ms() - self._start_ms

    def hold_break(self, run: str, source: str, lasts_ms: int) -> Hold | None:
        self.happened.append(f"hold {lasts_ms}")
        if self.cannot_hold is not None:
            raise self.cannot_hold
        if self.known_run:
            return None
        self.hold = Hold(self, run)
        return self.hold

    def warn(self, sentence: str) -> None: ...

    def launch(self, command: Sequence[str]) -> Call:
        self.happened.append(" ".join(command))
        self.called_ms.append(self.now_ms)
        if self.cannot_call is not None:
            raise self.cannot_call
        return Call(self.code or None)

    def after(self, milliseconds: float, act: Callable[[], None]) -> None:
        self.script.append((milliseconds, act))

    def drive(self, kind: Kind = Kind.MINI, at_most_ms: float = 35_000) -> Outcome:
        plan = Plan(kind, "r", ("stretchly",), (self.log.path,), at_most_ms, 20_000, "own")
        return Driver(self, plan, self.stop, self.launch).drive()

    def _play(self) -> None:
        due = [each for each in self.script if each[0] <= self.now_ms]
        self.script = [each for each in self.script if each[0] > self.now_ms]
        for _, act in due:
            act()


@pytest.fixture
def desk(memory: Memory, log: LogFile) -> Desk:
    log.say("initializing...")
    return Desk(memory, log)


def test_the_agents_are_held_before_stretchly_is_called_and_let_go_when_the_break_ends(desk: Desk) -> None:
    desk.log.start()  # One that goes on already, and whose end is not ours.
    desk.after(500, lambda: desk.log.say("skipping to Mini break"))
    desk.after(900, desk.log.start)
    desk.after(8_000, desk.log.finish)

    ended = desk.drive()

    assert (ended.took_place, ended.sentence) == (True, "finished")
    assert desk.happened == ["hold 35000", "stretchly mini", "let go"]
    assert desk.hold is not None
    assert (desk.hold.let_go_with, desk.hold.why) == (["own"], "finished")
    assert 8_000 <= desk.now_ms <= 8_000 + POLL_MS


@pytest.mark.parametrize(("kind", "name"), [(Kind.MINI, "Mini break"), (Kind.LONG, "Long break")])
def test_the_time_is_over_without_an_end(desk: Desk, kind: Kind, name: str) -> None:
    desk.after(500, lambda: desk.log.start(name))

    ended = desk.drive(kind)

    assert ended.took_place
    assert "held for the whole 35 s: no end of it was logged" in ended.sentence
    assert 35_000 <= desk.now_ms <= 35_000 + POLL_MS


def test_a_break_that_never_begins_is_given_up(desk: Desk) -> None:
    ended = desk.drive()

    assert not ended.took_place
    assert "began no such break within 20 s" in ended.sentence
    assert str(desk.log.path) in ended.sentence
    assert 20_000 <= desk.now_ms <= 20_000 + POLL_MS
    assert desk.happened[-1] == "let go"


def test_a_break_that_is_asked_for_anew_in_its_middle_has_the_time_to_begin_again(desk: Desk) -> None:
    desk.after(500, lambda: desk.log.say("skipping to Long break"))
    desk.after(900, lambda: desk.log.start("Long break"))
    desk.after(100_000, lambda: desk.log.say("skipping to Long break"))
    desk.after(101_000, lambda: desk.log.start("Long break"))
    desk.after(400_000, lambda: desk.log.finish("Long break"))

    assert desk.drive(Kind.LONG, at_most_ms=605_000).sentence == "finished"
    assert desk.now_ms >= 400_000


def test_a_request_that_was_heard_and_shows_nothing_is_given_up(desk: Desk) -> None:
    desk.after(5_000, lambda: desk.log.say("skipping to Mini break"))

    ended = desk.drive()

    assert "began no such break within 20 s of its answer" in ended.sentence
    assert 25_000 <= desk.now_ms <= 25_000 + 2 * POLL_MS


def test_the_wait_for_a_start_never_outlasts_the_break(desk: Desk) -> None:
    assert not desk.drive(at_most_ms=5_000).took_place
    assert desk.now_ms <= 5_000 + POLL_MS


def test_without_a_log_the_agents_are_held_for_the_whole_time(desk: Desk) -> None:
    desk.log.path.unlink()

    ended = desk.drive()

    assert not ended.took_place
    assert "without knowing whether there was a break: there is no log of Stretchly" in ended.sentence
    assert desk.now_ms >= 35_000


def test_a_log_that_appears_later_counts_from_its_beginning(desk: Desk) -> None:
    desk.log.path.unlink()
    desk.after(25_000, desk.log.start)
    desk.after(27_000, desk.log.finish)

    assert desk.drive().sentence == "finished"


def test_a_folder_in_the_place_of_the_log(desk: Desk) -> None:
    desk.log.path.unlink()
    desk.log.path.mkdir()

    ended = desk.drive()

    assert not ended.took_place
    assert f"{desk.log.path} cannot be read" in ended.sentence


def test_a_log_that_cannot_be_read_at_first_has_its_place_where_it_can(desk: Desk) -> None:
    content = desk.log.path.read_bytes()
    desk.log.path.unlink()
    desk.log.path.mkdir()

    def mend() -> None:
        desk.log.path.rmdir()
        desk.log.path.write_bytes(content)
        desk.log.start()
        desk.log.finish()

    desk.after(1_000, mend)
    desk.after(2_000, desk.log.start)
    desk.after(9_000, desk.log.finish)

    assert desk.drive().sentence == "finished"
    assert desk.now_ms >= 9_000


def test_a_stretchly_that_did_not_run_is_asked_again_once_it_does(desk: Desk) -> None:
    desk.after(4_000, lambda: desk.log.say("initializing...", "loading preferences"))
    desk.after(8_000, lambda: desk.log.say("skipping to Mini break"))
    desk.after(8_200, desk.log.start)
    desk.after(28_200, desk.log.finish)

    assert desk.drive().sentence == "finished"
    assert len(desk.called_ms) == 2
    assert desk.called_ms[1] >= 7_000


def test_a_stretchly_that_starts_and_obeys_is_called_once(desk: Desk) -> None:
    desk.after(1_000, lambda: desk.log.say("initializing..."))
    desk.after(2_000, lambda: desk.log.say("skipping to Mini break"))
    desk.after(9_000, desk.log.start)
    desk.after(20_000, desk.log.finish)

    assert desk.drive().sentence == "finished"
    assert len(desk.called_ms) == 1


def test_a_stretchly_that_starts_again_and_again_is_left_alone_in_the_end(desk: Desk) -> None:
    for second in range(1, 600, 5):
        desk.after(second * 1_000, lambda: desk.log.say("initializing..."))

    ended = desk.drive(at_most_ms=605_000)

    assert "has started, and does not answer" in ended.sentence
    assert len(desk.called_ms) == 3


def test_a_call_that_fails_ends_the_hold(desk: Desk) -> None:
    desk.code = 127

    ended = desk.drive()

    assert not ended.took_place
    assert "it ended with exit code 127" in ended.sentence
    assert desk.now_ms <= 2_000 + POLL_MS


def test_a_call_that_fails_is_proved_wrong_by_the_log(desk: Desk) -> None:
    desk.code = 1
    desk.after(1_000, lambda: desk.log.say("skipping to Mini break"))
    desk.after(5_000, desk.log.start)
    desk.after(9_000, desk.log.finish)

    assert desk.drive().took_place


def test_a_program_that_cannot_be_started(desk: Desk) -> None:
    desk.cannot_call = PermissionError(errno.EACCES, "Permission denied", "stretchly")

    ended = desk.drive()

    assert (ended.took_place, ended.sentence) == (
        False,
        "Stretchly could not be called: stretchly: Permission denied",
    )
    assert desk.happened[-1] == "let go"
    assert desk.now_ms == 0


def test_where_the_state_folder_is_full_the_break_takes_place_all_the_same(desk: Desk) -> None:
    desk.cannot_hold = OSError(errno.ENOSPC, "No space left on device", "/state/holds/r.json")

    ended = desk.drive()

    assert not ended.took_place
    assert "could not be paused: /state/holds/r.json: No space left on device" in ended.sentence
    assert desk.happened == ["hold 35000", "stretchly mini"]


def test_the_id_of_a_break_that_goes_on_is_refused(desk: Desk) -> None:
    desk.known_run = True

    ended = desk.drive()

    assert "going on already" in ended.sentence
    assert desk.happened == ["hold 35000"]


def test_when_somebody_else_ends_the_hold_there_is_nothing_left_to_do(desk: Desk) -> None:
    def end() -> None:
        assert desk.hold is not None
        desk.hold.in_force = False

    desk.after(500, desk.log.start)
    desk.after(3_000, end)

    assert desk.drive().sentence == "somebody else ended the pause"


def test_a_signal_lets_go(desk: Desk) -> None:
    def signal() -> None:
        desk.stop.asked, desk.stop.number = True, 15

    desk.after(500, desk.log.start)
    desk.after(3_000, signal)

    assert not desk.drive().took_place
    assert desk.happened[-1] == "let go"
    assert desk.now_ms <= 3_000 + POLL_MS
    assert desk.stop.exit_code == 143


def test_a_signal_before_the_call_calls_nobody(desk: Desk) -> None:
    desk.stop.asked, desk.stop.number = True, 2

    desk.drive()

    assert desk.happened == ["hold 35000", "let go"]


def test_whatever_is_raised_lets_go(desk: Desk) -> None:
    def fail() -> None:
        raise RuntimeError("a mistake")

    desk.after(500, fail)

    with pytest.raises(RuntimeError):
        desk.drive()

    assert desk.happened[-1] == "let go"


def test_two_drivers_do_not_call_at_once_and_what_the_other_one_has_asked_for_is_not_ours(desk: Desk) -> None:
    """Two calls within a second crash some versions."""
    lock = desk.context.effects.files.try_lock(desk.context.state / "stretchly-call.lock")
    assert lock is not None
    other = desk.memory.process().files.try_lock(desk.context.state / "stretchly-call.lock")
    assert other is None
    desk.after(1_000, desk.log.start)
    desk.after(1_500, desk.log.finish)
    desk.after(2_000, lock.release)
    desk.after(3_000, desk.log.start)
    desk.after(9_000, desk.log.finish)

    assert desk.drive().sentence == "finished"
    assert desk.called_ms == [2_000]
    assert desk.now_ms >= 9_000
    assert desk.context.effects.files.try_lock(desk.context.state / "stretchly-call.lock") is not None


def test_a_turn_that_does_not_come_is_taken(desk: Desk) -> None:
    """The other driver hangs: the person's break is not to be lost for that."""
    assert desk.context.effects.files.try_lock(desk.context.state / "stretchly-call.lock") is not None

    desk.drive()

    assert desk.called_ms == [6_000]


@pytest.mark.parametrize(
    ("settings", "config", "kind", "expected_s"),
    [
        (StretchlySettings(), None, Kind.MINI, 35),
        (StretchlySettings(), None, Kind.LONG, 605),
        (StretchlySettings(), b"{}", Kind.LONG, 605),
        (StretchlySettings(), b'{"microbreakDuration": 90000}', Kind.MINI, 105),
        (StretchlySettings(), b'{"microbreakDuration": 5000}', Kind.MINI, 35),
        (StretchlySettings(mini=AtMost(at_most_s=3)), b'{"microbreakDuration": 90000}', Kind.MINI, 3),
    ],
)
def test_how_long_the_agents_are_held_at_most(
    settings: StretchlySettings, config: bytes | None, kind: Kind, expected_s: float
) -> None:
    assert longest_ms(settings, kind, config) == expected_s * 1000
