"""The client against a server that answers badly. Every test here goes over a real socket."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.client import HerdrClient
from attention_herdr.simulator.faults import ALWAYS
from attention_herdr.wire import REPLY_LIMIT, NotRunning, Refused

from attention_framework import HostUnavailable, PaneGone

if TYPE_CHECKING:
    from attention_herdr.simulator import SimulatedHerdr
    from attention_herdr.testing import World

METHOD = "session.snapshot"


@pytest.fixture
def client(world: World) -> HerdrClient:
    return HerdrClient(world.session.address, world.context.effects, timeout_s=0.5)


def failure(client: HerdrClient, method: str = METHOD) -> HostUnavailable:
    """What the client says, which always names the method and the session."""
    with pytest.raises(HostUnavailable) as caught:
        client.call(method)
    assert f"{method} at {client.address}" in str(caught.value)
    return caught.value


def test_a_request_is_answered(client: HerdrClient) -> None:
    assert client.call("ping")["version"] == "0.8.2"


@pytest.mark.parametrize(
    ("kind", "options", "told"),
    [
        ("cut", {}, "cut off"),
        ("oversized", {"size": REPLY_LIMIT + 65_536}, "too long"),
        ("not-json", {}, "not JSON"),
        ("error", {"code": "never_seen_before"}, "never_seen_before"),
        ("hang", {}, "no answer within 0.5 s"),
        ("close", {}, "closed the connection without an answer"),
        ("stop", {}, "cut off"),
    ],
)
def test_a_bad_answer_is_unavailable_and_says_what_came(
    herdr: SimulatedHerdr, world: World, kind: str, options: dict[str, Any], told: str
) -> None:
    within_s = 0.5 if kind == "hang" else 20.0  # Megabytes take their time through a pipe of Wine's.
    client = HerdrClient(world.session.address, world.context.effects, timeout_s=within_s)
    herdr.fault(METHOD, kind, times=ALWAYS, **options)
    assert told in str(failure(client))


def test_the_next_request_is_not_harmed_by_a_bad_answer(herdr: SimulatedHerdr, client: HerdrClient) -> None:
    herdr.fault(METHOD, "cut", times=ALWAYS)
    failure(client)
    herdr.faults.clear()
    assert client.call(METHOD)["type"] == "session_snapshot"


def test_a_late_answer_within_the_limit_counts(herdr: SimulatedHerdr, client: HerdrClient) -> None:
    herdr.fault(METHOD, "delay", delay_s=0.1)
    assert client.call(METHOD)["type"] == "session_snapshot"


def test_an_unknown_error_keeps_its_code(herdr: SimulatedHerdr, client: HerdrClient) -> None:
    herdr.fault(METHOD, "error", times=ALWAYS, code="never_seen_before")
    error = failure(client)
    assert isinstance(error, Refused)
    assert error.code == "never_seen_before"


def test_a_method_that_herdr_does_not_know_is_refused(client: HerdrClient) -> None:
    error = failure(client, "no.such")
    assert isinstance(error, Refused)
    assert error.code == "invalid_request"


def test_a_pane_that_is_not_there_is_gone(client: HerdrClient) -> None:
    with pytest.raises(PaneGone, match="w9:p9"):
        client.call("pane.get", {"pane_id": "w9:p9"})


def test_nobody_listening_is_told_apart(herdr: SimulatedHerdr, client: HerdrClient) -> None:
    herdr.stop()
    assert isinstance(failure(client), NotRunning)


def test_a_server_whose_loop_stands_still_is_given_up(herdr: SimulatedHerdr, client: HerdrClient) -> None:
    with herdr.frozen():
        assert client.call("ping")["type"] == "pong"
        began = time.monotonic()
        assert "no answer within" in str(failure(client))
        assert time.monotonic() - began < 2.0


def test_no_request_waits_for_a_tick_of_the_server(client: HerdrClient) -> None:
    """Herdr answers a line that it did not find at once 100 ms later. The bytes are there when it looks."""
    took = []
    for _ in range(50):
        began = time.perf_counter()
        client.call("ping")
        took.append(time.perf_counter() - began)
    assert sorted(took)[len(took) // 2] < 0.05


def test_a_subscription_that_is_refused_is_unavailable(herdr: SimulatedHerdr, client: HerdrClient) -> None:
    with pytest.raises(HostUnavailable, match=r"events\.subscribe at .*pane_not_found"):
        client.subscribe([{"type": "pane.agent_status_changed", "pane_id": "w9:p9"}])


def test_a_subscription_gives_event_lines(herdr: SimulatedHerdr, client: HerdrClient) -> None:
    second = herdr.split("w1:p1")
    with client.subscribe([{"type": "pane.focused"}]) as connection:
        herdr.focus(second)
        lines = [connection.receive_line(5, 1_000_000)]
        while second.encode() not in lines[-1]:
            lines.append(connection.receive_line(5, 1_000_000))
    assert all(b"pane_focused" in line for line in lines)
