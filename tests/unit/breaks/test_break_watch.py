"""`attention break-watch` with sources that a test moves."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import Break, HostUnavailable
from attention_framework.break_watch.followers import Followers
from attention_framework.break_watch.keeper import Keeper
from attention_framework.commands.break_watch import follow
from attention_framework.runner import Woken
from attention_framework.stopping import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .conftest import Desk

BOUND_S = 5.0
own = pytest.mark.parametrize("desk", ["own"], indirect=True)


class Source:
    def __init__(self, name: str = "fake") -> None:
        self.name = name
        self.going_on: list[Break] = []
        self.error: Exception | None = None

    def current(self) -> Sequence[Break]:
        if self.error:
            raise self.error
        return self.going_on

    def watch(self, wake: Callable[[str], None], stop: Event) -> None:
        stop.wait()


class Watched:
    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.source = Source()
        self.said: list[str] = []
        self.keeper = Keeper(desk.app, [self.source], self.said.append)

    def tell(self, *runs: str, lasts_ms: int = 35_000) -> None:
        now_ms = self.desk.memory.clock.wall_ms()
        self.source.going_on = [Break(run, "mini", now_ms, now_ms + lasts_ms) for run in runs]
        self.look()

    def look(self) -> None:
        self.keeper.reconcile()
        self.desk.settle()


@pytest.fixture
def watched(desk: Desk) -> Watched:
    return Watched(desk)


def test_in_a_break_that_is_told_every_agent_pauses(watched: Watched, desk: Desk) -> None:
    watched.tell("mini 1")

    [hold] = desk.app.holds.all()
    assert (hold.run, hold.source) == ("mini 1", "fake")
    assert hold.deadline_ms == desk.memory.clock.wall_ms() + 35_000
    assert desk.paused == {"a", "b", "c"}


@own
def test_it_is_over_when_its_source_has_said_however_long_it_took_to_begin(
    watched: Watched, desk: Desk
) -> None:
    """Of a watcher that was stopped between the source's answer and the hold."""
    now_ms, disk = desk.memory.clock.wall_ms(), desk.memory.disk
    watched.source.going_on = [Break("mini 1", "mini", now_ms, now_ms + 35_000)]
    disk.on_operation = lambda operation, path: desk.memory.clock.advance(100)
    watched.keeper.reconcile()
    disk.on_operation = None

    assert desk.memory.clock.wall_ms() > now_ms
    assert [hold.deadline_ms for hold in desk.app.holds.all()] == [now_ms + 35_000]


@own
def test_its_end_is_the_end_of_its_hold_alone(watched: Watched, desk: Desk) -> None:
    desk.run("break-start", "--run-id", "other")
    watched.tell("mini 1")
    watched.tell()

    assert desk.holds == {"other"}
    assert desk.paused == {"a", "b", "c"}
    desk.run("break-end", "--run-id", "other")
    assert "a" not in desk.paused


@own
def test_its_end_gives_back_what_the_settings_say(watched: Watched, desk: Desk) -> None:
    watched.tell("mini 1")
    watched.tell()

    assert desk.paused == {"b", "c"}
    assert watched.said == [
        "mini break begins run=mini 1",
        "break ends run=mini 1",
        "resumed pane=a",
    ]


@own
def test_where_one_break_follows_another_at_once_nobody_runs_between(watched: Watched, desk: Desk) -> None:
    watched.tell("mini 1")
    watched.tell("long 1")

    assert desk.holds == {"long 1"}
    assert desk.paused == {"a", "b", "c"}
    assert not [line for line in watched.said if line.startswith("resumed")]


def test_who_resumes_by_hand_has_waived_the_break(watched: Watched, desk: Desk) -> None:
    watched.tell("mini 1")
    desk.agents["a"].resume_by_hand()
    watched.look()
    Keeper(desk.app, [watched.source], print).reconcile()
    desk.settle()

    assert desk.paused == {"b", "c"}


def test_a_break_that_begins_while_the_host_gives_no_answer_pauses_as_soon_as_it_does(
    watched: Watched, desk: Desk
) -> None:
    answering = desk.host.sessions

    def sessions() -> Any:
        raise HostUnavailable("it did not end within 2 s")

    desk.host.sessions = sessions  # type: ignore[method-assign]
    watched.tell("mini 1")
    assert (desk.holds, desk.paused) == ({"mini 1"}, set())
    desk.host.sessions = answering  # type: ignore[method-assign]
    watched.look()
    assert desk.paused == {"a", "b", "c"}


