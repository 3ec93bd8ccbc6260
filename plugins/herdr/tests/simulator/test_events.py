"""Subscriptions: a ring that is polled, replayed, and silent about what it lost."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from attention_herdr.simulator import Event, ManualClock, SimulatedHerdr
from attention_herdr.simulator.client import Failed
from attention_herdr.simulator.hub import RING, Hub

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


STARTED = {"id": "s", "result": {"type": "subscription_started"}}


def test_the_ring_keeps_512_events_of_all_kinds() -> None:
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
    assert lines[1] == b'{"data":{"pane_id":"w1:p1","type":"pane_focused","workspace_id":"w1"},"event":"pane_focused"}'
    assert all(line == json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode() for line in lines)


@pytest.fixture
def standing(open_stream: Callable[..., Any]) -> Iterator[tuple[SimulatedHerdr, ManualClock]]:
    """A server whose time stands still."""
    clock = ManualClock()
    with SimulatedHerdr(clock=clock) as herdr:
        yield herdr, clock


@pytest.mark.skipif(sys.platform == "win32", reason="the stream's first line would wait for a tick there as well")
def test_each_look_brings_one_event_for_each_subscription(
    standing: tuple[SimulatedHerdr, ManualClock], open_stream: Callable[..., Any], until: Callable[..., Any]
) -> None:

    herdr, clock = standing
    herdr.storm(2)
    herdr.split("w1:p1")
    herdr.storm(2)
    stream = open_stream(herdr.address, "pane.focused", "tab.focused")
    while stream.nothing_more():
        if clock.sleepers():
            clock.advance(0.1)
    assert stream.next() == STARTED
    for pane in [event.data["pane_id"] for event in herdr.events() if event.name == "pane.focused"]:
        assert stream.next()["data"].get("pane_id") == pane
        assert stream.next()["event"] == "tab_focused"
        until(lambda: clock.sleepers() == [0.1])
        assert stream.nothing_more()
        clock.advance(0.1)


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows only a real disconnect ends a stream")
def test_any_byte_from_the_subscriber_ends_the_stream(herdr: SimulatedHerdr, subscribe: Callable[..., Any]) -> None:
    stream = subscribe("tab.closed")
    assert stream.next() == STARTED
    stream.write(b"\n")
    assert stream.raw() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no half of a named pipe to close")
def test_closing_the_sending_half_ends_the_stream(herdr: SimulatedHerdr, subscribe: Callable[..., Any]) -> None:
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


def test_status_has_a_dotted_name_no_type_and_starts_now(herdr: SimulatedHerdr, subscribe: Callable[..., Any], echo: Callable[..., str]) -> None:
    pane = echo(kind="omp")
    about = {"pane_id": pane, "source": "herdr:omp", "agent": "omp"}
    herdr.call("pane.report_agent", state="working", **about)
    stream = subscribe(entries=[{"type": "pane.agent_status_changed", "pane_id": pane, "agent_status": "working"}])
    assert stream.next() == STARTED
    first = b'{"data":{"agent":"omp","agent_status":"working","pane_id":"w1:p1","workspace_id":"w1"},"event":"pane.agent_status_changed"}'
    assert stream.raw() == first
    herdr.call("pane.report_agent", state="blocked", **about)


def test_status_of_a_pane_that_is_not_there(subscribe: Callable[..., Any]) -> None:
    stream = subscribe(entries=[{"type": "pane.agent_status_changed", "pane_id": "w9:p9"}])
    assert stream.next()["error"]["code"] == "pane_not_found"
    assert stream.raw() == b""


def test_waiting_works_for_status_alone(herdr: SimulatedHerdr, ask: Callable[..., Any], echo: Callable[..., str]) -> None:
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
                "type": "pane_agent_status_changed", "pane_id": pane, "workspace_id": "w1", "agent_status": "working", "agent": "omp",
            },
        },
    }  # fmt: skip
    with pytest.raises(Failed, match="unsupported_event_wait_match"):
        ask("events.wait", match_event={"event": "pane_focused", "pane_id": pane})
    with pytest.raises(Failed, match="timeout"):
        ask("events.wait", match_event={**match, "agent_status": "idle"}, timeout_ms=0)
