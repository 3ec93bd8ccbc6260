"""kill -9 of every process that has a part in a break, at random moments.

No agent runs while a break is in force, and none stays paused by one that nobody ends: past its deadline one
wake-up is enough, whoever has died. `E2E_KILLS=100 E2E_SEED=7` makes so many rounds, from that seed; a round that
fails names its own, and `E2E_KILLS=1 E2E_SEED=that` plays it again, as far as the system's timing lets it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from attention_framework.testing import until

from .harness.breaks import WITHIN_S, Breaks, started_world
from .harness.model_server import ScriptedModel
from .harness.programs import omp_folder
from .harness.tools import touch

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator

    from .harness.hosts import HostDriver
    from .harness.world import World

ROUNDS = int(os.environ.get("E2E_KILLS", "4"))
SEED = int(os.environ.get("E2E_SEED", "1"))
AT_MOST_S = 8
RUNNER_WITHIN_S = 2.0
WAYS = {
    # Who holds the agents, and whether a controller is resident.
    "break-run": (True, False),
    "break-watch": (False,),
    "serve": (True,),
}
VICTIMS = ("holder", "stretchly", "controller", "omp")


@dataclass(frozen=True, slots=True)
class Round:
    """What one round does, from its seed alone."""

    seed: int
    way: str
    resident: bool
    victims: tuple[str, ...]
    """In the order of their deaths. The holder is the driver or the watch; the controller is the resident one, or
    that of one cycle, and is the holder too where it follows the log.
    """
    after_s: float
    """From the word that begins the break to the first kill."""
    apart_s: float
    ends: str
    """How the person ends the break if Stretchly lives: before the kills, after them, or not at all."""
    again: bool
    """Whoever supervises the watch starts it again."""

    @classmethod
    def of(cls, seed: int) -> Round:
        chance = random.Random(seed)
        way = chance.choice(list(WAYS))
        return cls(
            seed,
            way,
            chance.choice(WAYS[way]),
            tuple(chance.sample(VICTIMS, chance.randint(1, 3))),
            chance.choice([chance.uniform(0, 0.5), chance.uniform(0.5, 2.5)]),
            chance.uniform(0, 0.3),
            chance.choice(["before", "after", "never", "never"]),
            chance.random() < 0.5,
        )


class Killer:
    """Plays rounds in one world."""

    def __init__(self, world: World, breaks: Breaks) -> None:
        self.world = world
        self.breaks = breaks
        self.began_s = 0.0
        self.kills: Counter[str] = Counter()
        breaks.write_settings(AT_MOST_S, "own")
        world.attention("setup", world.host.name, "omp", "--yes")
        self.idle, self.working = world.agent("idle"), world.agent("work")
        self.agents = [self.idle, self.working]
        self._put_to_work()

    def play(self, round_: Round) -> None:
        self.world.attention(*(["serve", "--detach"] if round_.resident else ["stop"]))
        sources = [] if round_.way == "break-run" else ["stretchly"]
        self.breaks.configure(AT_MOST_S, "own", sources=sources)
        self.breaks.anew(speed=1, starts_ms=0)
        holder = self._begin(round_)
        self.began_s = time.time()
        time.sleep(round_.after_s)
        if round_.ends == "before":
            self._skip()
        for victim in round_.victims:
            self._kill(victim, holder, round_)
            time.sleep(round_.apart_s)
        if round_.ends == "after":
            self._skip()
        if round_.again and round_.way == "break-watch" and holder is not None and holder.poll() is not None:
            self.breaks.spawn("break-watch")
        self._revive()
        self.nobody_runs_in_a_break()
        self.nobody_stays_paused()

    def nobody_runs_in_a_break(self) -> None:
        """While a hold is in force; what a killed one has left to do, one wake-up makes up for."""
        self.world.attention("reconcile")
        until(lambda: not self._held() or self._all_paused(), WITHIN_S, "all pause, or the break is over")
        if self._held() and self._all_paused():
            seen = self._steps()
            time.sleep(0.5)
            assert not self._held() or self._steps() == seen, "a call was begun in the break"

    def nobody_stays_paused(self) -> None:
        """Past the deadline, after one wake-up. What the breaks alone have paused is given back (`own`)."""
        over_s = self.began_s + AT_MOST_S + 1
        # A controller that the host has started again takes the hold of a break that goes on, however late.
        until(lambda: time.time() > over_s and not self._held(), AT_MOST_S + 15, "every deadline is past")
        self.breaks.stretchly.kill()  # Its break goes on for its whole length otherwise.
        self.breaks.end_processes()
        self.world.attention("reconcile")
        assert self.breaks.holds() == []
        try:
            until(self._all_run, 15, "all run")
        except TimeoutError:
            raise AssertionError(
                "paused by a dead run: "
                + "; ".join(f"{agent.name} {(agent.status() or {}).get('runs')}" for agent in self.agents)
            ) from None
        self.world.settle()
        assert self._all_run()

    def _begin(self, round_: Round) -> subprocess.Popen[str] | None:
        """The process that holds the agents, if it is one of its own; it may not have begun to."""
        if round_.way == "break-run":
            return self.breaks.run("long")
        holder = None
        if round_.way == "break-watch":
            holder = self.breaks.spawn("break-watch")
            assert holder.stdout is not None
            holder.stdout.readline()
        self.breaks.stretchly.call("long")
        return holder

    def _skip(self) -> None:
        if self.breaks.stretchly.pid is not None:
            self.breaks.stretchly.skip()

    def _kill(self, victim: str, holder: subprocess.Popen[str] | None, round_: Round) -> None:
        for pid in self._pids(victim, holder, round_):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.kills[victim] += 1

    def _pids(self, victim: str, holder: subprocess.Popen[str] | None, round_: Round) -> list[int]:
        match victim:
            case "holder":
                return [holder.pid] if holder is not None and holder.poll() is None else []
            case "stretchly":
                return [pid for pid in [self.breaks.stretchly.pid] if pid]
            case "omp":
                return [self.working.look().pid]
            case _:
                return self._residents() if round_.resident else self._runners()

    def _residents(self) -> list[int]:
        with suppress(FileNotFoundError):
            return [int(json.loads((self.world.state / "serve.json").read_bytes())["pid"])]
        return []

    def _runners(self) -> list[int]:
        """Controllers of one cycle, as soon as there is one."""
        end = time.monotonic() + RUNNER_WITHIN_S
        while time.monotonic() < end:
            if found := list(self._runners_now()):
                return found
        return []

    def _runners_now(self) -> Iterator[int]:
        for process in psutil.process_iter(["cmdline"]):
            words = process.info["cmdline"] or []
            if str(self.world.state) in words and "reconcile" in words:
                yield process.pid

    def _revive(self) -> None:
        """The person starts an OMP again that is gone, and sees what it does in a break."""
        if not self.working.is_there():
            self.world.switch(self.working)
            self.world.host.type(b"\nstty sane\n")
            self.working.start()

    def _put_to_work(self) -> None:
        """One call after the other, without an end."""
        script = self.world.model.play("work", touch("step"))
        self.working.prompt(f"go {script}")
        until(lambda: len(self.world.model.asked("work")) > 1, 30, "it works")

    def _steps(self) -> int:
        return len(self.working.look().times("tool_execution_start:bash"))

    def _held(self) -> bool:
        return any(hold["deadline_ms"] > time.time() * 1000 for hold in self.breaks.holds())

    def _all_paused(self) -> bool:
        return all(agent.is_paused() for agent in self.agents)

    def _all_run(self) -> bool:
        return all(agent.is_running() for agent in self.agents)


def test_no_agent_runs_in_a_break_or_stays_paused_after_it_whoever_is_killed(
    host: HostDriver, record_property: Callable[[str, object], None]
) -> None:
    omp = omp_folder()
    with ScriptedModel() as model, started_world(host, model, omp) as world, Breaks(world) as breaks:
        killer = Killer(world, breaks)
        for number in range(ROUNDS):
            round_ = Round.of(SEED + number)
            try:
                killer.play(round_)
            except BaseException as error:
                error.add_note(f"E2E_SEED={round_.seed}: {round_}, after {killer.kills}")
                raise
            if not killer.working.look().times("agent_start"):
                killer._put_to_work()
        record_property("kills", str(dict(killer.kills)))
        print(f"{ROUNDS} rounds, killed: {dict(killer.kills)}")
        assert killer.kills.total() >= ROUNDS // 2
