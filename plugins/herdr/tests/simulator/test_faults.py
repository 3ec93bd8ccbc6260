"""Faults to order: each one as a client meets it."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import Fault, ManualClock, SimulatedHerdr
from attention_herdr.simulator.client import Failed, exchange
from attention_herdr.simulator.faults import Faults

if TYPE_CHECKING:
    from collections.abc import Callable

SNAPSHOT = b'{"id":"1","method":"session.snapshot","params":{}}\n'
PING = b'{"id":"1","method":"ping","params":{}}\n'


def test_a_fault_counts_for_its_method_and_its_number_of_times() -> None:
    faults = Faults()
    faults.add("ping", Fault("cut", times=2))
    faults.add("*", Fault("close"))
    kinds = [fault.kind for method in ("ping", "ping", "ping") if (fault := faults.take(method))]
    assert kinds == ["cut", "cut", "close"]
    assert faults.take("ping") is None
    assert faults.open() == 0


def test_cut_ends_in_the_middle(herdr: SimulatedHerdr, raw: Callable[[bytes], bytes]) -> None:
    whole = raw(PING)
    herdr.fault("ping", "cut")
    cut = raw(PING)
    assert cut
    assert whole.startswith(cut)
    assert len(cut) < len(whole) - 1
    assert raw(PING) == whole


def test_oversized_is_valid_and_too_long(herdr: SimulatedHerdr, raw: Callable[[bytes], bytes]) -> None:
    herdr.fault("ping", "oversized", size=100_000)
    reply = raw(PING)
    assert len(reply) == 100_001
    assert json.loads(reply)["result"]["type"] == "pong"


def test_not_json_is_not_even_text(herdr: SimulatedHerdr, raw: Callable[[bytes], bytes]) -> None:
    herdr.fault("ping", "not-json")
    with pytest.raises(UnicodeDecodeError):
        raw(PING).decode()


def test_an_error_that_nobody_has_seen(herdr: SimulatedHerdr, ask: Callable[..., Any]) -> None:
    herdr.fault("agent.list", "error", code="brand_new")
    with pytest.raises(Failed) as caught:
        ask("agent.list")
    assert caught.value.code == "brand_new"


def test_closing_at_once_answers_nothing(herdr: SimulatedHerdr, raw: Callable[[bytes], bytes]) -> None:
    herdr.fault("ping", "close")
    assert raw(PING) == b""


def test_hanging_lasts_until_the_server_ends(
    herdr: SimulatedHerdr, raw: Callable[[bytes], bytes], until: Callable[..., Any]
) -> None:
    herdr.fault("ping", "hang")
    replies: list[bytes] = []
    client = threading.Thread(target=lambda: replies.append(raw(PING)))
    client.start()
    until(lambda: not herdr.faults.open())
    assert client.is_alive()
    herdr.stop()
    client.join()
    assert replies == [b""]


def test_a_delay_takes_its_time(until: Callable[..., Any]) -> None:
    clock = ManualClock()
    with SimulatedHerdr(clock=clock, first_pane=False) as herdr:
        herdr.fault("ping", "delay", delay_s=7)
        replies: list[bytes] = []
        client = threading.Thread(target=lambda: replies.append(exchange(herdr.address, PING)))
        client.start()

        def delayed() -> bool:
            if clock.sleepers() == [0.1]:
                clock.advance(0.1)
            return clock.sleepers() == [7]

        until(delayed)
        assert replies == []
        clock.advance(7)
        client.join()
        assert b"pong" in replies[0]


def test_a_server_may_stop_in_mid_reply(
    herdr: SimulatedHerdr, raw: Callable[[bytes], bytes], until: Callable[..., Any]
) -> None:
    herdr.fault("session.snapshot", "stop")
    reply = raw(SNAPSHOT)
    assert reply.startswith(b'{"id":"1","result":')
    assert not reply.endswith(b"\n")
    until(lambda: not herdr.running)
    until(lambda: not herdr.socket_path.exists())
    herdr.start()
    assert json.loads(raw(SNAPSHOT))["result"]["type"] == "session_snapshot"


def test_the_world_may_change_between_answer_and_delivery(
    herdr: SimulatedHerdr, ask: Callable[..., Any]
) -> None:
    second = herdr.split("w1:p1")
    herdr.after("session.snapshot", lambda: herdr.close_pane(second))
    assert second in [pane["pane_id"] for pane in ask("session.snapshot")["snapshot"]["panes"]]
    with pytest.raises(Failed, match="pane_not_found"):
        ask("pane.get", pane_id=second)
    assert len(ask("session.snapshot")["snapshot"]["panes"]) == 1
