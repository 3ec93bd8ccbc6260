from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_framework import FocusMemory
from attention_framework.state.folder import SessionFolder
from attention_framework.state.memory import HISTORY, load_memory, remember, save_memory
from attention_framework.testing import START_MS, Memory, hello, pane, snapshot

FOLDER = SessionFolder(Path("/state/sessions/fake-1"))
PANES = [pane(name) for name in ("a", "b", "c")]
looks = st.lists(st.none() | st.frozensets(st.sampled_from("abc")), min_size=1, max_size=100)


def after(*seen: frozenset[str] | None, memory: FocusMemory | None = None) -> FocusMemory:
    """As the cycle does it, which saves nothing where the focus is unknown."""
    for now_ms, focused in enumerate(seen):
        found = remember(memory, snapshot(*PANES, focused=focused), now_ms)
        memory = memory if focused is None else found
    return memory or FocusMemory()


@given(looks)
def test_it_counts_the_changes_of_what_is_known(seen: list[frozenset[str] | None]) -> None:
    known = [focused for focused in seen if focused is not None]
    changes = sum(before != now for before, now in pairwise(known))
    memory = after(*seen)
    assert memory.changes == changes
    assert memory.focused == (known[-1] if known else frozenset())


@given(looks)
def test_the_history_is_newest_first_without_gaps_and_bounded(seen: list[frozenset[str] | None]) -> None:
    memory = after(*seen)
    numbers = [changes for changes, _ in memory.history]
    assert numbers == list(range(memory.changes, memory.changes - len(numbers), -1))[: len(numbers)]
    assert len(numbers) <= HISTORY
    assert not memory.history or memory.history[0] == (memory.changes, memory.focused)
    assert all(one != other for (_, one), (_, other) in pairwise(memory.history))


@given(looks)
def test_what_is_saved_is_what_is_loaded(seen: list[frozenset[str] | None]) -> None:
    files, memory = Memory().files, after(*seen)
    save_memory(FOLDER, files, memory)
    assert load_memory(FOLDER, files, pytest.fail) == memory


@given(looks)
def test_a_focus_that_is_unknown_is_as_if_nobody_had_looked(seen: list[frozenset[str] | None]) -> None:
    memory = after(*seen)
    assert after(None, memory=memory) == memory


def test_looking_again_changes_nothing() -> None:
    memory = after(frozenset("a"))
    assert after(frozenset("a"), memory=memory) is memory


def test_clocks_that_go_back_do_not_undo_a_change() -> None:
    memory = remember(None, snapshot(*PANES, focused=["a"]), START_MS)
    memory = remember(memory, snapshot(*PANES, focused=["b"]), START_MS - 1_000_000)
    assert (memory.changes, memory.changed_ms) == (1, START_MS - 1_000_000)


def test_it_knows_the_agents_that_were_there_at_the_last_change() -> None:
    one = pane("a", hello=hello("a", 7))
    memory = remember(None, snapshot(one, pane("b"), pane("c", agent=None), focused=["a"]), 0)
    assert memory.agents == {"a.7", "b:omp"}
    later = remember(memory, snapshot(one, pane("b"), pane("d"), focused=["a"]), 0)
    assert later.agents == memory.agents, "nothing has changed"


@pytest.mark.parametrize(
    "content",
    [
        b'{"v": 1, "changes": "many"}',
        b'{"v": 1, "focused": 7}',
        b'{"v": 1, "focused": [["a"]]}',
        b'{"v": 1, "history": [{"changes": 1}]}',
        b'{"v": 1, "history": ["a"]}',
        b'{"v": 1, "changes": Infinity}',
        b'{"v": 1, "changes": NaN}',
    ],
)
def test_a_memory_of_another_shape_is_none(memory: Memory, content: bytes) -> None:
    memory.disk.put(FOLDER.focus, content)
    said: list[str] = []
    assert load_memory(FOLDER, memory.files, said.append) is None
    assert len(said) == 1


def test_an_older_file_with_fewer_fields_is_understood(memory: Memory) -> None:
    memory.disk.put(FOLDER.focus, b'{"v": 1, "focused": ["a"], "more": true}')
    assert load_memory(FOLDER, memory.files, pytest.fail) == FocusMemory(frozenset("a"))


def test_it_knows_when_a_pane_lost_the_focus() -> None:
    memory = after(frozenset("a"), frozenset("b"), frozenset("bc"), frozenset("c"))
    times = {name: memory.left_ms(frozenset(name)) for name in "abc"}
    assert times == {"a": 1, "b": 3, "c": None}


def test_a_pane_that_is_gone_takes_its_time_with_it() -> None:
    memory = after(frozenset("a"), frozenset("b"))
    found = remember(memory, snapshot(pane("b"), pane("c"), focused="c"), 5)
    assert dict(found.left) == {"b": 5}


def test_a_pane_that_comes_back_has_not_left() -> None:
    memory = after(frozenset("a"), frozenset("b"), frozenset("a"))
    assert memory.left == (("b", 2),)