class TestConfirmation:
    """Where no controller is resident and no wake-up of the agents comes, as of those that are asked by a key."""

    def outcomes(self, desk: Desk) -> list[str]:
        return [entry["outcome"] for entry in desk.app.journal.read() if entry["type"] == "decision"]

    def test_a_host_that_gives_no_answer_for_a_while_does_not_end_the_looking(
        self, watched: Watched, desk: Desk
    ) -> None:
        watched.tell("mini 1", lasts_ms=600_000)
        answering = desk.host.sessions

        def sessions() -> Any:
            raise HostUnavailable("it did not end within 2 s")

        desk.host.sessions = sessions  # type: ignore[method-assign]
        desk.memory.clock.advance(2_000)
        watched.look()
        assert set(self.outcomes(desk)) == {"pause-sent"}
        desk.host.sessions = answering  # type: ignore[method-assign]
        desk.memory.clock.advance(1_000)
        watched.look()
        assert self.outcomes(desk)[-3:] == ["paused"] * 3

    def test_a_pause_is_looked_for_until_it_is_seen_and_no_longer(self, watched: Watched, desk: Desk) -> None:
        watched.tell("mini 1", lasts_ms=600_000)
        assert desk.paused == {"a", "b", "c"}
        assert set(self.outcomes(desk)) == {"pause-sent"}
        desk.memory.clock.advance(1_900)
        watched.look()
        assert set(self.outcomes(desk)) == {"pause-sent"}
        desk.memory.clock.advance(100)
        watched.look()
        assert self.outcomes(desk)[-3:] == ["paused"] * 3
        seen = len(self.outcomes(desk))
        desk.memory.clock.advance(100_000)
        watched.look()
        assert len(self.outcomes(desk)) == seen

    def test_one_that_does_not_pause_is_looked_for_again_and_again(
        self, watched: Watched, desk: Desk
    ) -> None:
        desk.agents.pop("c")
        watched.tell("mini 1", lasts_ms=600_000)
        for _ in range(6):
            desk.memory.clock.advance(20_000)
            watched.look()
        assert [one for one in self.outcomes(desk) if one == "not-confirmed"]
        late = len(self.outcomes(desk))
        desk.memory.clock.advance(20_000)
        watched.look()
        assert self.outcomes(desk)[late:].count("not-confirmed") == 1

    def test_who_is_woken_by_others_looks_for_nothing(self, desk: Desk) -> None:
        woken: list[str] = []

        def wake(trigger: str) -> list[Woken]:
            woken.append(trigger)
            return [Woken(desk.host.session, None)]

        keeper = Keeper(desk.app, [Source()], print, wake)
        for _ in range(3):
            keeper.reconcile()
            desk.memory.clock.advance(30_000)
        assert woken == ["break-watch starts"]


def test_a_break_that_the_person_ended_is_not_begun_again(watched: Watched, desk: Desk) -> None:
    watched.tell("mini 1")
    desk.run("break-end", "--run-id", "mini 1")
    watched.look()

    assert desk.holds == set()


def test_what_a_killed_run_has_left_is_taken_over_or_ended(watched: Watched, desk: Desk) -> None:
    watched.tell("mini 1", "long 1")
    watched.source.going_on.pop()
    Keeper(desk.app, [watched.source], print).reconcile()

    assert desk.holds == {"mini 1"}


def test_a_source_without_an_answer_is_reported_and_its_holds_expire(watched: Watched, desk: Desk) -> None:
    warned: list[str] = []
    desk.app.warn = warned.append  # type: ignore[method-assign]
    watched.tell("mini 1")
    watched.source.error = HostUnavailable("the log cannot be read")
    watched.look()
    watched.look()
    assert desk.holds == {"mini 1"}
    assert warned.count("fake: the log cannot be read") == 2

    desk.memory.clock.advance(35_000)
    watched.look()
    assert desk.holds == set()


def test_the_end_of_the_watch_is_the_end_of_its_breaks(watched: Watched, desk: Desk) -> None:
    desk.run("break-start", "--run-id", "other")
    watched.tell("mini 1")
    stop = Stop()
    stop.asked = True
    follow(watched.keeper, Followers([watched.source], pytest.fail, lambda: 0), stop)

    assert desk.holds == {"other"}


def test_a_disk_that_is_full_for_a_moment_does_not_end_the_watch(
    watched: Watched, desk: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(hold: object) -> None:
        raise OSError(28, "No space left on device", "holds")

    now_ms = desk.memory.clock.wall_ms()
    watched.source.going_on = [Break("mini 1", "mini", now_ms, now_ms + 35_000)]
    with monkeypatch.context() as patch:
        patch.setattr(desk.app.holds, "take", full)
        watched.keeper.try_reconcile()
        watched.keeper.try_reconcile()
    assert capsys.readouterr().err == "attention: holds: No space left on device\n"

    watched.look()
    assert desk.paused == {"a", "b", "c"}


def test_an_id_that_belongs_to_somebody_else_is_left_alone(watched: Watched, desk: Desk) -> None:
    desk.run("break-start", "--run-id", "mini 1")
    watched.tell("mini 1")
    watched.tell()

    assert desk.holds == {"mini 1"}


def test_without_sources_the_settings_are_named(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.app.configuration.settings.breaks.sources = []
    desk.app.configuration.plugins.of_kind = lambda kind: {"stretchly": None}

    assert desk.run("break-watch") == 2
    assert "set breaks.sources in the settings (known: stretchly)" in capsys.readouterr().err


def test_a_second_watch_is_refused(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    configuration = desk.app.configuration
    configuration.settings.breaks.sources = ["fake"]
    configuration.break_sources = lambda context: [Source()]  # type: ignore[method-assign]
    other = desk.memory.process().files.try_lock(desk.app.state.break_watch_lock)
    assert other is not None

    assert desk.run("break-watch") == 1
    assert "another break-watch is running" in capsys.readouterr().err


class Dying(Source):
    """Its watch raises, then ends, then watches."""

    def __init__(self) -> None:
        super().__init__()
        self.watches = 0
        self.lives = Event()

    def watch(self, wake: Callable[[str], None], stop: Event) -> None:
        self.watches += 1
        if self.watches == 1:
            raise SystemExit("gone")
        if self.watches > 2:
            wake("here")
            self.lives.set()
            stop.wait()


def test_a_watch_that_dies_is_started_again() -> None:
    source, warned = Dying(), list[str]()
    followers = Followers([source], warned.append, lambda: 0)
    followers.first_back_off_s = 0.0
    followers.start()
    try:
        assert source.lives.wait(BOUND_S)
        assert followers.wait(BOUND_S)
    finally:
        followers.stop()

    assert ["gone" in warned[0], "stopped watching" in warned[1], len(warned)] == [True, True, 2]
