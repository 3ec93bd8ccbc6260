"""Processes that wake a session at the same time, one step of the disk after the other in a chosen order."""

from __future__ import annotations

import random
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from attention_framework import single_flight
from attention_framework.state.folder import SessionFolder
from attention_framework.testing import Crash, Memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attention_framework.effects import Effects

EVENTS = Path("/events")
FOLDER = SessionFolder(Path("/state/sessions/fake-1"))


class Protocols(Protocol):
    """How a wake-up is left and how it is covered: the real way, or a tempting wrong one."""

    def mark(self, folder: SessionFolder, files: Any, trigger: str) -> Path: ...
    def fly(self, folder: SessionFolder, marker: Path, files: Any, clock: Any, cycle: Any) -> Any: ...


class Chosen:
    mark = staticmethod(single_flight.mark)
    fly = staticmethod(single_flight.fly)


@dataclass(slots=True)
class Story:
    """What happened in one run."""

    ended: set[str] = field(default_factory=set)
    covered: set[str] = field(default_factory=set)
    early: set[str] = field(default_factory=set)
    """Processes that ended before a cycle had covered their event."""
    died: set[str] = field(default_factory=set)
    flying: set[str] = field(default_factory=set)
    together: list[set[str]] = field(default_factory=list)
    """Cycles that ran at the same time."""

    @property
    def lost(self) -> set[str]:
        return self.ended - self.covered


class Turns:
    """Lets one thread at a time take one step; `choose` says whose turn it is next."""

    def __init__(self, choose: Callable[[Sequence[str]], str]) -> None:
        self._choose = choose
        self._ready = threading.Condition()
        self._waiting: set[str] = set()
        self._alive: set[str] = set()
        self._turn: str | None = None
        self._me = threading.local()

    def step(self, *_: object) -> None:
        name = getattr(self._me, "name", None)
        if name is None:  # The test itself looks at the disk.
            return
        with self._ready:
            self._waiting.add(name)
            self._hand_over()
            self._ready.wait_for(lambda: self._turn == name)
            self._turn = None
            self._waiting.discard(name)

    def run(self, bodies: dict[str, Callable[[], None]]) -> None:
        self._alive = set(bodies)
        threads = [threading.Thread(target=self._body, args=item, daemon=True) for item in bodies.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in threads), "somebody waits for ever"

    def _body(self, name: str, body: Callable[[], None]) -> None:
        self._me.name = name
        try:
            with suppress(Crash):
                body()
        finally:
            with self._ready:
                self._alive.discard(name)
                self._hand_over()

    def _hand_over(self) -> None:
        """Only once everybody has come to its next step: so the order depends on `choose` alone."""
        if self._turn is None and self._waiting == self._alive and self._waiting:
            self._turn = self._choose(sorted(self._waiting))
            self._ready.notify_all()


def play(protocols: Protocols, seed: int, processes: int = 3, crashes: int = 1) -> Story:
    """One event and one process for each of `processes`, in an order that the seed gives; some die."""
    dice = random.Random(seed)
    memory, story = Memory(), Story()
    worlds = {f"e{number}": memory.process() for number in range(processes)}
    doomed = set(dice.sample(sorted(worlds), dice.randint(0, crashes)))
    deaths = {name: dice.randint(2, 14) for name in doomed}
    turns = Turns(lambda ready: dice.choice(ready))
    memory.disk.on_operation = turns.step

    def body(name: str, effects: Effects) -> None:
        files: Any = _Mortal(effects.files, deaths.get(name))
        try:
            files.create(EVENTS / name)
            marker = protocols.mark(FOLDER, files, name)
            protocols.fly(FOLDER, marker, files, effects.clock, lambda _: (_cycle(story, name, files), True))
        except Crash:
            story.died.add(name)
            story.flying.discard(name)
            raise
        story.ended.add(name)
        if name not in story.covered:
            story.early.add(name)

    turns.run({name: lambda n=name, e=effects: body(n, e) for name, effects in worlds.items()})
    return story


class _Mortal:
    """The files of a process that dies before its nth step."""

    def __init__(self, files: Any, steps: int | None) -> None:
        self._files = files
        self._left = steps

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._files, name)

        def step(*arguments: Any) -> Any:
            if self._left is not None:
                self._left -= 1
                if self._left <= 0:
                    self._files.die()
            return method(*arguments)

        return step


def _cycle(story: Story, name: str, files: Any) -> None:
    """Sees the events that there are, and acts on them a step later."""
    story.flying.add(name)
    if len(story.flying) > 1:
        story.together.append(set(story.flying))
    seen = files.names(EVENTS)
    files.append(Path("/acted"), b"x")
    story.covered.update(seen)
    story.flying.discard(name)


@pytest.fixture
def chosen() -> Protocols:
    return Chosen()


@pytest.fixture
def play_seed() -> Callable[..., Story]:
    return play


@pytest.fixture
def folder() -> SessionFolder:
    return FOLDER
