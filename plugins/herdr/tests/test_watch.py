from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from attention_herdr.client import HerdrClient
from attention_herdr.focus import HerdrFocus
from attention_herdr.installer import HerdrInstaller
from attention_herdr.manifest import FILE, PLUGIN_ID
from attention_herdr.simulator.faults import ALWAYS
from attention_herdr.stream import kind_of
from attention_herdr.watch import Watch

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attention_herdr.testing import World

BOUND_S = 10.0


class Watcher:
    """A watch in a thread, and the reasons that it gave."""

    def __init__(
        self, world: World, gone_after_ms: float = 30_000.0, hooks_tell: Callable[[], bool] = lambda: False
    ) -> None:
        self.reasons: list[str] = []
        self.times: list[float] = []
        self.stop = threading.Event()
        effects = world.context.effects
        client = HerdrClient(world.session.address, effects)
        watch = Watch(world.session, client, effects, self._note, hooks_tell)
        self.thread = threading.Thread(target=watch.run, args=(self.stop, gone_after_ms), daemon=True)
        self.thread.start()

    def woken_by(self, reason: str, after: int = 0) -> None:
        until(lambda: reason in self.reasons[after:], BOUND_S, f"{reason} in {self.reasons}")

    def times_of(self, reason: str) -> list[float]:
        return [when for when, said in zip(self.times, self.reasons, strict=True) if said == reason]

    def _note(self, reason: str) -> None:
        self.times.append(time.monotonic())
        self.reasons.append(reason)

    def end(self) -> None:
        self.stop.set()
        self.thread.join(BOUND_S)
        assert not self.thread.is_alive()


@pytest.fixture
def watcher(world: World) -> Iterator[Watcher]:
    running = Watcher(world)
    until(lambda: running.reasons.count("herdr:subscribed") >= 2, BOUND_S, "both subscriptions are there")
    yield running
    running.end()


def test_a_change_of_focus_wakes(world: World, watcher: Watcher) -> None:
    second = world.herdr.split("w1:p1")
    world.herdr.focus(second)
    watcher.woken_by("herdr:pane.focused")


def test_a_new_agent_wakes(world: World, watcher: Watcher) -> None:
    world.start_echo()
    watcher.woken_by("herdr:pane.agent_detected")


def test_a_moved_pane_wakes(world: World, watcher: Watcher) -> None:
    world.herdr.split("w1:p1")
    world.herdr.move_pane("w1:p1")
    watcher.woken_by("herdr:pane.moved")


def test_a_change_of_status_wakes_for_agents_that_came_later(world: World, watcher: Watcher) -> None:
    world.start_echo()
    until(lambda: watcher.reasons.count("herdr:subscribed") >= 3, BOUND_S, "its status is subscribed to")
    world.herdr.call("pane.report_agent", pane_id="w1:p1", source="custom:test", agent="omp", state="blocked")
    watcher.woken_by("herdr:pane.agent_status_changed")


def test_where_the_hooks_tell_of_statuses_none_is_subscribed_to(world: World) -> None:
    asked: list[bool] = []

    def hooks_tell() -> bool:
        asked.append(True)
        return True

    watcher = Watcher(world, hooks_tell=hooks_tell)
    until(lambda: watcher.reasons.count("herdr:subscribed") >= 2, BOUND_S, "both subscriptions are there")
    world.start_echo()
    watcher.woken_by("herdr:pane.agent_detected")
    until(lambda: len(asked) >= 2, BOUND_S, "the statuses were looked at after it")
    world.herdr.call("pane.report_agent", pane_id="w1:p1", source="custom:test", agent="omp", state="blocked")
    second = world.herdr.split("w1:p1", focus=True)
    world.herdr.focus("w1:p1")
    world.herdr.focus(second)
    watcher.woken_by("herdr:pane.focused")
    watcher.end()
    assert watcher.reasons.count("herdr:subscribed") == 2
    assert "herdr:pane.agent_status_changed" not in watcher.reasons


def test_hooks_tell_where_the_plugin_is_linked_and_enabled_and_ours(world: World) -> None:
    focus, session = world.focus, world.session
    assert not focus.hooks_tell(session)
    for step in HerdrInstaller(world.context, focus).plan(remove=False):
        step.carry_out()
    assert focus.hooks_tell(session)
    world.herdr.call("plugin.disable", plugin_id=PLUGIN_ID)
    assert not focus.hooks_tell(session)
    world.herdr.call("plugin.enable", plugin_id=PLUGIN_ID)
    other = replace(world.context, state=world.context.state / "other")
    assert not HerdrFocus(None, other).hooks_tell(session)
    (world.context.state / "herdr-plugin" / FILE).unlink()
    assert not focus.hooks_tell(session)


def test_a_herdr_that_refuses_its_list_tells_nothing(world: World) -> None:
    world.herdr.fault("plugin.list", "error", times=ALWAYS)
    assert not world.focus.hooks_tell(world.session)


def test_an_end_of_the_stream_is_followed_by_a_new_one(world: World, watcher: Watcher) -> None:
    before = len(watcher.reasons)
    world.herdr.restart()
    watcher.woken_by("herdr:subscribed", before)
    second = world.herdr.split("w1:p1")
    world.herdr.focus(second)
    watcher.woken_by("herdr:pane.focused", before)


def test_a_handoff_is_survived(world: World, watcher: Watcher) -> None:
    before = len(watcher.reasons)
    world.herdr.restart(handoff=True)
    watcher.woken_by("herdr:subscribed", before)


def test_a_subscription_that_is_refused_is_tried_again(world: World) -> None:
    world.herdr.fault("events.subscribe", "close", times=4)
    watcher = Watcher(world)
    watcher.woken_by("herdr:subscribed")
    watcher.end()


def test_the_past_is_thinned_out(world: World) -> None:
    second = world.herdr.split("w1:p1")
    world.herdr.storm(30, among=["w1:p1", second])
    # What is replayed now, one line in 100 ms, would be 30 wake-ups.
    watcher = Watcher(world)
    until(lambda: watcher.reasons.count("herdr:pane.focused") >= 2, BOUND_S)
    watcher.end()
    first, second_wake = watcher.times_of("herdr:pane.focused")[:2]
    assert second_wake - first > 0.8


def test_it_ends_at_once_when_told_to(world: World, watcher: Watcher) -> None:
    watcher.stop.set()
    watcher.thread.join(1.5)
    assert not watcher.thread.is_alive()


def test_it_ends_when_the_session_stays_away(world: World) -> None:
    watcher = Watcher(world, gone_after_ms=100)
    watcher.woken_by("herdr:subscribed")
    world.herdr.stop()
    watcher.thread.join(BOUND_S)
    assert not watcher.thread.is_alive()


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"data":{},"event":"pane_focused"}\n', "pane.focused"),
        (b'{"data":{},"event":"pane_agent_detected"}\n', "pane.agent_detected"),
        (b'{"data":{},"event":"pane.agent_status_changed"}\n', "pane.agent_status_changed"),
        (b"half a li", "unreadable event"),
        (b"[]\n", "unreadable event"),
        (b'{"news":1}\n', "unreadable event"),
    ],
)
def test_any_line_is_a_wake_up(line: bytes, kind: str) -> None:
    assert kind_of(line) == kind
