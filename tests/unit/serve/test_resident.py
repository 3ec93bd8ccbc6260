from __future__ import annotations

import errno
import json
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import Break, HostUnavailable, Session
from attention_framework.effects.clock import RealClock
from attention_framework.errors import Expected
from attention_framework.runner import wake
from attention_framework.serve.client import NoServer
from attention_framework.serve.resident import SLOW_TICKS, SWEEP_MS, Resident, RunsAlready
from attention_framework.serve.sessions import NoSuchHost, Sessions, TooMany
from attention_framework.serve.worker import Worker
from attention_framework.single_flight import mark
from attention_framework.state.documents import save
from attention_framework.testing import SESSION, FakeHost, hold, pane, session, until

from .conftest import DeskApp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attention_framework.serve.work import Wake

    from .conftest import Desk

BOUND_S = 10.0
WHERE = {"host": "fake", "address": SESSION.address}


def ticks(desk: Desk, number: int = SLOW_TICKS) -> None:
    for _ in range(number):
        desk.resident.tick()


def cycle_after(desk: Desk, what: Callable[[], object]) -> None:
    """Wait for a cycle that something causes."""
    worker = desk.resident.sessions.all()[0].worker
    before = worker.tally.cycles
    what()
    worker.wait_for_cycle(before, BOUND_S)
    assert worker.tally.cycles > before


