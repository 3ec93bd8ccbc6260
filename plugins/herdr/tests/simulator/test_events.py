"""Subscriptions: a ring that is polled, replayed, and silent about what it lost."""

from __future__ import annotations

import json
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from attention_herdr.simulator import Event, SimulatedHerdr
from attention_herdr.simulator.client import Failed
from attention_herdr.simulator.hub import RING, Hub
from attention_herdr.simulator.requests import Request
from attention_herdr.simulator.subscriptions import stream

if TYPE_CHECKING:
    from collections.abc import Callable


STARTED = {"id": "s", "result": {"type": "subscription_started"}}


def test_the_ring_keeps_512_events_of_all_kinds() -> None:
    assert RING == 512
    hub = Hub()
    hub.push(Event("pane.focused", {"pane_id": "w1:p1"}))
    for number in range(RING):
        hub.push(Event("pane.updated", {"number": number}))
    assert hub.after(0, "pane.focused") is None
    found = hub.after(0, "pane.updated")
    assert found is not None
    assert found[1].data == {"number": 0}


def test_a_subscriber_gets_the_past_first(herdr: SimulatedHerdr, subscribe: Callable[..., Any]) -> None:
    second = herdr.split("w1:p1", focus=True)
    stream = subscribe("pane.focused")
    assert stream.next() == STARTED
    assert [stream.next()["data"]["pane_id"] for _ in range(2)] == ["w1:p1", second]
    herdr.focus("w1:p1")
    assert stream.next()["data"]["pane_id"] == "w1:p1"


def test_lines_of_a_stream_are_alphabetical(herdr: SimulatedHerdr, subscribe: Callable[..., Any]) -> None:
    stream = subscribe("pane.focused", "pane.created")
    herdr.split("w1:p1")
    lines = [stream.raw() for _ in range(3)]
    assert (
        lines[1]
        == b'{"data":{"pane_id":"w1:p1","type":"pane_focused","workspace_id":"w1"},"event":"pane_focused"}'
    )
    assert all(
        line == json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode() for line in lines
    )


class Written:
    """A connection and a clock in one: writes down lines and ticks, and leaves after some ticks."""

    def __init__(self, ticks: int) -> None:
        self.left = ticks
        self.seen: list[Any] = []

    def write(self, data: bytes) -> None:
        if data != b"\n":
            self.seen.append(json.loads(data))

    def ended(self) -> bool:
        return self.left == 0

    def sleep(self, seconds: float, stop: object) -> bool:
        self.seen.append(seconds)
        self.left -= 1
        return True


def test_each_look_brings_one_event_for_each_subscription_and_then_waits_100_ms() -> None:
    hub, written = Hub(), Written(ticks=3)
    for pane in ("w1:p2", "w1:p3"):
        hub.push(Event("tab.focused", {"tab_id": "w1:t1"}))
        hub.push(Event("pane.focused", {"pane_id": pane}))
    server: Any = SimpleNamespace(app=SimpleNamespace(hub=hub, clock=written), stopping=None)
    subscriptions = [{"type": "pane.focused"}, {"type": "tab.focused"}]
    stream(
        server,
        cast("Any", written),
        Request("s", "events.subscribe", {"subscriptions": subscriptions}),
        spoken=False,
    )
    tab = {"data": {"tab_id": "w1:t1", "type": "tab_focused"}, "event": "tab_focused"}
    first, second = (
        {"data": {"pane_id": pane, "type": "pane_focused"}, "event": "pane_focused"}
        for pane in ("w1:p2", "w1:p3")
    )
    assert written.seen == [STARTED, first, tab, 0.1, second, tab, 0.1, 0.1]


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows only a real disconnect ends a stream")
def test_any_byte_from_the_subscriber_ends_the_stream(
    herdr: SimulatedHerdr, subscribe: Callable[..., Any]
) -> None:
    stream = subscribe("tab.closed")
    assert stream.next() == STARTED
    stream.write(b"\n")
    assert stream.raw() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no half of a named pipe to close")
def test_closing_the_sending_half_ends_the_stream(
    herdr: SimulatedHerdr, subscribe: Callable[..., Any]
) -> None:
    import socket

    stream = subscribe("tab.closed")
    assert stream.next() == STARTED
    stream.socket.shutdown(socket.SHUT_WR)
    assert stream.raw() == b""


def test_the_stream_ends_with_the_server(herdr: SimulatedHerdr, subscribe: Callable[..., Any]) -> None:
    stream = subscribe("tab.closed")
    assert stream.next() == STARTED
    herdr.stop()
    assert stream.raw() == b""


def test_status_has_a_dotted_name_no_type_and_starts_now(
    herdr: SimulatedHerdr, subscribe: Callable[..., Any], echo: Callable[..., str]
) -> None:
    pane = echo(kind="omp")
    about = {"pane_id": pane, "source": "herdr:omp", "agent": "omp"}
    herdr.call("pane.report_agent", state="working", **about)
    stream = subscribe(
        entries=[{"type": "pane.agent_status_changed", "pane_id": pane, "agent_status": "working"}]
    )
    assert stream.next() == STARTED
    data = b'{"agent":"omp","agent_status":"working","pane_id":"w1:p1","workspace_id":"w1"}'
    first = b'{"data":' + data + b',"event":"pane.agent_status_changed"}'
    assert stream.raw() == first
    herdr.call("pane.report_agent", state="blocked", **about)


def test_status_of_a_pane_that_is_not_there(subscribe: Callable[..., Any]) -> None:
    stream = subscribe(entries=[{"type": "pane.agent_status_changed", "pane_id": "w9:p9"}])
    assert stream.next()["error"]["code"] == "pane_not_found"
    assert stream.raw() == b""


def test_waiting_works_for_status_alone(
    herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]
) -> None:
    pane = echo(kind="omp")
    about = {"pane_id": pane, "source": "herdr:omp", "agent": "omp"}
    herdr.call("pane.report_agent", state="working", **about)
    match = {"event": "pane_agent_status_changed", "pane_id": pane, "agent_status": "working"}
    matched = ask("events.wait", match_event=match, timeout_ms=60_000)
    assert matched == {
        "type": "wait_matched",
        "event": {
            "event": "pane_agent_status_changed",
            "data": {
                "type": "pane_agent_status_changed",
                "pane_id": pane,
                "workspace_id": "w1",
                "agent_status": "working",
                "agent": "omp",
            },
        },
    }  # fmt: skip
    with pytest.raises(Failed, match="unsupported_event_wait_match"):
        ask("events.wait", match_event={"event": "pane_focused", "pane_id": pane})
    with pytest.raises(Failed, match="timeout"):
        ask("events.wait", match_event={**match, "agent_status": "idle"}, timeout_ms=0)
