"""Locks that one process keeps and others look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from attention_framework.state.locks import is_held, take_past_looks

if TYPE_CHECKING:
    import pytest

    from attention_framework.testing import Memory

LOCK = Path("/state/serve.lock")


def test_a_lock_that_is_kept_is_held_and_not_to_be_had(memory: Memory) -> None:
    assert not is_held(memory.files, LOCK)
    kept = memory.process().files.try_lock(LOCK)
    assert kept is not None
    assert is_held(memory.files, LOCK)
    assert take_past_looks(memory.effects, LOCK) is None


def test_who_only_looks_is_in_nobodys_way(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    looking = memory.process().files.try_lock(LOCK)
    assert looking is not None
    sleep_ms = memory.clock.sleep_ms

    def sleep(milliseconds: float) -> Any:
        looking.release()
        return sleep_ms(milliseconds)

    monkeypatch.setattr(memory.clock, "sleep_ms", sleep)
    assert take_past_looks(memory.effects, LOCK) is not None
