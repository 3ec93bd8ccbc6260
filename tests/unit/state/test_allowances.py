from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework import Allowance
from attention_framework.state.allowances import (
    load_allowances,
    remove_allowance,
    remove_over,
    save_allowance,
)
from attention_framework.state.folder import SessionFolder
from attention_framework.testing import START_MS, focus_history, pane, snapshot, view

if TYPE_CHECKING:
    from attention_framework.testing import Memory

FOLDER = SessionFolder(Path("/state/sessions/fake-1"))
ONE, TWO = pane("w1:p1"), pane("w1:p2")


def names(memory: Memory) -> list[str]:
    return memory.files.names(FOLDER.allowed)


@pytest.mark.parametrize("until_ms", [None, START_MS])
def test_what_is_saved_is_what_is_loaded(memory: Memory, until_ms: int | None) -> None:
    granted = Allowance("w1:p1", until_ms, 3)
    save_allowance(FOLDER, memory.files, granted)
    assert load_allowances(FOLDER, memory.files, pytest.fail) == (granted,)


def test_granting_again_replaces_and_taking_back_removes(memory: Memory) -> None:
    save_allowance(FOLDER, memory.files, Allowance("w1:p1", None, 3))
    save_allowance(FOLDER, memory.files, Allowance("w1:p1", START_MS, 4))
    assert load_allowances(FOLDER, memory.files, pytest.fail) == (Allowance("w1:p1", START_MS, 4),)
    assert remove_allowance(FOLDER, memory.files, "w1:p1")
    assert not remove_allowance(FOLDER, memory.files, "w1:p1")


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b'{"v": 1, "pane": "w1:p1"}',
        b'{"v": 1, "pane": "w1:p1", "until_ms": "soon", "granted_at": 1}',
        b'{"v": 1, "pane": "w1:p1", "until_ms": null, "granted_at": null}',
    ],
)
def test_a_broken_one_is_set_aside_and_the_others_count(memory: Memory, content: bytes) -> None:
    save_allowance(FOLDER, memory.files, Allowance("w1:p2", None, 0))
    memory.disk.put(FOLDER.allowance("w1:p1"), content)
    said: list[str] = []
    assert [one.pane for one in load_allowances(FOLDER, memory.files, said.append)] == ["w1:p2"]
    assert names(memory) == ["w1%3Ap1.json.broken", "w1%3Ap2.json"]
    assert len(said) == 1


def test_one_that_was_granted_before_the_memory_was_lost_ends_with_the_next_visit() -> None:
    granted = Allowance("w1:p1", None, 17)
    names_of_it = frozenset(("w1:p1",))
    away = focus_history(snapshot(ONE, TWO, focused=["w1:p2"]))
    visited = focus_history(*(snapshot(ONE, TWO, focused=[name]) for name in ("w1:p2", "w1:p1", "w1:p2")))
    assert not granted.over(names_of_it, away, START_MS)
    assert granted.over(names_of_it, visited, START_MS)


def test_one_that_is_granted_anew_while_the_old_one_is_judged_stays(memory: Memory) -> None:
    old, new = Allowance("w1:p1", START_MS - 1, 0), Allowance("w1:p1", START_MS + 60_000, 0)
    save_allowance(FOLDER, memory.files, new)
    seen = view(snapshot(ONE, TWO, focused=["w1:p2"]), allowances=(old,))
    remove_over(FOLDER, memory.files, seen)
    assert names(memory) == ["w1%3Ap1.json"]
    save_allowance(FOLDER, memory.files, old)
    remove_over(FOLDER, memory.files, seen)
    assert names(memory) == []
