from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import Hold, Scope
from attention_framework.holds import HoldRefused, Holds
from attention_framework.state.folder import StateFolder
from attention_framework.testing import START_MS, Memory, hold, scope

STATE = StateFolder(Path("/state"))
ids = st.frozensets(st.tuples(st.text(), st.text()), max_size=3)
scopes = st.builds(Scope, st.just(True), st.just(frozenset()), ids) | st.builds(
    Scope, st.just(False), ids, ids
)
times = st.integers(0, 2**53)
any_hold = st.builds(
    Hold,
    st.text(min_size=1).filter(lambda run: run != "focus"),
    st.sampled_from(["break", "manual"]),
    st.text(),
    scopes,
    times,
    st.none() | times,
    st.none() | st.tuples(st.text(), st.text()),
)


def holds(memory: Memory, said: list[str] | None = None) -> Holds:
    return Holds(STATE, memory.files, pytest.fail if said is None else said.append)


@given(any_hold)
def test_what_is_taken_is_what_is_found(taken: Hold) -> None:
    found = holds(Memory())
    found.take(taken)
    assert found.all() == [taken]
    assert found.release(taken.run)
    assert found.all() == []


def test_taking_one_again_replaces_it(memory: Memory) -> None:
    found = holds(memory)
    found.take(hold("b-1"))
    longer = hold("b-1", deadline_ms=START_MS + 600_000)
    found.take(longer)
    assert found.all() == [longer]


@pytest.mark.parametrize("run", ["focus", ""])
def test_the_reserved_id_is_refused(memory: Memory, run: str) -> None:
    with pytest.raises(HoldRefused, match="choose another"):
        holds(memory).take(hold(run))
    assert memory.disk.content == {}


def test_releasing_one_leaves_the_others(memory: Memory) -> None:
    found = holds(memory)
    for run in ("b-1", "b-2"):
        found.take(hold(run))
    assert found.release("b-1")
    assert not found.release("b-1")
    assert [left.run for left in found.all()] == ["b-2"]


def test_the_oldest_comes_first(memory: Memory) -> None:
    found = holds(memory)
    for run, started_ms in (("a", 3), ("b", 1), ("c", 2), ("d", 1)):
        found.take(hold(run, started_ms=started_ms))
    assert [one.run for one in found.all()] == ["b", "d", "c", "a"]


def test_one_is_in_force_until_its_deadline(memory: Memory) -> None:
    found = holds(memory)
    found.take(hold("b-1", deadline_ms=START_MS + 1))
    found.take(hold("m-1", deadline_ms=None))
    assert [one.run for one in found.in_force(START_MS)] == ["b-1", "m-1"]
    assert [one.run for one in found.in_force(START_MS + 1)] == ["m-1"]


def test_the_expired_are_removed_and_each_is_told_once(memory: Memory) -> None:
    found, other = holds(memory), holds(memory)
    found.take(hold("b-1", deadline_ms=START_MS))
    found.take(hold("b-2", deadline_ms=START_MS + 1))
    assert [one.run for one in found.remove_expired(START_MS)] == ["b-1"]
    assert other.remove_expired(START_MS) == []
    assert [one.run for one in found.all()] == ["b-2"]


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"v": 1, "run": "b-1"}',
        b'{"v": 1, "run": "b-1", "kind": "break", "scope": "some"}',
        b'{"v": 1, "run": "b-1", "kind": "break", "scope": ["w1:p1"]}',
        b'{"v": 1, "run": "b-1", "kind": "break", "scope": [{"session": "s"}]}',
        b'{"v": 1, "run": "b-1", "kind": "break", "scope": "all", "deadline_ms": "soon"}',
        b'{"v": 1, "run": "b-1", "kind": "break", "scope": "all", "deadline_ms": 1e999}',
        b'{"v": 1, "run": "b-1", "kind": "break", "scope": "all", "last_active": "w1:p1"}',
        b'{"v": 1, "run": "b-9", "kind": "break", "scope": "all"}',
    ],
)
def test_a_broken_one_pauses_nobody_and_is_set_aside(memory: Memory, content: bytes) -> None:
    memory.disk.put(STATE.hold("b-1"), content)
    said: list[str] = []
    assert holds(memory, said).all() == []
    assert memory.disk.content == {STATE.holds / "b-1.json.broken": content}
    assert len(said) == 1


def test_the_example_of_the_reference_is_read(memory: Memory) -> None:
    memory.disk.put(
        STATE.hold("b-1"),
        b'{"v": 1, "run": "b-1", "kind": "break", "source": "cli", "scope": "all", "except": [],'
        b' "started_ms": 1796008518083, "deadline_ms": 1796008578083, "last_active": null, "resume": null}',
    )
    assert holds(memory).all() == [Hold("b-1", "break", "cli", Scope(), 1796008518083, 1796008578083)]


@pytest.mark.parametrize(
    ("meant", "covered"),
    [
        (Scope(), True),
        (scope("w1:p1", key="s"), True),
        (scope("w1:p2", key="s"), False),
        (scope("w1:p1", key="t"), False),
        (scope(key="s", excluded=["w1:p1"]), False),
        (scope("w1:p1", key="s", excluded=["old"]), False),
        (scope("old", key="s"), True),
    ],
)
def test_a_hold_covers_a_pane_by_any_of_its_names(meant: Scope, covered: bool) -> None:
    assert meant.covers("s", frozenset(("w1:p1", "old"))) is covered


def test_a_scope_of_no_pane_covers_none(memory: Memory) -> None:
    empty: Any = replace(scope("x"), panes=frozenset())
    assert not empty.covers("s", frozenset(("x",)))
