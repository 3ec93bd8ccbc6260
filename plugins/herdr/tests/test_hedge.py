"""A late answer to a question that only reads is asked for a second time, on another connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from attention_herdr.client import HerdrClient
from attention_herdr.hedge import READS, first_line
from attention_herdr.simulator import methods

from attention_framework import HostUnavailable
from attention_framework.testing import Memory, Reply

if TYPE_CHECKING:
    from attention_herdr.simulator import SimulatedHerdr
    from attention_herdr.testing import World

METHOD = "session.snapshot"
ADDRESS = "/run/herdr.sock"
ANSWER = b'{"id":"attention","result":{"type":"x"}}\n'
SILENT = Reply(closes=False)


def served(*answers: Reply | bytes | type[OSError]) -> Memory:
    """A Herdr in memory whose connections are answered one after the other; the last answer goes on."""
    memory = Memory()
    left = list(answers)

    def serve(_: bytes) -> Reply | bytes:
        answer = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(answer, type):
            raise answer
        return answer

    memory.sockets.servers[ADDRESS] = serve
    return memory


def call(memory: Memory, method: str = METHOD) -> dict[str, Any]:
    return HerdrClient(ADDRESS, memory.effects).call(method)


def test_an_answer_in_time_is_asked_for_once() -> None:
    memory = served(ANSWER)
    assert call(memory) == {"type": "x"}
    assert len(memory.sockets.received) == 1


def test_the_second_connection_wins_when_the_first_is_held() -> None:
    memory = served(SILENT, ANSWER)
    assert call(memory) == {"type": "x"}
    assert len(memory.sockets.received) == 2
    assert len(set(memory.sockets.received)) == 1, "the same request"


@pytest.mark.parametrize("method", ["agent.send_keys", "agent.prompt", "pane.report_metadata", "plugin.link"])
def test_what_changes_something_is_never_sent_twice(method: str) -> None:
    memory = served(SILENT, ANSWER)
    with pytest.raises(HostUnavailable, match="no answer within"):
        call(memory, method)
    assert len(memory.sockets.received) == 1


def test_no_method_that_is_hedged_changes_the_simulated_herdr(world: World, herdr: SimulatedHerdr) -> None:
    """Its answer to the same question is the same afterwards."""
    params: dict[str, dict[str, Any]] = {
        "agent.get": {"target": "w1:p1"},
        "agent.read": {"target": "w1:p1", "source": "detection"},
        "pane.get": {"pane_id": "w1:p1"},
        "pane.read": {"pane_id": "w1:p1", "source": "detection"},
        "plugin.log.list": {"plugin_id": "x"},
    }
    world.start_echo()
    before = herdr.call(METHOD)
    client = HerdrClient(herdr.address, world.context.effects)
    for method in READS & {"ping", *methods.HANDLERS}:
        client.call(method, params.get(method, {}))
    assert herdr.call(METHOD) == before


@pytest.mark.parametrize("late", [b"", b'{"half', ConnectionResetError])
def test_the_first_may_still_win_when_the_second_fails(late: Reply | bytes | type[OSError]) -> None:
    """As a server does that is being replaced: it has a connection left and takes no new one."""
    memory = served(late)
    slow = Slow(after=1, answer=ANSWER)
    line = first_line(slow, lambda: memory.sockets.connect(ADDRESS, b"x", 1), 1.0, 1000)
    assert line == ANSWER


@pytest.mark.parametrize("answers", [(b"{half", b""), (b"", b"{half"), (b"{half", b"{")])
def test_of_two_that_have_failed_the_one_that_said_more_is_told(answers: tuple[bytes, bytes]) -> None:
    memory = served(answers[1])
    slow = Slow(after=1, answer=answers[0])
    assert first_line(slow, lambda: memory.sockets.connect(ADDRESS, b"x", 1), 1.0, 1000) == b"{half"


class Slow:
    """A connection that is silent for a few looks."""

    def __init__(self, after: int, answer: bytes) -> None:
        self.left, self.answer = after, answer

    def receive_line(self, timeout_s: float, limit: int) -> bytes:
        self.left -= 1
        if self.left >= 0:
            raise TimeoutError
        return self.answer

    def send(self, content: bytes) -> None: ...

    def close(self) -> None: ...

    def __enter__(self) -> Slow:
        return self

    def __exit__(self, *_: object) -> None: ...


@pytest.mark.parametrize("answers", [[SILENT, SILENT], [SILENT, ConnectionRefusedError]])
def test_two_that_are_silent_are_given_up_in_the_time_of_one(answers: list[Any]) -> None:
    with pytest.raises(HostUnavailable, match=r"no answer within 2\.0 s"):
        call(served(*answers))


def test_a_connection_that_a_real_server_holds_is_not_waited_for(world: World) -> None:
    """The limit is far longer than the test may take."""
    world.herdr.fault(METHOD, "hang")
    client = HerdrClient(world.session.address, world.context.effects, timeout_s=600)
    assert client.call(METHOD)["type"] == "session_snapshot"
    assert world.herdr.faults.open() == 0
