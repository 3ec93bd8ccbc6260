from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import real_effects
from attention_framework.state.folder import StateFolder
from attention_framework.state.hellos import read_hellos
from attention_framework.state.known_hellos import KnownHellos
from attention_framework.testing import SESSION, START_MS

if TYPE_CHECKING:
    from attention_framework.effects import Effects
    from attention_framework.state.folder import SessionFolder
    from attention_framework.testing import Memory

FOLDER = StateFolder(Path("/state")).session(SESSION)
OLD_S = 1_000_000


def document(attended: int, state: str = "running") -> bytes:
    said: dict[str, Any] = {"v": 1, "agent": "omp", "pane": "p", "pid": os.getpid(), "state": state}
    return json.dumps({**said, "attended": attended}).encode()


class Counted:
    """Files that count what is read."""

    def __init__(self, effects: Effects) -> None:
        self._files, self.read_names = effects.files, list[str]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def read(self, path: Path) -> bytes:
        self.read_names.append(path.name)
        return self._files.read(path)


def test_a_file_is_read_again_only_when_it_has_changed(memory: Memory) -> None:
    files = Counted(memory.effects)
    effects = replace(memory.effects, files=files)  # type: ignore[arg-type]
    known = KnownHellos(effects)

    def attended() -> list[int]:
        look = known.look(FOLDER)
        return [hello.attended for name in look.names if (hello := look.hello(name))]

    memory.disk.put(FOLDER.agent("a.1"), document(1))
    memory.disk.put(FOLDER.agent("b.2"), document(1))
    assert (attended(), attended()) == ([1, 1], [1, 1])
    assert files.read_names == ["a.1.json", "b.2.json"]
    memory.disk.put(FOLDER.agent("b.2"), document(2))
    assert attended() == [1, 2]
    assert files.read_names[2:] == ["b.2.json"]
    memory.disk.take(FOLDER.agent("a.1"))
    assert attended() == [2]


def test_what_is_read_after_the_look_is_not_taken_for_what_was_there(memory: Memory) -> None:
    """Read later than the stamp was taken, it is newer than the stamp says; the next look must not miss what follows."""
    known = KnownHellos(memory.effects)
    memory.disk.put(FOLDER.agent("a.1"), document(1))
    look = known.look(FOLDER)
    memory.disk.put(FOLDER.agent("a.1"), document(2))
    assert getattr(look.hello("a.1"), "attended", None) == 2
    assert getattr(known.look(FOLDER).hello("a.1"), "attended", None) == 2


@pytest.fixture
def folder(tmp_path: Path) -> SessionFolder:
    return StateFolder(tmp_path).session(SESSION)


def test_two_contents_of_the_same_moment_are_told_apart(folder: SessionFolder) -> None:
    """A file that was written a moment ago is read each time: its stamp may be that of the next one, too."""
    effects = real_effects()
    known, path = KnownHellos(effects), folder.agent("a.1")
    for attended in range(1, 8):
        effects.files.write(path, document(attended))
        os.utime(path, ns=(effects.clock.wall_ms() * 1_000_000 // 10**9 * 10**9,) * 2)
        assert getattr(known.look(folder).hello("a.1"), "attended", None) == attended


def test_one_that_was_written_long_ago_is_not_read_again(folder: SessionFolder) -> None:
    files = Counted(real_effects())
    effects = replace(real_effects(), files=files)  # type: ignore[arg-type]
    known, path = KnownHellos(effects), folder.agent("a.1")
    effects.files.write(path, document(1))
    os.utime(path, (OLD_S, OLD_S))
    for _ in range(3):
        assert known.look(folder).hello("a.1") is not None
    assert files.read_names == ["a.1.json"]


def test_the_dead_are_left_out_also_when_their_file_is_known(memory: Memory) -> None:
    known = KnownHellos(memory.effects)
    started = {"ticks": 7, "ms": START_MS}
    said = {"v": 1, "agent": "omp", "pane": "p", "pid": 5, "state": "running", "started": started}
    memory.disk.put(FOLDER.agent("a.5"), json.dumps(said).encode())
    unread: list[str] = []
    assert read_hellos(FOLDER, memory.effects, pytest.fail, unread, known.look(FOLDER)) == []
    assert read_hellos(FOLDER, memory.effects, pytest.fail, unread, known.look(FOLDER)) == []
    assert unread == ["a.5", "a.5"]
