"""Processes that take turns: each runs real code in a thread of its own, one at a time, and may be stopped or killed
between any two operations on the disk. Which one goes on is the caller's choice alone, so a seed plays the same each time.
"""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

from attention_framework.testing import Crash, MemoryClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework.testing import MemoryFiles

    from .ways import Ways


class Group:
    """What is stopped, and dies, together: a process with its threads."""

    def __init__(self, files: MemoryFiles) -> None:
        self.files = files
        self.stopped = False
        self.ways: list[Ways] = []
        """The settings that it goes by; of a resident controller that takes over others, these too."""


class Process:
    """One thread of a process of the controller, from its start to its end or its death; most have one."""

    def __init__(self, name: str, group: Group, body: Callable[[], object]) -> None:
        self.name = name
        self.group = group
        self.files = group.files
        self.over = False
        self.stays = False
        """Whether it does not end by itself."""
        self.wakes_at_ms = 0.0
        self.waits_for: Callable[[], bool] | None = None
        """Goes on before that time, too, once this is so."""
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

    def end(self) -> None:
        """It has died: nothing that it does from here on has an effect."""
        while not self.over:
            self.go()

    def ready(self, now_ms: float) -> bool:
        if self.group.stopped:
            return False
        return self.wakes_at_ms <= now_ms or (self.waits_for is not None and self.waits_for())

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
        self.dying = False
        """The one that runs has been killed."""

    def start(self, name: str, group: Group, body: Callable[[], object]) -> Process:
        process = Process(name, group, body)
        self.processes.append(process)
        return process

    def ready(self, now_ms: float) -> list[Process]:
        return [one for one in self.processes if one.ready(now_ms)]

    def let(self, process: Process) -> None:
        outer, self.current = self.current, process
        try:
            process.go()
        finally:
            self.current = outer
            self._drop()

    def kill(self, group: Group) -> None:
        """What kill -9 does."""
        group.files.die()
        outer, self.current, self.dying = self.current, None, True
        try:
            for process in [one for one in self.processes if one.group is group]:
                process.end()
        finally:
            self.current, self.dying = outer, False
            self._drop()

    def end(self) -> None:
        while self.processes:
            self.kill(self.processes[0].group)

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

    def wait_until(self, what: Callable[[], bool], most_ms: float) -> bool:
        """What a thread does that waits for another one. Whether it has come to that."""
        process = self._turns.current
        if self._turns.dying:  # Nobody comes to it any more, whatever it has caught on its way here.
            raise Crash("killed while it waits")
        if process is not None and not what():
            process.wakes_at_ms, process.waits_for = self.monotonic_ms() + most_ms, what
            try:
                process.give_turn()
            finally:
                process.wakes_at_ms, process.waits_for = 0.0, None
        return what()


class Flag:
    """A `threading.Event` among those that take turns."""

    def __init__(self, clock: SharedClock) -> None:
        self._clock = clock
        self._set = False

    def set(self) -> None:
        self._set = True

    def clear(self) -> None:
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def wait(self, timeout: float | None = None) -> bool:
        return self._clock.wait_until(self.is_set, math.inf if timeout is None else timeout * 1000)


class Slots:
    """A `threading.BoundedSemaphore` that nobody waits for."""

    def __init__(self, count: int) -> None:
        self._count = count
        self.taken = 0

    def acquire(self, blocking: bool = True) -> bool:
        assert not blocking
        if self.taken == self._count:
            return False
        self.taken += 1
        return True

    def release(self) -> None:
        self.taken -= 1
        assert self.taken >= 0


class Mutex:
    """A `threading.Lock` among those that take turns."""

    def __init__(self, clock: SharedClock) -> None:
        self._clock = clock
        self._held = False

    def __enter__(self) -> None:
        while self._held:
            self._clock.wait_until(lambda: not self._held, math.inf)
        self._held = True

    def __exit__(self, *_: object) -> None:
        self._held = False
