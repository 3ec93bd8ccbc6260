"""A person, agents, breaks, and a controller in any number of processes, in an order that a seed gives.

The controller is the real one on a disk in memory: wake-ups, cycles, holds, breaks and what is given back at their
end, in processes that run once and in the resident one (`serving`). Each of them may be stopped between any two steps on
the disk, go on much later, or die there. The agents are models of the extension. What must hold is in
`attention_framework.testing.invariants`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .agents import Agents
from .breaks import Breaks
from .failures import Failures
from .passing import Passing
from .person import Person
from .questions import Questions
from .settings import Settings
from .settings_file import FILE, written
from .sources import Sources
from .stage import FOLDER, LEASE_MS, PANES, WAKE
from .truth import Truth, Violation
from .wake_ups import WakeUps

if TYPE_CHECKING:
    from pathlib import Path

REST_MS = 9_000
"""So long nothing happens in the end but what must follow: longer than every bound together; without a server also
than a lease.
"""


BROKEN_MS = 3_000
"""So long the settings stay broken in the end, if they are: a resident controller looks at them every two seconds."""


class World(Person, Breaks, Failures, WakeUps, Agents, Passing, Questions, Settings, Sources, Truth):
    """All of it, begun: the agents have started, and a resident controller where there is one."""

    def __init__(self, seed: int, **how: Any) -> None:
        super().__init__(seed, **how)
        self.host.watch = self.events.watch  # type: ignore[method-assign]
        self.memory.disk.put(FILE, written(self.ways))
        if self.ways.served:
            self.serve()
            while not self.server.listens:  # type: ignore[union-attr]
                self.turns.let(self.server.main)  # type: ignore[union-attr]
        self.memory.disk.on_operation = self.between
        for name in PANES:
            self.players[name] = self.start(name)
        for entry in self.host.panes.values():
            self.attach(entry.pane.id)

    def act(self) -> None:
        """One step of anybody."""
        kinds = (
            (40, self.processes()), (35, self.agents()), (12, self.persons()), (7, self.drivers()), (8, self.clocks()),
            (5, self.failures()), (7, self.boundaries()), (5, self.servers()), (3, self.askers()),
            (3, self.rewritings()), (6, self.tellings()),
        )  # fmt: skip
        there = [(weight, acts) for weight, acts in kinds if acts]
        acts = self.dice.choices([acts for _, acts in there], [weight for weight, _ in there])[0]
        name, what = self.dice.choice(acts)
        self.trace.append(name)
        what()
        self.follow_up()
        self.check_always()

    def between(self, operation: str, path: Path) -> None:
        """Before a step of a process on the disk somebody else may go first."""
        if self.turns.current is not None and self.dice.random() < 0.12:
            self.turns.current.give_turn()

    def settle(self) -> None:
        """Nothing happens any more but what must follow."""
        self.crashes = False
        for player in list(self.players.values()):
            player.stopped = player.doomed = False
            if not player.extension.terminal_ours:
                self.terminal(player)
        for process in self.turns.processes:
            process.group.stopped = False
        self.settled_ms = self.now_ms
        self.follow_up()
        if self.broken:
            self.settle_with_broken_settings()
        if not self.looked_after or self.memory.disk.folders.get(WAKE):
            self.alone("a look that nothing has asked for")
            self.looked_after = True
        self.let_pass(REST_MS if self.server else LEASE_MS + REST_MS)

    def settle_with_broken_settings(self) -> None:
        self.let_pass(BROKEN_MS)
        self.check_server(rests=True)
        self.mend_settings()

    def let_pass(self, duration_ms: float) -> None:
        until_ms = self.now_ms + duration_ms
        while self.now_ms < until_ms:
            if not self.goes_on():
                self.pass_time(self.to_the_next(until_ms))
            self.check_always(rests=True)

    def last(self) -> bool:
        """Mostly nothing; else one thing more, when all is at rest: nothing else covers what it does not tell."""
        if self.dice.random() > 0.3:
            return False
        self.losses = False
        kinds = [[*self.persons(), *self.drivers()], self.rewritings(), self.tellings()]
        acts = self.dice.choice([one for one in kinds if one])
        name, what = self.dice.choice([one for one in acts if one[0] != "types"])
        self.trace.append(f"at rest: {name}")
        what()
        return True

    def close(self) -> None:
        self.turns.end()


__all__ = ["FOLDER", "Violation", "World"]
