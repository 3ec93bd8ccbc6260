from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import Call, ProcessIdentity, Reflex
from attention_framework.state.documents import Broken
from attention_framework.state.folder import StateFolder
from attention_framework.state.hellos import live_hellos, read_hello, read_hellos, remove_dead
from attention_framework.testing import SESSION, START_MS, FakeAgent

if TYPE_CHECKING:
    from attention_framework.testing import Memory

STATE = StateFolder(Path("/state"))
FOLDER = STATE.session(SESSION)
EXAMPLE: dict[str, Any] = {
    "v": 1, "agent": "omp", "pane": "w1:p2", "pid": 4711, "started": {"ticks": 812345, "ms": 1796008500000},
    "tty": "/dev/pts/3", "session_file": "/home/me/x.jsonl",
    "versions": {"agent": "18.2.3", "extension": "0.1.0", "protocol": 1},
    "state": "running", "by": None, "shown": None, "attended": 3, "runs": [], "waived": [], "engagement": "4711-2",
    "calls": [{"name": "bash", "since_ms": 1796008518000}], "problem": None, "written_ms": 1796008518083,
}  # fmt: skip


def write(memory: Memory, name: str = "w1%3Ap2.4711", **changes: Any) -> None:
    memory.disk.put(FOLDER.agent(name), json.dumps({**EXAMPLE, **changes}).encode())


def read(memory: Memory, **changes: Any) -> Any:
    write(memory, **changes)
    return read_hello(FOLDER, memory.files, "w1%3Ap2.4711")


def living(memory: Memory) -> list[int]:
    return [said.process.pid for said in read_hellos(FOLDER, memory.effects, pytest.fail)]


def test_the_example_of_the_reference_is_read_field_by_field(memory: Memory) -> None:
    said = read(memory)
    assert said.process == ProcessIdentity(4711, 812345, 1796008500000)
    assert (said.file, said.agent, said.pane, said.tty) == ("w1%3Ap2.4711", "omp", "w1:p2", "/dev/pts/3")
    assert (said.conversation, said.state, said.attended) == ("/home/me/x.jsonl", "running", 3)
    assert said.engagement == "4711-2"
    assert said.calls == (Call("bash", 1796008518000),)
    assert said.versions == (("agent", "18.2.3"), ("extension", "0.1.0"), ("protocol", "1"))
    assert said.problem is None
    assert not said.paused


def test_a_pause_and_a_problem_are_read(memory: Memory) -> None:
    said = read(
        memory,
        state="paused",
        by="request",
        shown="overlay",
        runs=["focus"],
        waived=["b-1"],
        problem={"code": "not-painted", "text": "no overlay", "since_ms": 1},
    )
    assert said.paused
    assert (said.by, said.shown, said.runs, said.waived) == ("request", "overlay", {"focus"}, {"b-1"})
    assert said.problem == "not-painted: no overlay"


def test_what_may_be_missing_may_be_missing(memory: Memory) -> None:
    memory.disk.put(
        FOLDER.agent("x.1"), b'{"v": 1, "agent": "omp", "pane": "x", "pid": 1, "state": "running"}'
    )
    said = read_hello(FOLDER, memory.files, "x.1")
    assert said is not None
    assert said.process == ProcessIdentity(1, None, 0)
    assert said.calls == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"v": 2},
        {"pid": None},
        {"pid": "x"},
        {"pid": 0},
        {"pid": -7},
        {"started": [1]},
        {"started": {"ticks": "x"}},
        {"attended": "often"},
        {"attended": float("inf")},
        {"runs": 7},
        {"calls": ["bash"]},
        {"problem": "broken"},
        {"versions": ["1"]},
    ],
    ids=repr,
)
def test_a_foreign_one_is_broken_and_reported_and_left_to_its_owner(
    memory: Memory, changes: dict[str, Any]
) -> None:
    with pytest.raises(Broken):
        read(memory, **changes)
    memory.processes.start(4711)
    said: list[str] = []
    assert read_hellos(FOLDER, memory.effects, said.append) == []
    assert len(said) == 1
    assert remove_dead(FOLDER, memory.effects) == []
    assert memory.files.exists(FOLDER.agent("w1%3Ap2.4711"))


def test_a_broken_one_does_not_hide_the_others(memory: Memory) -> None:
    memory.disk.put(FOLDER.agent("a.1"), b'{"v": 1, "age')
    write(memory)
    memory.processes.start(4711, ticks=812345)
    assert len(read_hellos(FOLDER, memory.effects, lambda _: None)) == 1


