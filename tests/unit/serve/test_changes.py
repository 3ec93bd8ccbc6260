from __future__ import annotations

import json
import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from attention_framework.serve.changes import HoldsWatch, JumpWatch, SettingsWatch
from attention_framework.serve.lease import LEASE_MS, RENEW_MS, Lease
from attention_framework.testing import START_MS, Memory, hold

from .conftest import DeskApp

if TYPE_CHECKING:
    from .conftest import Desk


class TestHolds:
    def test_what_was_there_before_is_no_news(self, desk: Desk) -> None:
        app = DeskApp(desk)
        app.holds.take(hold())
        assert HoldsWatch(app).look(app) == ""

    def test_taken_changed_and_released_are(self, desk: Desk) -> None:
        app = DeskApp(desk)
        watch = HoldsWatch(app)
        app.holds.take(hold("b-1"))
        assert [watch.look(app), watch.look(app)] == ["holds changed", ""]
        app.holds.take(hold("b-1", deadline_ms=START_MS + 1))
        assert [watch.look(app), watch.look(app)] == ["holds changed", ""]
        app.holds.release("b-1")
        assert [watch.look(app), watch.look(app)] == ["holds changed", ""]

    def test_a_deadline_is_told_once_when_it_is_past(self, desk: Desk) -> None:
        assert desk.memory is not None
        app = DeskApp(desk)
        watch = HoldsWatch(app)
        app.holds.take(hold("b-1", deadline_ms=START_MS + 5_000))
        app.holds.take(hold("b-2", deadline_ms=START_MS + 9_000))
        assert watch.look(app)
        desk.memory.clock.advance(4_999)
        assert watch.look(app) == ""
        desk.memory.clock.advance(1)
        assert [watch.look(app), watch.look(app)] == ["a hold is over", ""]
        desk.memory.clock.advance(4_000)
        assert watch.look(app) == "a hold is over"


class TestSettings:
    def test_another_content_a_new_file_and_none_are_noticed(self, desk: Desk) -> None:
        path = desk.root / "attention.toml"
        watch = SettingsWatch(desk.effects.files, path)
        assert not watch.look()
        desk.effects.files.write(path, b"a")
        assert [watch.look(), watch.look()] == [True, False]
        desk.effects.files.write(path, b"b")
        assert [watch.look(), watch.look()] == [True, False]
        desk.effects.files.remove(path)
        assert [watch.look(), watch.look()] == [True, False]


class TestJump:
    def test_ordinary_time_is_none(self, memory: Memory) -> None:
        watch = JumpWatch(memory.clock)
        memory.clock.advance(2_900)
        assert watch.look() == ""

    def test_a_process_that_was_stopped_notices(self, memory: Memory) -> None:
        watch = JumpWatch(memory.clock)
        memory.clock.advance(60_000)
        assert watch.look() == "stopped for 60 s"
        assert watch.look() == ""

    def test_a_suspended_machine_and_a_clock_that_was_set_are_noticed(self, memory: Memory) -> None:
        watch = JumpWatch(memory.clock)
        for change_s in (3_600, -3_600):
            memory.clock.set_wall(memory.clock.wall_ms() + change_s * 1000)
            assert watch.look() == f"the clock has jumped by {change_s} s"
            assert watch.look() == ""


def test_the_lease_is_renewed_in_time_and_taken_away(desk: Desk) -> None:
    assert desk.memory is not None
    path = desk.folder.reflex
    lease = Lease(path, desk.effects, "7-1", lambda: desk.configuration.settings.reflex)

    def until_ms() -> int:
        return int(json.loads(desk.effects.files.read(path))["until_ms"])

    lease.renew_if_due()
    assert json.loads(desk.effects.files.read(path)) == {
        "v": 1, "mode": "brake", "away": "ignore", "fail": "open", "ask_ms": 250, "until_ms": START_MS + LEASE_MS,
        "controller": "7-1",
    }  # fmt: skip
    desk.memory.clock.advance(RENEW_MS - 1)
    lease.renew_if_due()
    assert until_ms() == START_MS + LEASE_MS
    desk.memory.clock.advance(1)
    lease.renew_if_due()
    assert until_ms() == START_MS + RENEW_MS + LEASE_MS
    lease.end()
    assert not desk.effects.files.exists(path)


def test_a_thread_that_is_late_does_not_write_the_mode_of_before(desk: Desk) -> None:
    """It was about to renew the lease when another one took over other settings, and wrote them."""
    assert desk.memory is not None
    settings: list[Any] = [
        SimpleNamespace(mode=mode, away="", fail="", ask_ms=1) for mode in ("strict", "off")
    ]
    inside, go_on = threading.Event(), threading.Event()
    lease = Lease(desk.folder.reflex, desk.effects, "7-1", lambda: settings[0])

    def slow(operation: str, path: object) -> None:
        if threading.current_thread() is first and not inside.is_set():
            inside.set()
            assert go_on.wait(30)

    first = threading.Thread(target=lease.renew)
    late = threading.Thread(target=lease.renew)
    desk.memory.disk.on_operation = slow
    first.start()
    assert inside.wait(30)
    late.start()
    del settings[0]
    go_on.set()
    for thread in (first, late):
        thread.join(30)
    assert json.loads(desk.effects.files.read(desk.folder.reflex))["mode"] == "off"
