"""Screen breaks of a scripted Stretchly, held for the agents by one of the two ways that there are."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from attention_stretchly.testing import ScriptedStretchly

from attention_framework.testing import until

from .world import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .agent import Agent
    from .hosts import HostDriver
    from .model_server import ScriptedModel

WITHIN_S = 30.0
STATUSES = '["idle", "working", "done", "blocked"]'
"""An agent that waits for an answer may be paused too."""
SETTINGS = """
[breaks]
sources = {sources}
resume = "{resume}"

[strategy.stretchly]
log = "{log}"
mini = {{ at_most_s = {at_most_s} }}
long = {{ at_most_s = {at_most_s} }}
"""
HOLDS_ONLY = """
[[policy]]
use = "holds"
"""


@contextmanager
def started_world(host: HostDriver, model: ScriptedModel, omp: str) -> Iterator[World]:
    """Not yet set up. Nothing of it is left, its resident controller neither."""
    folder = Path(tempfile.mkdtemp(prefix="attention-"))  # A short path: sockets lie in it.
    world = World(folder, host, model, omp)
    try:
        world.start()
        yield world
    finally:
        world.stop()
        shutil.rmtree(folder)


class Way(Protocol):
    """How breaks come to hold the agents. Made with the settings that it needs."""

    def __init__(self, breaks: Breaks, at_most_s: float = 600, resume: str = "none") -> None: ...

    def begin(self, kind: str, *words: str) -> None:
        """Have Stretchly show a break; returns once it is held. The words are those of a driver."""
        ...

    def until_over(self) -> None:
        """Until no break is held, and whoever held it has said so."""
        ...


class Breaks:
    """The Stretchly of a world, and what is held in it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.stretchly = ScriptedStretchly(world.folder / "stretchly")
        self._running: list[subprocess.Popen[str]] = []

    def configure(
        self,
        at_most_s: float = 600,
        resume: str = "none",
        policies: str = HOLDS_ONLY,
        sources: Sequence[str] = (),
    ) -> None:
        """From now on. Without `sources` nobody follows Stretchly's log but a driver."""
        self.write_settings(at_most_s, resume, policies, sources)
        # A resident controller looks at them before it answers. A command alone runs a cycle of its own beside it, and
        # the next change of the focus would be judged by the policies that were.
        self.world.served_by()
        self.world.attention("reconcile")

    def write_settings(
        self,
        at_most_s: float = 600,
        resume: str = "none",
        policies: str = HOLDS_ONLY,
        sources: Sequence[str] = (),
    ) -> None:
        more = SETTINGS.format(
            log=self.stretchly.log, at_most_s=at_most_s, resume=resume, sources=json.dumps(sources)
        )
        self.world.configure("omp-mailbox", STATUSES, policies + more, ["stretchly"])

    def anew(self, **script: Any) -> None:
        """Another Stretchly, with this script."""
        self.stretchly.close()
        self.stretchly.change(**script)
        self.stretchly.start()

    def spawn(self, *words: str) -> subprocess.Popen[str]:
        world = self.world
        process = subprocess.Popen(
            world.command(*words),
            env={**world.environment(), **world.host.environment()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self._running.append(process)
        return process

    def run(self, kind: str, *words: str) -> subprocess.Popen[str]:
        """`attention break-run`, as a scheduler starts it."""
        return self.spawn("break-run", kind, *words, "--launch", *self.stretchly.command)

    def holds(self) -> list[dict[str, Any]]:
        found = []
        for path in (self.world.state / "holds").glob("[!.]*.json"):
            with suppress(FileNotFoundError):
                found.append(json.loads(path.read_bytes()))
        return found

    def runs(self) -> set[str]:
        return {hold["run"] for hold in self.holds()}

    def said(self, *what: str) -> list[int]:
        """Where in Stretchly's log these words of a break stand, such as `starting`, `long`."""
        return [
            number
            for number, line in enumerate(self.stretchly.lines())
            if all(word in line.lower().split() for word in what)
        ]

    def end_processes(self) -> None:
        """Whoever holds the agents is killed."""
        for process in self._running:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=WITHIN_S)
        self._running.clear()

    def end(self) -> None:
        """Nothing of it runs on, and nothing is held."""
        self.end_processes()
        self.stretchly.close()
        for run in self.runs():
            self.world.attention("break-end", "--run-id", run)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()


class ByDriver:
    """A scheduler owns the clock, and calls `attention break-run`."""

    def __init__(self, breaks: Breaks, at_most_s: float = 600, resume: str = "none") -> None:
        self.breaks = breaks
        self.drivers: list[subprocess.Popen[str]] = []
        breaks.configure(at_most_s, resume)

    def begin(self, kind: str, *words: str) -> None:
        before, shown = self.breaks.runs(), len(self.breaks.said("starting", kind))
        self.drivers.append(self.breaks.run(kind, *words))
        _until_held(self.breaks, before, shown, kind)

    def until_over(self) -> None:
        for driver in self.drivers:
            output, _ = driver.communicate(timeout=2 * WITHIN_S)
            assert driver.returncode == 0, output
        self.drivers.clear()
        assert self.breaks.holds() == []


class ByServe:
    """Stretchly owns the clock, and the resident controller follows its log."""

    def __init__(self, breaks: Breaks, at_most_s: float = 600, resume: str = "none") -> None:
        self.breaks = breaks
        breaks.configure(at_most_s, resume, sources=["stretchly"])

    def begin(self, kind: str, *words: str) -> None:
        before, shown = self.breaks.runs(), len(self.breaks.said("starting", kind))
        self.breaks.stretchly.call(kind)
        _until_held(self.breaks, before, shown, kind)

    def until_over(self) -> None:
        until(lambda: not self.breaks.holds(), 2 * WITHIN_S, "no break is held")


class ByWatch(ByServe):
    """The same where no controller is resident: `attention break-watch` follows."""

    def __init__(self, breaks: Breaks, at_most_s: float = 600, resume: str = "none") -> None:
        breaks.world.attention("stop")
        super().__init__(breaks, at_most_s, resume)
        self.watch = breaks.spawn("break-watch")
        assert self.watch.stdout is not None
        assert self.watch.stdout.readline() == "following stretchly\n"


def _until_held(breaks: Breaks, before: set[str], shown: int, kind: str) -> None:
    until(lambda: len(breaks.said("starting", kind)) > shown, WITHIN_S, f"Stretchly shows a {kind} break")
    until(lambda: breaks.runs() - before, WITHIN_S, f"the {kind} break is held")


def until_all_paused(agents: Iterable[Agent]) -> None:
    for agent in agents:
        agent.until_paused()


def resume_all(world: World, agents: Iterable[Agent]) -> None:
    """The person goes round, and resumes whoever is paused."""
    for agent in agents:
        if agent.look().paused:
            world.switch(agent)
            agent.until_paused()
            agent.resume()
