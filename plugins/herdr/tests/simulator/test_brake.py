"""The reflex of a simulated agent: what its terminal says, what it asks, and when it lets go."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.simulator import mailbox_client
from attention_herdr.simulator.asking import ask

from attention_framework.state.hellos import parse_hello
from attention_framework.testing import until

from .test_mailbox_client import Desk

if TYPE_CHECKING:
    from pathlib import Path


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1_796_008_500_000

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(mailbox_client, "_now_ms", clock)
    return clock


@pytest.fixture
def desk(tmp_path: Path, clock: Clock) -> Desk:
    desk = Desk(tmp_path)
    desk.lease()
    return desk


def reflex(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = desk.status["reflex"]
    return found


def test_a_lost_focus_engages_says_so_and_asks_in_this_order(desk: Desk, clock: Clock) -> None:
    desk.client.left()
    assert desk.log == ["engage", "ask: braked"]
    assert desk.status["shown"] == "line"
    assert reflex(desk) == {
        "mode": "brake",
        "reports": True,
        "away": True,
        "silent": 0,
        "since_ms": clock.now_ms,
    }


def test_the_controller_reads_what_it_says(desk: Desk) -> None:
    desk.client.left()
    said = parse_hello("x", desk.status)
    assert (said.state, said.reflex.mode, said.reflex.away) == ("braked", "brake", True)


@pytest.mark.parametrize("answer", ["run", "unknown"])
def test_it_lets_go_when_it_may_run_or_nobody_knows(desk: Desk, answer: str) -> None:
    desk.client.left()
    desk.client.answered(desk.asked[-1], answer)
    assert (desk.log[-1], desk.status["state"]) == ("release", "running")
    assert reflex(desk)["away"] is True


def test_an_answer_to_an_older_question_is_ignored(desk: Desk) -> None:
    desk.client.left()
    desk.client.left()
    first, second = desk.asked
    desk.client.answered(first, "run")
    assert desk.status["state"] == "braked"
    desk.client.answered(second, "run")
    assert desk.status["state"] == "running"


def test_the_request_turns_the_brake_into_the_pause_without_a_gap(desk: Desk) -> None:
    desk.client.left()
    desk.client.answered(desk.asked[-1], "pause")
    desk.ask("focus")
    desk.client.look()
    assert desk.status["state"] == "paused"
    assert "release" not in desk.log


@pytest.mark.parametrize("proof", ["came", "pressed"])
def test_the_person_lets_go_and_the_open_question_is_void(desk: Desk, proof: str) -> None:
    desk.client.left()
    getattr(desk.client, proof)()
    assert desk.status["state"] == "running"
    assert reflex(desk)["away"] is False
    desk.client.answered(desk.asked[-1], "pause")
    assert desk.status["state"] == "running"


def test_no_answer_within_the_bound_lets_go_and_is_counted(desk: Desk, clock: Clock) -> None:
    desk.client.left()
    clock.now_ms += 249
    desk.client.tend()
    assert desk.status["state"] == "braked"
    clock.now_ms += 1
    desk.client.tend()
    assert desk.status["state"] == "running"
    assert reflex(desk)["silent"] == 1


def test_repeated_silence_switches_it_off_until_the_lease_is_renewed(desk: Desk, clock: Clock) -> None:
    for _ in range(3):
        desk.client.left()
        desk.client.answered(desk.asked[-1], None)
    assert reflex(desk) == {"mode": "off", "reports": True, "away": True, "silent": 3}
    desk.client.left()
    assert len(desk.asked) == 3
    clock.now_ms += 5_000
    desk.lease()
    desk.client.left()
    assert len(desk.asked) == 4
    assert reflex(desk)["silent"] == 0


def test_an_answer_ends_the_silence(desk: Desk) -> None:
    for answer in (None, None, "run", None):
        desk.client.left()
        desk.client.answered(desk.asked[-1], answer)
    assert (reflex(desk)["mode"], reflex(desk)["silent"]) == ("brake", 1)


def test_told_to_pause_and_never_asked_to_it_asks_again_and_then_lets_go(desk: Desk, clock: Clock) -> None:
    desk.client.left()
    for _ in range(4):
        assert desk.status["state"] == "braked"
        desk.client.answered(desk.asked[-1], "pause")
        clock.now_ms += 2_000
        desk.lease()
        desk.client.tend()
    assert desk.status["state"] == "running"
    assert len(desk.asked) == 4
    assert "no request came" in desk.status["problem"]["text"]


def test_a_request_that_failed_puts_it_on_again_with_a_new_question(desk: Desk) -> None:
    desk.not_painted = "an editor has the terminal"
    desk.client.left()
    desk.client.answered(desk.asked[-1], "pause")
    desk.ask("focus")
    desk.client.look()
    assert desk.status["state"] == "braked"
    assert len(desk.asked) == 2


def test_a_request_that_was_taken_back_puts_it_on_again(desk: Desk) -> None:
    desk.client.left()
    desk.hold("b-1")
    desk.ask("b-1")
    desk.at["acknowledged"] = lambda: desk.unhold("b-1")
    desk.client.look()
    assert desk.status["state"] == "braked"
    assert len(desk.asked) == 2


def test_a_pause_of_the_person_takes_the_place_of_the_brake(desk: Desk) -> None:
    desk.client.left()
    desk.client.person_paused()
    desk.client.answered(desk.asked[-1], "run")
    assert (desk.status["state"], desk.status["by"]) == ("paused", "person")
    assert "release" not in desk.log


def test_a_lease_that_runs_out_lets_go(desk: Desk, clock: Clock) -> None:
    desk.client.left()
    desk.client.answered(desk.asked[-1], "pause")
    clock.now_ms += 15_000
    desk.client.tend()
    assert desk.status["state"] == "running"


@pytest.mark.parametrize(
    "lease",
    [
        {"mode": "off"},
        {"until_ms": 0},
        {"until_ms": 61_000},
        {"ask_ms": "soon"},
    ],
)
def test_without_a_valid_lease_there_is_no_reflex(desk: Desk, lease: dict[str, Any]) -> None:
    desk.lease(**lease)
    desk.client.left()
    assert desk.asked == []
    assert (desk.status["state"], reflex(desk)["away"]) == ("running", True)


def test_while_it_is_paused_a_loss_is_noted_and_nothing_is_engaged(desk: Desk) -> None:
    desk.paused("focus")
    desk.client.left()
    assert "engage" not in desk.log
    assert reflex(desk)["away"] is True


class Server:
    """One answer for one question."""

    def __init__(self, answer: bytes) -> None:
        self.asked = b""
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with self._listener, self._listener.accept()[0] as connection:
            self.asked = connection.makefile("rb").readline()
            connection.sendall(self._answer)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"answer pause question=7 reason=w1%3Ap3\nend 0\n", "pause"),
        (b"answer pause question=7\n", None),
        (b"end 1\n", None),
        (b"", None),
    ],
)
def test_the_question_goes_to_the_address_that_the_controller_wrote(
    tmp_path: Path, said: bytes, answer: str | None
) -> None:
    server = Server(said)
    (tmp_path / "serve.addr").write_text(f"tcp 127.0.0.1 {server.port} abc\n", encoding="utf-8")
    got: list[str | None] = []
    ask(tmp_path, {"host": "herdr", "address": "/a b", "pane": "w1:p2", "question": 7}, 5.0, got.append)
    until(lambda: got)
    assert got == [answer]
    assert server.asked == b"ask host=herdr address=/a%20b pane=w1:p2 question=7 token=abc\n"


@pytest.mark.parametrize("content", ["", "unix /nowhere/serve.sock\n", "tcp 127.0.0.1\n", None])
def test_where_nobody_listens_nobody_answers(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "serve.addr").write_text(content, encoding="utf-8")
    got: list[str | None] = []
    ask(tmp_path, {"question": 1}, 5.0, got.append)
    until(lambda: got)
    assert got == [None]
