"""What may befall a machine while its person works, in an order that a seed gives, and what has to hold whenever it is quiet."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attention_tmux.watching import CHANNEL

from attention_framework.testing import until

from .probe import InPresence, begun_away, shown_in_presence
from .processes import running_with
from .tools import touch
from .world import EFFECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from .agent import Agent
    from .processes import Running
    from .world import World

QUIET_WITHIN_S = 40.0
"""A hook that meets a stopped controller gives it up after 3 s; on a busy machine everything takes its time."""
REFLEX = "\n[reflex]\n"
DRAFT = "a draft of {name}\nwhich nobody touches"
PREFIX_NEXT, PREFIX_LAST = b"\x02o", b"\x02;"
"""tmux: the next pane, the pane that was active before."""


@dataclass(slots=True)
class Count:
    switches: int = 0
    tools: int = 0
    """Tool calls that began after the agent had read that its pane had lost the focus."""


@dataclass(slots=True)
class Adversary:
    """Two agents or more that never stop working, and a person who keeps switching."""

    world: World
    agents: list[Agent]
    seed: int
    undisturbed: Count = field(default_factory=Count)
    """While the resident controller ran, with the reflex on, and nothing befell it."""
    disturbed: Count = field(default_factory=Count)
    done: list[str] = field(default_factory=list)
    _dice: random.Random = field(init=False)
    _now: Count = field(default_factory=Count)
    _stopped: bool = False
    """The person has ended the resident controller."""
    _mode: str = "brake"
    """Of the reflex, by the settings."""
    _breaks: int = 0
    _broke: bool = False
    """There was a break since it was quiet last."""
    _killed: bool = False
    """A controller was killed since it was quiet last."""
    _spaces: Counter[str] = field(default_factory=Counter)
    """How often the person pressed the bar to resume each agent."""
    _read: dict[int, int] = field(default_factory=dict)
    """Events of each OMP that have been counted."""
    _silences: int = 0
    """Lines of the extension's log that tell of a question without an answer."""

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)

    # What the person does.

    def employ(self, agent: Agent) -> None:
        """Has the focus, runs, and is given work without end and a draft."""
        script = self.world.model.play(f"work-{agent.name}", *[touch("step")] * 2)
        agent.prompt(f"go {script}")
        asked = len(self.world.model.asked(f"work-{agent.name}"))
        until(lambda: len(self.world.model.asked(f"work-{agent.name}")) > asked + 2, 40, what="it works")
        agent.draft(DRAFT.format(name=agent.name))

    def act(self, rough: bool) -> None:
        """Something that the person does; with `rough` perhaps something that befalls the machine."""
        calm: list[Callable[[], None]] = [self.switch, self.switch, self.switch, self.storm, self.resume]
        trouble: list[Callable[[], None]] = [
            self.kill_controller, self.kill_controller, self.kill_runners, self.stop_controller, self.stop_controller,
            self.stop_host, self.change_settings, self.end_or_start, self.take_break,
        ]  # fmt: skip
        act = self._dice.choice(self._dice.choice([calm, trouble] if rough else [calm]))
        self.done.append(act.__name__)
        act()

    def switch(self) -> None:
        self._now.switches += 1
        keys = [PREFIX_NEXT, PREFIX_LAST] if self.world.host.name == "tmux" else []
        key = self._dice.choice([None, *keys])
        if key is None:
            self.world.host.press_focus(self._dice.choice(self.agents).pane)
        else:
            self.world.host.type(key)
        self.wait(0.4)

    def storm(self) -> None:
        for _ in range(self._dice.randint(2, 12)):
            self._now.switches += 1
            self.world.host.press_focus(self._dice.choice(self.agents).pane)
            self.wait(0.03)

    def resume(self) -> None:
        """On a pause screen. It may be taken back while the key is on its way, because the person is there; then the key
        is typed behind the draft.
        """
        here = self.here()
        if here is not None and here.look().painted:
            self._spaces[here.name] += 1
            self.world.host.type(b" ")

    def wait(self, at_most_s: float) -> None:
        threading.Event().wait(self._dice.random() * at_most_s)

    def here(self) -> Agent | None:
        focused = self.world.host.focused()
        return next((agent for agent in self.agents if agent.pane == focused), None)

    # What befalls the machine.

    def kill_controller(self) -> None:
        self._killed = True
        self.switch()
        for running in self.controllers():
            running.kill()

    def kill_runners(self) -> None:
        """Thin clients and one-shot controllers, in the middle of whatever they do."""
        self._killed = True
        self.storm()
        for running in self.runners():
            running.kill()

    def stop_controller(self) -> None:
        for running in self.controllers():
            with self.suspended(running.pid):
                self.storm()
                self.wait(4)

    def stop_host(self) -> None:
        [pid] = {running.pid for running in self.processes() if "new-session" in running.words}
        with self.suspended(pid):
            self.world.host.type(PREFIX_NEXT)
            self.wait(2.5)

    @contextlib.contextmanager
    def suspended(self, pid: int) -> Iterator[None]:
        """At whatever it was doing."""
        self.switch()
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)

    def change_settings(self) -> None:
        good, _, before = self.world.settings.read_text().partition(REFLEX)
        mode = self._dice.choice(["off", "brake", "brake", "strict", "wrong"])
        self.replace_settings(f'{good}{REFLEX}mode = "{mode}"\n')
        self.switch()
        if mode == "wrong":  # Nobody takes it over, and the one before comes back.
            self.replace_settings(good + (REFLEX + before if before else ""))
        else:
            self._mode = mode

    def replace_settings(self, text: str) -> None:
        fresh = self.world.settings.with_name("fresh.toml")
        fresh.write_text(text)
        fresh.replace(self.world.settings)

    def end_or_start(self) -> None:
        self.world.attention(*(("serve", "--detach") if self._stopped else ("stop",)))
        self._stopped = not self._stopped

    def take_break(self) -> None:
        self._breaks += 1
        self._broke = True
        run = f"break-{self._breaks}"
        self.world.attention("break-start", "--run-id", run, "--for", "20")
        self.storm()
        self.world.attention("break-end", "--run-id", run)

    def kill_agent(self, agent: Agent) -> None:
        """And start another one in its pane."""
        self.done.append("kill_agent")
        self._count(rough=True)
        os.kill(agent.look().pid, signal.SIGKILL)
        until(lambda: not agent.is_there(), what="OMP is dead")
        self.world.switch(agent)
        self.world.host.type(b"\nstty sane\n")
        agent.start()
        self.employ(agent)

    # What has to hold.

    def until_quiet(self, rough: bool) -> None:
        """The person comes to one agent and stays there. Raises with what is wrong."""
        here = self._dice.choice(self.agents)
        if self.here() is here:
            self.world.switch(next(agent for agent in self.agents if agent is not here))
        self.world.switch(here)
        until(
            lambda: here.is_running() or here.is_paused(), QUIET_WITHIN_S, what=f"{here.name} is what it is"
        )
        if here.is_paused():  # By an absence or a break before.
            here.resume()
        for agent in self.agents:
            if agent is not here:
                until(agent.is_paused, QUIET_WITHIN_S, what=f"{agent.name} is paused")
        until(lambda: not self.left(), QUIET_WITHIN_S, what="nothing is left over")
        until(lambda: not self.too_many(), QUIET_WITHIN_S, what="nobody is left over")
        until(lambda: self.reflex() == self.wanted, QUIET_WITHIN_S, what=f"the reflex is {self.wanted}")
        for agent in self.agents:
            self._until_in_effect(agent)
        until(here.is_running, QUIET_WITHIN_S, what=f"{here.name} goes on")
        engaged = here.look().times("gate-engaged")
        self.world.attention("reconcile")
        until(lambda: not self.left(), QUIET_WITHIN_S, what="nothing is left over")
        if self.wanted == "strict":  # At each of its steps it is held until the answer is there.
            until(here.is_running, QUIET_WITHIN_S, what=f"{here.name} goes on")
        else:
            assert here.is_running(), f"{here.name} was held under the eyes of the person"
            assert here.look().times("gate-engaged") == engaged, "it was held under the eyes of the person"
        for agent in self.agents:
            assert not self.surprises(agent), f"{agent.name} was paused under the eyes of the person"
        for agent in self.agents:
            text, draft = agent.look().text, DRAFT.format(name=agent.name)
            assert text.rstrip(" ") == draft
            assert len(text) - len(draft) <= self._spaces[agent.name]
        self._count(rough)

    @property
    def wanted(self) -> str:
        """Mode of the reflex that the person has chosen: without a resident controller there is none."""
        return "off" if self._stopped else self._mode

    def reflex(self) -> str:
        """What the agents may do on their own. A controller that has just started or read its settings has yet to say so."""
        try:
            return str(json.loads((self.world.state / "reflex.json").read_text())["mode"])
        except FileNotFoundError:
            return "off"

    def _until_in_effect(self, agent: Agent) -> None:
        """After three questions without an answer it does nothing on its own for a while."""

        def mode() -> str:
            status = agent.status()
            return status["reflex"]["mode"] if status else "no status"

        until(lambda: mode() == self.wanted, QUIET_WITHIN_S, what=f"{agent.name} says so")

    def surprises(self, agent: Agent) -> list[InPresence]:
        """Pause screens that came up where the person was, since it was quiet last. In a break they have to, and what a
        controller did that was killed in it stands nowhere.
        """
        if self._broke or self._killed:
            return []
        look = agent.look()
        fresh = look.events[self._read.get(look.pid, 0) :]
        found = [it for it in shown_in_presence(look.events) if it.screen in fresh]
        return [it for it in found if not it.is_refuted(self.decided_ms(agent))] if found else []

    def decided_ms(self, agent: Agent) -> list[float]:
        """When the controller had read what the agent says, in each cycle that asked it to pause."""
        return [
            line["at_ms"] + line["steps"].get("hellos", 0)
            for line in self.world.journal()
            if line["type"] == "decision" and line["pane"] == agent.pane and line["outcome"] == "pause-sent"
        ]

    def left(self) -> list[str]:
        """Files that nobody will touch any more, and locks that somebody holds."""
        state = self.world.state
        found = [
            *state.glob("sessions/*/wake/*"),
            *state.glob("sessions/*/mailbox/*/*pending*"),
            *self._of_the_dead(),
        ]
        names = [str(path.relative_to(state)) for path in found]
        return names + [str(path) for path in state.glob("sessions/*/*.lock") if not _is_free(path)]

    def _of_the_dead(self) -> list[Path]:
        pids = {str(agent.look().pid) for agent in self.agents}
        folders = [
            *self.world.state.glob("sessions/*/agents/*.json"),
            *self.world.state.glob("sessions/*/mailbox/*"),
        ]
        return [path for path in folders if path.name.removesuffix(".json").rpartition(".")[2] not in pids]

    def too_many(self) -> list[str]:
        """Or too few: the controllers, and the clients by which they follow the host."""
        wanted = 0 if self._stopped else 1
        controllers = self.controllers()
        clients = [running for running in self.processes() if f"wait-for {CHANNEL}" in running.words]
        found = [] if len(controllers) == wanted else [f"{len(controllers)} controllers instead of {wanted}"]
        if self.world.host.name == "tmux" and len(clients) != wanted:
            found.append(f"{len(clients)} clients that follow tmux instead of {wanted}")
        return found + [f"still there: {running.words}" for running in self.runners()]

    def processes(self) -> list[Running]:
        return running_with(self.world.home)

    def controllers(self) -> list[Running]:
        return [running for running in self.processes() if "serve" in running.words]

    def runners(self) -> list[Running]:
        return [running for running in self.processes() if running.is_one_of("thin_client.py", "reconcile")]

    def _count(self, rough: bool) -> None:
        """Raises AssertionError where an agent did not brake that nothing kept from it."""
        calm = not (rough or self._stopped or self._mode == "off")
        answered = self._is_answered()
        for agent in self.agents:
            look = agent.look()
            fresh = set(look.events[self._read.get(look.pid, 0) :])
            self._read[look.pid] = len(look.events)
            begun = [tool for tool in begun_away(look.events) if tool.event in fresh]
            self._now.tools += len(begun)
            unbraked = [tool.story for tool in begun if not tool.braked]
            assert not (calm and answered and unbraked), f"{agent.name} did not brake: {unbraked}"
        total = self.undisturbed if calm else self.disturbed
        total.switches += self._now.switches
        total.tools += self._now.tools
        self._now = Count()
        self._broke = self._killed = False

    def _is_answered(self) -> bool:
        """Whether every question was, since it was quiet last: on a machine that is too busy for it an agent lets go."""
        log = self.world.state / "omp-extension.log"
        before, self._silences = self._silences, log.read_text().count("unanswered") if log.exists() else 0
        return self._silences == before


def _is_free(path: Path) -> bool:
    lock = EFFECTS.files.try_lock(path)
    if lock is not None:
        lock.release()
    return lock is not None
