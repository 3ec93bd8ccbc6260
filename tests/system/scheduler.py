"""Processes that take turns: each runs real code in a thread of its own, one at a time, and may be stopped or killed
between any two operations on the disk. Which one goes on is the caller's choice alone, so a seed plays the same each time.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from attention_framework.testing import Crash, MemoryClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework.effects import Effects
    from attention_framework.testing import MemoryFiles


class Process:
    """One process of the controller, from its start to its end or its death."""

    def __init__(self, name: str, files: MemoryFiles, body: Callable[[], object]) -> None:
        self.name = name
        self.files = files
        self.over = False
        self.stopped = False
        self.wakes_at_ms = 0.0
        self.error: BaseException | None = None
        self._body = body
        # Plain locks, each held until the other side lets go of it: many times quicker than semaphores.
        self._go, self._back = threading.Lock(), threading.Lock()
        self._go.acquire()
        self._back.acquire()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def go(self) -> None:
        """Let it run to where it gives its turn back, or to its end."""
        self._go.release()
        self._back.acquire()
        if self.error is not None:
            raise self.error

    def give_turn(self) -> None:
        """To be called by the process itself."""
        self._back.release()
        self._go.acquire()
        if self.files.dead:
            raise Crash(f"{self.name} was killed")

    def kill(self) -> None:
        """What kill -9 does: nothing that it does from here on has an effect."""
        self.files.die()
        while not self.over:
            self.go()

    def _run(self) -> None:
        self._go.acquire()
        try:
            if not self.files.dead:
                self._body()
        except Crash:
            pass
        except BaseException as error:
            self.error = error
        self.over = True
        self._back.release()


class Turns:
    """The processes that there are, and whose turn it is."""

    def __init__(self) -> None:
        self.processes: list[Process] = []
        self.current: Process | None = None

    def start(self, name: str, files: MemoryFiles, body: Callable[[], object]) -> Process:
        process = Process(name, files, body)
        self.processes.append(process)
        return process

    def ready(self, now_ms: float) -> list[Process]:
        return [one for one in self.processes if not one.stopped and one.wakes_at_ms <= now_ms]

    def let(self, process: Process) -> None:
        outer, self.current = self.current, process
        try:
            process.go()
        finally:
            self.current = outer
            self._drop()

    def kill(self, process: Process) -> None:
        outer, self.current = self.current, None
        try:
            process.kill()
        finally:
            self.current = outer
            self._drop()

    def end(self) -> None:
        for process in list(self.processes):
            self.kill(process)

    def _drop(self) -> None:
        self.processes = [one for one in self.processes if not one.over]


class SharedClock(MemoryClock):
    """Whoever sleeps gives its turn to the others until the time has come."""

    def __init__(self, turns: Turns) -> None:
        super().__init__()
        self._turns = turns

    def sleep_ms(self, duration: float) -> None:
        process = self._turns.current
        if process is None:
            super().sleep_ms(duration)
            return
        process.wakes_at_ms = self.monotonic_ms() + duration
        process.give_turn()


def with_clock(effects: Effects, clock: MemoryClock) -> Effects:
    from dataclasses import replace

    return replace(effects, clock=clock)
