from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework.journal import Journal
from attention_framework.journal_tail import CHUNK, HEAD, Tail
from attention_framework.testing import Memory, hold

if TYPE_CHECKING:
    from collections.abc import Sequence

PATH = Path("/state/journal.jsonl")


def journal(memory: Memory, max_bytes: int = 5_000_000, keep: int = 3) -> Journal:
    return Journal(PATH, memory.effects, pytest.fail, max_bytes=max_bytes, keep=keep)


def tail(memory: Memory) -> Tail:
    return Tail(memory.files, journal(memory).paths)


def runs(found: Tail) -> list[str]:
    return [entry["run"] for entry in found.new()]


def test_the_first_look_gives_everything_and_each_later_one_what_is_new(memory: Memory) -> None:
    follower, writer = tail(memory), journal(memory)
    assert runs(follower) == []
    for names in (["a", "b"], [], ["c"]):
        for name in names:
            writer.write_hold(hold(name), "taken")
        assert runs(follower) == names


@given(
    st.lists(st.lists(st.integers(0, 400), max_size=6), min_size=1, max_size=12),
    st.integers(300, 3_000),
)
def test_nothing_is_lost_or_told_twice_across_rotations(steps: Sequence[Sequence[int]], limit: int) -> None:
    """Of a follower that looks before all files have been filled anew since its last look."""
    memory = Memory()
    writer = journal(memory, limit, keep=8)
    follower = Tail(memory.files, writer.paths)
    wanted, got = [], []
    for number, sizes in enumerate(steps):
        for index, size in enumerate(sizes):
            name = f"{number}-{index}-" + "x" * size
            wanted.append(name)
            writer.write_hold(hold(name), "taken")
        got += runs(follower)
    assert got == wanted


def test_a_follower_that_comes_too_late_goes_on_with_what_is_there(memory: Memory) -> None:
    follower, writer = tail(memory), journal(memory, 400, keep=3)
    writer.write_hold(hold("first"), "taken")
    assert runs(follower) == ["first"]
    for number in range(30):
        writer.write_hold(hold(f"b-{number}"), "taken")
    found = runs(follower)
    assert found == [f"b-{number}" for number in range(30)][-len(found) :]
    assert runs(follower) == []


def test_half_a_line_waits_for_its_other_half(memory: Memory) -> None:
    follower = tail(memory)
    line = json.dumps({"run": "a"}).encode() + b"\n"
    memory.files.append(PATH, line[:7])
    assert runs(follower) == []
    memory.files.append(PATH, line[7:])
    assert runs(follower) == ["a"]


def test_lines_that_are_none_are_passed_over(memory: Memory) -> None:
    follower = tail(memory)
    broken = [b"oops", b"\xff\xfe", b"[1]", b"x" * (2 * CHUNK + 5), b'{"run": "a"', b""]
    memory.files.append(PATH, b"\n".join(broken) + b'\n{"run": "b"}\n')
    assert runs(follower) == ["b"]


def test_it_reads_no_more_than_a_part_at_a_time(memory: Memory) -> None:
    asked: list[int] = []
    read_part = memory.files.read_part

    def counted(path: Path, start: int, most: int) -> bytes:
        asked.append(most)
        return read_part(path, start, most)

    memory.files.read_part = counted  # type: ignore[method-assign]
    writer = journal(memory)
    for number in range(3_000):
        writer.write_hold(hold(f"b-{number}"), "taken")
    assert len(runs(tail(memory))) == 3_000
    assert max(asked) == max(HEAD, CHUNK)