class TestWake:
    def test_it_answers_with_the_decisions_of_the_cycle_that_covered_it(self, desk: Desk) -> None:
        agent = desk.agent("w1:p2", 7)
        desk.start()
        answer = desk.ask("wake", **WHERE, trigger="test")
        assert answer.code == 0
        assert "pause-sent pane=w1:p2 policy=focused transport=fake-mailbox" in answer.of("out")
        agent.look()
        assert "paused pane=w1:p2 policy=focused" in desk.ask("wake").of("out")

    def test_without_a_session_every_one_is_meant_those_that_are_new_too(self, desk: Desk) -> None:
        desk.start()
        second = FakeHost(pane("w5:p5"), session=Session("second", "/run/second.sock"))
        second.name = "second"
        desk.hosts["second"] = second
        answer = desk.ask("wake", count="yes")
        assert answer.of("sessions") == ["2"]
        assert [line for line in answer.of("out") if "w5:p5" in line]

    def test_where_no_session_runs_it_says_so(self, desk: Desk) -> None:
        desk.hosts.clear()
        desk.open()
        answer = desk.ask("wake")
        assert (answer.code, answer.of("err")) == (1, ["no running session of any host: none is selected"])
        assert desk.ask("wake", count="yes").lines == (("heard", ""), ("sessions", "0"))
        assert desk.ask("wake", answer="no").lines == ()

    @pytest.mark.parametrize("count", ["yes", "no"])
    def test_of_a_host_that_gives_no_answer_it_does_not_say_that_no_session_runs(
        self, desk: Desk, count: str
    ) -> None:
        def sessions() -> Any:
            raise HostUnavailable("it did not end within 2 s")

        desk.host.sessions = sessions  # type: ignore[method-assign]
        desk.open()
        answer = desk.ask("wake", count=count)
        [said] = answer.of("err")
        assert (answer.code, said) == (
            1,
            "whether a session of fake runs is not known: it did not end within 2 s",
        )

    def test_a_host_that_is_not_selected_is_wrong_usage(self, desk: Desk) -> None:
        desk.start()
        answer = desk.ask("wake", host="other", address="x")
        assert answer.code == 2
        assert "host 'other' is not selected (focus.sources: fake)" in answer.of("err")[0]

    def test_a_cycle_that_failed_is_told_with_its_error(self, desk: Desk) -> None:
        desk.start()
        desk.host.down = True
        answer = desk.ask("wake", **WHERE)
        assert (answer.code, answer.of("out")) == (1, [])
        assert answer.of("err") == ["failed: no fake host answers at /run/fake.sock"]

    def test_what_is_accepted_outlives_the_controller(self, desk: Desk) -> None:
        desk.start()
        folder = desk.folder.session(SESSION)
        desk.resident.sessions.all()[0].worker.stop()
        assert desk.ask("wake", **WHERE, answer="no", trigger="t").lines == ()
        (marker,) = desk.effects.files.names(folder.wake)
        assert desk.effects.files.read(folder.wake / marker) == b"t"

    def test_so_does_what_is_accepted_for_all_before_any_was_found(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Resident, "_follow", lambda self: None)
        monkeypatch.setattr(Worker, "start", lambda self: None)
        desk.open()
        assert desk.resident.accept(None, "t") == 1
        (marker,) = desk.effects.files.names(desk.folder.session(SESSION).wake)
        assert desk.effects.files.read(desk.folder.session(SESSION).wake / marker) == b"t"

    def test_what_is_accepted_while_other_settings_are_taken_over_has_a_cycle(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Who is to be woken has been found; another one takes the place, and has looked when the marker comes."""
        resident = desk.start()

        def mark_late(*what: Any) -> None:
            resident.sessions.renew()
            resident.sessions.all()[0].worker.wait_for_cycle(0, BOUND_S)
            mark(*what)

        monkeypatch.setattr("attention_framework.serve.resident.mark", mark_late)
        desk.ask("wake", **WHERE, answer="no", trigger="t")
        until(lambda: not desk.effects.files.names(desk.folder.session(SESSION).wake))

    def test_a_cycle_here_covers_the_markers_of_others(self, desk: Desk) -> None:
        desk.start()
        folder = desk.folder.session(SESSION)
        marker = mark(folder, desk.effects.files, "one-shot")
        desk.ask("wake", **WHERE)
        assert not desk.effects.files.exists(marker)

    def test_the_observers_and_the_journal_are_told(self, desk: Desk) -> None:
        desk.start()
        desk.ask("wake", **WHERE, trigger="test")
        told = [(name, one["report"].trigger) for name, one in desk.configuration.told if "report" in one]
        of_this = [name for name, trigger in told if trigger.endswith("test")]
        assert of_this == ["attention_decided", "attention_decided", "attention_cycle_finished"]
        entries = list(desk.resident.app.journal.read())
        assert [entry["trigger"] for entry in entries if entry["type"] == "cycle"][-1].endswith("test")

    def test_looks_and_questions_that_find_nothing_new_are_not_written_down(self, desk: Desk) -> None:
        desk.start()
        desk.ask("wake", **WHERE)

        def cycles() -> list[str]:
            return [one["trigger"] for one in desk.resident.app.journal.read() if one["type"] == "cycle"]

        before = len(cycles())
        for _ in range(3):
            cycle_after(desk, lambda: desk.question("w1:p1", event="tool"))
        assert len(cycles()) == before
        desk.host.focused = frozenset({"w1:p2"})
        cycle_after(desk, lambda: desk.question("w1:p1", event="tool"))
        assert cycles()[before:] == ["ask:tool"]
        desk.ask("wake", **WHERE, trigger="by hand")
        assert cycles()[-1] == "by hand"

    def test_what_nobody_asks_for_is_refused(self, desk: Desk) -> None:
        desk.start()
        answer = desk.ask("walk")
        assert answer.code == 2
        assert "'walk' (known: wake, ask, status, stop)" in answer.of("err")[0]


class TestByItself:
    def test_what_the_host_tells_wakes_it(self, desk: Desk) -> None:
        desk.start()
        cycle_after(desk, lambda: desk.host.focus("w1:p2"))

    def test_a_hold_whose_taker_died_is_noticed(self, desk: Desk) -> None:
        agent = desk.agent("w1:p1", 7)
        desk.start()
        now_ms = desk.effects.clock.wall_ms()
        desk.resident.app.holds.take(hold(started_ms=now_ms, deadline_ms=now_ms + 60_000))
        cycle_after(desk, desk.resident.tick)
        agent.look()
        assert agent.paused

    def test_a_hold_is_over_at_its_deadline(self, desk: Desk) -> None:
        assert desk.memory is not None
        desk.start()
        now_ms = desk.effects.clock.wall_ms()
        desk.resident.app.holds.take(hold(started_ms=now_ms, deadline_ms=now_ms + 1_000))
        cycle_after(desk, desk.resident.tick)
        desk.memory.clock.advance(1_000)
        cycle_after(desk, desk.resident.tick)
        assert desk.resident.app.holds.all() == []
        assert [
            one["change"] for name, one in desk.configuration.told if name == "attention_hold_changed"
        ] == ["expired"]

    def test_after_a_suspension_everything_is_looked_at_and_the_lease_renewed(self, desk: Desk) -> None:
        assert desk.memory is not None
        desk.start()
        desk.memory.clock.advance(3_600_000)
        cycle_after(desk, desk.resident.tick)
        assert (
            json.loads(desk.effects.files.read(desk.folder.reflex))["until_ms"]
            == desk.effects.clock.wall_ms() + 15_000
        )

    def test_a_session_that_is_over_is_let_go_and_comes_back(self, desk: Desk) -> None:
        desk.start()
        desk.host.down = True
        desk.ask("wake", **WHERE)
        desk.resident.sessions.find()
        desk.resident.sessions.find()
        assert desk.status()["sessions"] == []
        desk.host.down = False
        answer = desk.ask("wake", **WHERE)
        assert answer.code == 0
        assert len(desk.status()["sessions"]) == 1

    def test_a_session_at_an_address_that_its_host_does_not_list_stays_while_it_answers(
        self, desk: Desk
    ) -> None:
        desk.start()
        desk.host.sessions = lambda: []  # type: ignore[method-assign]
        desk.ask("wake", **WHERE)
        for _ in range(4):
            desk.resident.sessions.find()
        assert len(desk.status()["sessions"]) == 1

    def test_a_host_that_gives_no_answer_keeps_its_sessions(self, desk: Desk) -> None:
        desk.start()
        assert desk.status()["hosts"] == [{"name": "fake", "state": "answers"}]

        def silent() -> Any:
            raise HostUnavailable("no answer")

        desk.host.sessions = silent  # type: ignore[method-assign]
        desk.host.down = True
        desk.ask("wake", **WHERE)
        for _ in range(4):
            desk.resident.sessions.find()
        assert len(desk.status()["sessions"]) == 1
        since_ms = desk.effects.clock.wall_ms()
        assert desk.status()["hosts"] == [
            {
                "name": "fake",
                "state": "gives no answer",
                "back_off_s": 5.0,
                "problem": "no answer",
                "since_ms": since_ms,
            }
        ]

    def test_sessions_that_the_state_folder_knows_are_tried_at_the_start(self, desk: Desk) -> None:
        folder = desk.folder.session(SESSION)
        save(desk.effects.files, folder.description, WHERE)
        gone = desk.folder.session(session("/run/gone.sock"))
        save(desk.effects.files, gone.description, {"host": "fake", "address": "/run/gone.sock"})
        desk.host.sessions = lambda: []  # type: ignore[method-assign]
        desk.start()
        assert [one["address"] for one in desk.status()["sessions"]] == [SESSION.address]

    def test_a_watch_that_raises_is_started_again_and_shows(self, desk: Desk) -> None:
        def watch(session: object, wake: object, stop: threading.Event) -> None:
            raise RuntimeError("broken watch")

        desk.host.watch = watch  # type: ignore[method-assign]
        desk.start()
        found = until(lambda: [one for one in desk.status()["sessions"] if one["watch"] == "backing off"])
        assert "broken watch" in found[0]["watch_problem"]
        assert desk.ask("wake", **WHERE).code == 0


class TestSettings:
    def write(self, desk: Desk, text: str) -> None:
        desk.effects.files.write(desk.root / "attention.toml", text.encode())

    def test_changed_ones_are_taken_over(self, desk: Desk) -> None:
        desk.start()
        before = desk.resident.app
        desk.configuration.settings.reflex.mode = "strict"
        self.write(desk, "changed")
        ticks(desk)
        assert desk.renewals == 1
        assert desk.resident.app is not before
        assert json.loads(desk.effects.files.read(desk.folder.reflex))["mode"] == "strict"
        assert desk.ask("wake", **WHERE).code == 0
        cycle_after(desk, lambda: desk.host.focus("w1:p2"))
        ticks(desk)
        assert desk.renewals == 1

    def test_they_are_there_when_the_next_request_is_answered(self, desk: Desk) -> None:
        desk.start()
        self.write(desk, "changed")
        desk.ask("wake", **WHERE)
        assert desk.renewals == 1

    def test_with_wrong_ones_the_old_ones_stay_and_the_person_is_told_once(self, desk: Desk) -> None:
        desk.start()
        before = desk.resident.app
        desk.wrong = "attention.toml:1: no"
        self.write(desk, "wrong")
        ticks(desk, 3 * SLOW_TICKS)
        assert desk.resident.app is before
        assert desk.status()["settings"]["problem"] == "attention.toml:1: no"
        assert len([sentence for sentence in desk.said if "the old ones stay" in sentence]) == 1
        assert desk.ask("wake", **WHERE).code == 0
        desk.wrong = ""
        self.write(desk, "right again")
        ticks(desk)
        assert desk.status()["settings"]["problem"] is None

    def is_quiet(self, desk: Desk) -> bool:
        before = desk.host.snapshots
        for _ in range(50):
            desk.status()
        return desk.host.snapshots == before

    def test_a_question_that_waits_goes_on_waiting(self, desk: Desk) -> None:
        desk.start()
        answers: list[str] = []
        asking = threading.Thread(target=lambda: answers.append(desk.question("w1:p2", wait="600000")[0]))
        until(lambda: self.is_quiet(desk))
        wakes = desk.status()["counts"]["wakes"]
        asking.start()
        until(lambda: desk.status()["counts"]["wakes"] > wakes, what="the question has woken its session")
        self.write(desk, "changed")
        ticks(desk)
        desk.ask("wake", **WHERE)
        until(lambda: self.is_quiet(desk), what="nobody looks all the time")
        assert answers == []
        cycle_after(desk, lambda: desk.host.focus("w1:p2"))
        desk.ask("wake", **WHERE)
        asking.join(BOUND_S)
        assert answers == ["run"]

    def test_a_host_that_is_no_longer_selected_is_let_go(self, desk: Desk) -> None:
        desk.start()
        del desk.hosts["fake"]
        self.write(desk, "changed")
        ticks(desk)
        assert desk.status()["sessions"] == []
        assert desk.ask("wake", **WHERE).code == 2


class Source:
    name = "marker"

    def __init__(self) -> None:
        self.going_on: list[Break] = []
        self.wake: Callable[[str], None] = lambda reason: None
        self.broken = False
        self.silent = False

    def current(self) -> Sequence[Break]:
        if self.silent:
            raise RuntimeError("no idea")
        return self.going_on

    def watch(self, wake: Callable[[str], None], stop: threading.Event) -> None:
        self.wake = wake
        if self.broken:
            raise RuntimeError("broken source")
        stop.wait()

    def begin(self, desk: Desk, run: str) -> None:
        now_ms = desk.effects.clock.wall_ms()
        self.going_on = [Break(run, "mini", now_ms, now_ms + 60_000)]
        self.wake("begins")


class TestBreaks:
    @pytest.fixture
    def source(self, desk: Desk) -> Source:
        source = Source()
        desk.configuration.sources = [source]
        desk.configuration.settings.breaks.sources = ["marker"]
        return source

    def runs(self, desk: Desk) -> list[str]:
        return [one.run for one in desk.resident.app.holds.all()]

    def test_a_break_pauses_everyone_and_ends_with_the_controller(self, desk: Desk, source: Source) -> None:
        agent = desk.agent("w1:p1", 7)
        desk.start()
        until(lambda: desk.status()["breaks"][0]["state"] == "following")
        cycle_after(desk, lambda: source.begin(desk, "b-1"))
        until(lambda: self.runs(desk) == ["b-1"])
        desk.ask("wake", **WHERE)
        agent.look()
        assert agent.paused
        desk.resident.close()
        assert self.runs(desk) == []

    def test_its_thread_outlives_a_wake_up_that_reaches_nobody(
        self, desk: Desk, source: Source, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A host that has just left the settings, or too many sessions."""
        wake_all = Sessions.wake_all

        def wakes(self: Sessions, trigger: str) -> list[Wake]:
            if refused:
                raise refused.pop()
            return wake_all(self, trigger)

        refused: list[Exception] = []
        monkeypatch.setattr(Sessions, "wake_all", wakes)
        desk.start()
        until(lambda: desk.status()["breaks"][0]["state"] == "following")
        for error in (NoSuchHost("fake"), TooMany("256 sessions are followed already")):
            refused.append(error)
            source.begin(desk, f"b of {type(error).__name__}")
            until(lambda: not refused)
        source.begin(desk, "b-3")
        until(lambda: self.runs(desk) == ["b-3"])

    @pytest.mark.parametrize("wrong", [{"run": 5}, {"started_ms": None}, {"deadline_ms": "soon"}])
    def test_a_break_that_is_none_keeps_nobody_elses_from_being_held(
        self, desk: Desk, source: Source, wrong: dict[str, Any]
    ) -> None:
        other = Source()
        other.name = "wrong"
        desk.configuration.sources = [other, source]
        desk.configuration.settings.breaks.sources = ["wrong", "marker"]
        desk.start()
        until(lambda: all(one["state"] == "following" for one in desk.status()["breaks"]))
        other.begin(desk, "b-1")
        until(lambda: self.runs(desk) == ["b-1"])
        other.going_on = [replace(other.going_on[0], **wrong)]
        source.begin(desk, "b-2")
        until(lambda: self.runs(desk) == ["b-1", "b-2"])
        assert [sentence for sentence in desk.said if "wrong: current() returned" in sentence]

    def test_its_thread_outlives_a_lock_that_cannot_be_looked_at(
        self, desk: Desk, source: Source, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Too many open files, for a moment."""
        assert desk.memory is not None
        monkeypatch.setattr("attention_framework.serve.breaks.TRY_S", 0.01)
        desk.memory.disk.faults.fail("try_lock", errno.EMFILE, path="*/break-watch.lock", times=1)
        desk.start()
        until(lambda: desk.status()["breaks"][0]["state"] == "following")

    def test_its_thread_outlives_a_hold_that_cannot_be_removed(
        self, desk: Desk, source: Source, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its break is over at its deadline. What is followed next is followed."""
        assert desk.memory is not None
        desk.start()
        until(lambda: desk.status()["breaks"][0]["state"] == "following")
        source.begin(desk, "b-1")
        until(lambda: self.runs(desk) == ["b-1"])
        desk.memory.disk.faults.fail("remove", errno.EIO, path="*/holds/b-1.json", times=1)
        other = Source()
        other.name = "other"
        desk.configuration.sources = [other]
        desk.configuration.settings.breaks.sources = ["other"]
        desk.resident._breaks.renew()
        until(lambda: desk.status()["breaks"][0]["state"] == "following")

    def test_where_break_watch_follows_this_does_not(self, desk: Desk, source: Source) -> None:
        assert desk.memory is not None
        other = desk.memory.process().files.try_lock(desk.folder.break_watch_lock)
        assert other is not None
        desk.start()
        until(lambda: desk.status()["breaks"] == [{"name": "marker", "state": "followed by another process"}])
        other.release()
        desk.resident._breaks.renew()
        until(lambda: desk.status()["breaks"][0]["state"] == "following")

    def test_a_source_that_breaks_is_followed_again_and_shows(self, desk: Desk, source: Source) -> None:
        source.broken = True
        desk.start()
        until(lambda: desk.status()["breaks"][0].get("state") == "backing off")
        [told] = desk.status()["breaks"]
        assert "broken source" in told["problem"]
        assert told["since_ms"] == desk.effects.clock.wall_ms()
        assert told["again_ms"] == told["since_ms"] + told["back_off_s"] * 1000

    def test_a_source_that_cannot_tell_shows_since_when_until_it_can(
        self, desk: Desk, source: Source
    ) -> None:
        source.silent = True
        desk.start()
        until(lambda: desk.status()["breaks"][0].get("state") == "gives no answer")
        since_ms = desk.effects.clock.wall_ms()
        assert desk.memory is not None
        desk.memory.clock.advance(5_000)
        source.wake("again")
        [told] = desk.status()["breaks"]
        assert told["problem"].startswith("RuntimeError: no idea (")
        assert (told["since_ms"], told["back_off_s"]) == (since_ms, 2.0)
        source.silent = False
        source.wake("again")
        until(lambda: desk.status()["breaks"][0]["state"] == "following")

    def test_a_source_that_tells_something_else_shows_and_is_asked_on(
        self, desk: Desk, source: Source
    ) -> None:
        source.going_on = ["tea"]  # type: ignore[list-item]
        desk.start()
        until(lambda: desk.status()["breaks"][0].get("state") == "gives no answer")
        assert "not a list of breaks" in desk.status()["breaks"][0]["problem"]
        source.begin(desk, "b-1")
        until(lambda: self.runs(desk) == ["b-1"])

    def test_a_source_that_could_not_be_made_shows(self, desk: Desk, source: Source) -> None:
        desk.configuration.left_out = {"marker": "it needs settings"}
        desk.configuration.sources = []
        desk.start()
        left_out = {"name": "marker", "state": "left out", "problem": "it needs settings"}
        assert desk.status()["breaks"] == [left_out]
        assert desk.status()["left_out"] == {"marker": "it needs settings"}

    def test_a_break_that_the_person_ended_is_not_begun_again_by_new_settings(
        self, desk: Desk, source: Source
    ) -> None:
        desk.start()
        source.begin(desk, "b-1")
        until(lambda: self.runs(desk) == ["b-1"])
        desk.resident.app.holds.release("b-1")
        desk.effects.files.write(desk.root / "attention.toml", b"changed")
        ticks(desk)
        followers = desk.resident._breaks._followers
        until(lambda: desk.resident._breaks._followers not in (None, followers))
        source.wake("again")
        desk.ask("wake", **WHERE)
        assert self.runs(desk) == []

    def test_a_source_that_is_no_longer_selected_holds_nobody(self, desk: Desk, source: Source) -> None:
        desk.start()
        source.begin(desk, "b-1")
        until(lambda: self.runs(desk) == ["b-1"])
        desk.configuration.sources = []
        desk.configuration.settings.breaks.sources = []
        desk.effects.files.write(desk.root / "attention.toml", b"changed")
        ticks(desk)
        until(lambda: self.runs(desk) == [])


class TestEnd:
    @pytest.mark.parametrize("listed", [True, False])
    @pytest.mark.parametrize("where", [{**WHERE, "count": "yes"}, {"count": "yes"}, {"answer": "no"}])
    def test_who_is_heard_and_comes_too_late_for_a_cycle_is_not_answered(
        self, desk: Desk, where: dict[str, str], listed: bool
    ) -> None:
        """Whoever gets no answer wakes by itself; of a failure it would only tell."""
        desk.start()
        if not listed:
            desk.host.sessions = lambda: []  # type: ignore[method-assign]
        desk.resident.stop_soon()
        desk.resident.sessions.stop()
        with pytest.raises(NoServer, match="no end"):
            desk.ask("wake", **where)

    def test_it_leaves_nothing_but_its_lock_file(self, desk: Desk) -> None:
        desk.start()
        desk.resident.close()
        names = desk.effects.files.names(desk.state)
        assert not {"serve.addr", "serve.sock", "serve.json", "reflex.json"} & set(names)
        with pytest.raises(NoServer):
            desk.ask("status")

    def test_who_asks_it_to_stop_gets_an_answer(self, desk: Desk) -> None:
        desk.start()
        assert desk.ask("stop").code == 0
        assert desk.resident.stopping

    def test_who_waits_then_does_it_alone(self, desk: Desk) -> None:
        desk.start()
        failed: list[Exception] = []

        def ask() -> None:
            try:
                desk.question("w1:p2", wait="600000")
            except NoServer as error:
                failed.append(error)

        asking = threading.Thread(target=ask)
        asks = desk.status()["counts"]["asks"]
        asking.start()
        until(lambda: desk.status()["counts"]["asks"] > asks)
        desk.resident.close()
        asking.join(BOUND_S)
        assert len(failed) == 1

    def test_another_one_that_runs_is_an_error_for_people(self) -> None:
        assert issubclass(RunsAlready, Expected)
        assert RunsAlready.exit_code == 1


def test_no_wake_up_is_lost_where_one_shot_runners_work_beside_it(desk: Desk) -> None:
    """Whoever is answered has been covered by a cycle that saw what was so before."""
    assert desk.memory is not None
    desk.effects = replace(desk.effects, clock=RealClock())  # Those who wait for a lock do so in real time.
    desk.start()
    now, seen, guard = [0], [0], threading.Lock()
    wrong: list[tuple[str, int]] = []

    def note() -> None:
        with guard:
            seen[0] = max(seen[0], now[0])

    desk.host.before_snapshot = note

    def event() -> int:
        with guard:
            now[0] += 1
            return now[0]

    def check(who: str, number: int) -> None:
        with guard:
            if seen[0] < number:
                wrong.append((who, number))

    def resident() -> None:
        for _ in range(60):
            number = event()
            desk.ask("wake", **WHERE)
            check("resident", number)

    def one_shot() -> None:
        assert desk.memory is not None
        app = DeskApp(desk)
        app.__dict__["effects"] = replace(desk.memory.process(), clock=RealClock())
        for _ in range(60):
            number = event()
            assert wake(app, SESSION, "one-shot").well
            check("one-shot", number)

    threads = [threading.Thread(target=work) for work in (resident, resident, one_shot, one_shot)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []
    assert seen[0] == 240


def test_it_works_on_real_sockets_and_the_real_disk(real_desk: Desk) -> None:
    real_desk.start()
    assert real_desk.ask("wake", **WHERE).code == 0
    assert real_desk.question("w1:p1")[0] == "run"
    assert real_desk.question("w1:p2")[0] == "pause"
    status = real_desk.status()
    assert status["counts"]["asks"] == 2
    assert "token" not in json.dumps(status)


def test_a_storm_over_real_sockets_costs_few_cycles_and_everybody_is_answered(real_desk: Desk) -> None:
    real_desk.start()
    before, wrong = real_desk.cycles, []

    def storm() -> None:
        for number in range(125):
            answer = real_desk.ask(
                "wake", **WHERE, trigger=f"t{number}", answer="no" if number % 2 else "yes"
            )
            if answer.code != 0:
                wrong.append(answer)

    threads = [threading.Thread(target=storm) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []
    folder = real_desk.folder.session(SESSION)
    until(lambda: real_desk.effects.files.names(folder.wake) == [])
    assert real_desk.cycles - before < 500, "of a thousand wake-ups"


def test_folders_of_sessions_that_have_ended_go_at_the_start_and_now_and_then(desk: Desk) -> None:
    def leave(name: str) -> None:
        folder = desk.folder.session_by_key(name)
        save(desk.effects.files, folder.description, {"host": "fake", "address": f"/{name}"})
        save(desk.effects.files, folder.ended, {"since_ms": 1})

    def is_gone(name: str) -> bool:
        return not desk.effects.files.exists(desk.folder.session_by_key(name).root)

    leave("fake-1")
    desk.start()
    until(lambda: is_gone("fake-1"), what="it is removed at the start")
    leave("fake-2")
    desk.ask("wake")
    assert not is_gone("fake-2")
    desk.memory.clock.advance(SWEEP_MS)  # type: ignore[union-attr]
    desk.ask("wake")
    until(lambda: is_gone("fake-2"), what="it is removed an hour later")