class TestLife:
    @pytest.fixture(autouse=True)
    def started(self, memory: Memory) -> None:
        memory.processes.start(4711, ticks=812345, started_ms=START_MS)
        write(memory)

    def test_one_that_lives_speaks(self, memory: Memory) -> None:
        assert living(memory) == [4711]
        assert remove_dead(FOLDER, memory.effects) == []

    def test_one_that_is_dead_does_not_and_is_removed_with_its_mailbox(self, memory: Memory) -> None:
        mailbox = FOLDER.mailbox("w1%3Ap2.4711")
        memory.disk.put(mailbox / "pending.json", b"{}")
        memory.processes.end(4711)
        assert living(memory) == []
        assert remove_dead(FOLDER, memory.effects) == ["w1%3Ap2.4711"]
        assert memory.disk.content == {}
        assert mailbox not in memory.disk.folders

    def test_another_process_with_its_pid_is_another_one(self, memory: Memory) -> None:
        memory.processes.end(4711)
        memory.processes.start(4711, ticks=812346, started_ms=START_MS)
        assert living(memory) == []
        assert remove_dead(FOLDER, memory.effects) == ["w1%3Ap2.4711"]

    def test_a_clock_that_is_set_back_kills_nobody(self, memory: Memory) -> None:
        memory.clock.set_wall(START_MS - 86_400_000)
        write(memory, started={"ticks": 812345, "ms": START_MS + 86_400_000})
        assert living(memory) == [4711]

    def test_where_there_are_no_ticks_the_start_counts_with_a_tolerance(self, memory: Memory) -> None:
        write(memory, started={"ms": START_MS + 5_000})
        assert living(memory) == [4711]
        write(memory, started={"ms": START_MS + 5_001})
        assert living(memory) == []

    def test_a_broken_one_of_a_dead_process_is_removed(self, memory: Memory) -> None:
        memory.disk.put(FOLDER.agent("w1%3Ap2.4711"), b"{")
        assert remove_dead(FOLDER, memory.effects) == []
        memory.processes.end(4711)
        assert remove_dead(FOLDER, memory.effects) == ["w1%3Ap2.4711"]

    @pytest.mark.parametrize("name", ["notes", "x.0", "x.-1", "x.99999999999"])
    def test_a_broken_one_whose_name_tells_no_process_stays(self, memory: Memory, name: str) -> None:
        memory.disk.put(FOLDER.agent(name), b"{")
        assert name not in remove_dead(FOLDER, memory.effects)

    def test_a_crash_while_removing_is_made_good_by_the_next(self, memory: Memory) -> None:
        memory.disk.put(FOLDER.mailbox("w1%3Ap2.4711") / "pending.json", b"{}")
        memory.processes.end(4711)
        other = memory.process()
        memory.disk.on_operation = lambda operation, path: (
            other.files.die() if operation == "remove" else None  # type: ignore[attr-defined]
        )
        with pytest.raises(BaseException, match="dead process"):
            remove_dead(FOLDER, other)
        memory.disk.on_operation = None
        assert memory.files.exists(FOLDER.agent("w1%3Ap2.4711")), "else nobody would know of its mailbox"
        assert remove_dead(FOLDER, memory.effects) == ["w1%3Ap2.4711"]


def test_those_of_every_session_are_found(memory: Memory) -> None:
    FakeAgent(memory.effects, STATE.root, SESSION, "a", 7).start(memory.processes)
    other = type(SESSION)("fake", "/run/other.sock")
    FakeAgent(memory.effects, STATE.root, other, "a", 8).start(memory.processes)
    pids = {said.process.pid for said in live_hellos(STATE.root, memory.effects, pytest.fail)}
    assert pids == {7, 8}


REFLEX = {"mode": "strict", "reports": True, "away": True, "silent": 2, "since_ms": 1796008518083}


def test_what_it_says_of_its_reflex_is_read(memory: Memory) -> None:
    said = read(memory, state="braked", reflex=REFLEX)
    assert (said.state, said.paused) == ("braked", False)
    assert said.reflex == Reflex("strict", reports=True, away=True, silent=2, since_ms=1796008518083)
    assert said.written_ms == 1796008518083


def test_one_of_an_earlier_version_has_none(memory: Memory) -> None:
    assert read(memory).reflex == Reflex()


@pytest.mark.parametrize(
    "said",
    [
        *(None, [], "brake", 7),
        {"mode": "turbo", "reports": "yes", "away": 1, "silent": "many", "since_ms": {}},
        {"mode": ["brake"], "silent": -3, "since_ms": True},
    ],
)
def test_nonsense_about_the_reflex_is_no_reflex(memory: Memory, said: object) -> None:
    assert read(memory, reflex=said).reflex == Reflex()
