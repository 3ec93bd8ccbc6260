"""A person, agents, breaks, and a controller in any number of processes, in an order that a seed gives.

The controller is the real one on a disk in memory: wake-ups, cycles, holds, breaks and what is given back at their
end, in processes that run once and in the resident one (`serving`). Each of them may be stopped between any two steps on
the disk, go on much later, or die there. The agents are models of the extension. What must hold is in
`attention_framework.testing.invariants`.
"""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attention_framework.breaks import begin, end, give_back
from attention_framework.holds import Holds
from attention_framework.runner import wake, wake_all
from attention_framework.settling import look_again
from attention_framework.state.folder import StateFolder
from attention_framework.testing import SESSION, Crash, FakeHost, Memory, pane
from attention_framework.testing.invariants import (
    ALWAYS,
    AT_REST,
    WHEN_ASKED,
    WHEN_FINAL,
    WHEN_SAID,
    Scene,
    no_foreign_release,
    violated,
)

from .controller import mailbox_alone, process_app
from .errands import COMMAND_WAITS_MS, EXTENSION_WAITS_MS, HOOK_WAITS_MS, Errand
from .extension import PAUSE_SCREEN, Extension
from .recorder import Recorder
from .reflex import BOUNDARY_LINE_MS
from .scheduler import Group, Process, SharedClock, Turns
from .serving import Exchange, Server
from .ways import Ways, thrown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attention_framework.effects import Effects

STATE = StateFolder(Path("/state"))
FOLDER = STATE.session(SESSION)
LEASE, HOLDS, FOCUS, WAKE = STATE.root / "reflex.json", STATE.holds, FOLDER.focus, FOLDER.wake
PANES = ("a", "b", "c")
LEASE_MS = 15_000
LISTENS_MS = 5_010
"""So long an extension waits for an answer that is late."""
STRIDE_MS = 2_500
"""So long a resident controller that is not stopped may do nothing when time passes."""
POLL_MS = 2_000
BOUND_MS = 1_000
"""So long after its end a lease may still hold a brake."""
REST_MS = 9_000
"""So long nothing happens in the end but what must follow: longer than every bound together; without a server also
than a lease.
"""

Act = tuple[str, "Callable[[], object]"]


class Violation(AssertionError):
    pass


class Player:
    """An agent, with what its terminal has still to tell it, and what the world knows better than it."""

    def __init__(self, name: str, extension: Extension) -> None:
        self.name = name
        self.extension = extension
        self.queue: list[str] = []
        self.unnoticed = False
        """It has read nothing that proves the person's last return."""
        self.promised = False
        self.stopped = self.doomed = False
        self.granted = False
        """There was a moment since its newest question at which it was allowed to run."""
        self.ran_ms = 0.0
        self.asks: dict[int, Exchange] = {}
        """Questions under way."""
        self.runners: list[Errand] = []
        self.owed = ""
        self.told: list[str] = []
        """What it has told the controller in the present tick."""


class World:
    def __init__(
        self, seed: int, crashes: bool = True, ways: Ways | None = None, mode: str = "", record: bool = False
    ) -> None:
        self.dice = random.Random(seed)
        self.ways = ways or thrown(self.dice, mode)
        self.turns = Turns()
        self.clock = SharedClock(self.turns)
        self.memory = Memory(clock=self.clock)
        self.crashes = crashes
        self.losses = crashes and self.dice.random() < 0.5
        """Whether wake-ups may be lost with whoever carries them; a later look finds what they would have told."""
        self.trace: list[str] = [str(self.ways)]
        self.pids = 100
        self.breaks = 0
        self.looked_after = True
        """Nothing was lost that only a later look can find."""
        self.wrong: list[str] = []
        """What a process of the controller has said or done that must not be."""
        self.server: Server | None = None
        self.errands: list[Errand] = []
        self.polled_ms = 0.0
        self.window = True
        """The outer window is in front."""
        self.seen_focused_ms: dict[str, float] = {}
        """When the last cycle that saw a pane focused was over."""
        self.remembered = b""
        self.set_back_ms = float("-inf")
        self.transports: Callable[[Any], list[Any]] = mailbox_alone
        self.acting = "extension"
        self.known: dict[bytes, dict[str, Any]] = {}
        self.held: tuple[object, list[str]] = (None, [])
        self.ids = {name: name for name in PANES}
        self.host = FakeHost(*(pane(name, status="working") for name in PANES))
        self.host.focus("a")
        self.holds = Holds(STATE, self.memory.files, self.said)
        self.recorder = Recorder(self.memory, STATE) if record else None
        self.leased: bytes | None = None
        self.lease_over_ms = 0.0
        self.players: dict[str, Player] = {}
        if self.ways.served:
            self.serve()
            while not self.server.listens:  # type: ignore[union-attr]
                self.turns.let(self.server.main)  # type: ignore[union-attr]
        self.memory.disk.on_operation = self.between
        for name in PANES:
            self.players[name] = self.start(name)
        for entry in self.host.panes.values():
            self.attach(entry.pane.id)

    # Small things.

    @property
    def now_ms(self) -> float:
        return self.memory.clock.monotonic_ms()

    def said(self, sentence: str) -> None:
        if "Crash" in sentence or "is killed" in sentence:  # A strategy in which the process has died.
            return
        if "no fake host answers" in sentence or "other cycles have held" in sentence:
            return
        self.wrong.append(f"nothing is broken here: {sentence}")

    def start(self, name: str) -> Player:
        self.pids += 1
        pid = self.pids
        self.memory.processes.start(pid)
        effects = self.memory.process()
        extension = Extension(
            effects, STATE.root, SESSION, name, pid, lambda why: self.wakes(player, why),
            lambda question, event: self.asked(player, question, event),
        )  # fmt: skip
        player = Player(name, extension)
        player.ran_ms = self.now_ms
        self.players[name] = player
        extension.paused_now = lambda what: self.paused_now(player, what)
        extension.reflex.allowed = lambda why: self.allowed(player, why)
        if self.recorder:
            self.recorder.begin(player)
        self.tick(player, "start", extension.start)
        if name in self.ids and name == self.front and not self.window:
            player.queue.append("O")  # The terminal's answer to the request for focus reports.
        return player

    def attach(self, pane_id: str) -> None:
        """The nudge goes to the agent that is in the pane now."""
        name = next(name for name, today in self.ids.items() if today == pane_id)

        def nudged(_: str) -> None:
            player = self.players[name]
            self.wrong += filter(None, [violated(Scene(settling=self.settling(player)), WHEN_ASKED)])
            player.queue.append("look")

        self.host.panes[pane_id].on_key = nudged

    @property
    def front(self) -> str:
        today = next(iter(self.host.focused))
        return next(name for name, id in self.ids.items() if id == today)

    # The controller.

    def woken(self, trigger: str) -> None:
        """What a hook does."""
        self.errand(trigger, HOOK_WAITS_MS, lambda: self.alone(trigger))

    def alone(self, trigger: str) -> Process:
        """A process that has a cycle, and the look that an absence is owed which was too short."""

        def body(effects: Effects) -> None:
            app = self.app(effects)
            look_again(app, wake(app, SESSION, trigger), lambda _: None)

        return self.process("cycle", body)

    def errand(self, trigger: str, waits_ms: float, alone: Callable[[], Process], **values: str) -> Errand:
        exchange = self.request("wake", trigger=trigger, **values)
        errand = Errand(exchange, self.now_ms + waits_ms, alone, accepts="answer" in values)
        errand.look(self.now_ms)
        self.errands.append(errand)
        return errand

    def request(self, verb: str, **values: str) -> Exchange | None:
        """None: nobody listens."""
        if self.server is None or not self.server.listens:
            return None
        return self.server.request(verb, host=SESSION.host, address=SESSION.address, **values)

    def process(self, name: str, body: Callable[[Effects], object]) -> Process:
        effects = self.memory.process()
        group = Group(effects.files)  # type: ignore[arg-type]
        return self.turns.start(name, group, lambda: body(effects))

    def app(self, effects: Effects) -> Any:
        return process_app(effects, STATE, self.host, self.said, self.ways, self.transports)

    def wakes(self, player: Player, why: str) -> None:
        """An extension has two runners under way at most; what comes meanwhile becomes one that starts after them."""
        player.told.append(why)
        player.runners = [one for one in player.runners if not one.over]
        if len(player.runners) < 2:
            trigger = f"omp:{why}"
            runner = self.errand(trigger, EXTENSION_WAITS_MS, lambda: self.alone(trigger), answer="no")
            player.runners.append(runner)
        else:
            player.owed = f"omp:{why}"

    def follow_up(self) -> None:
        """What nobody needs to be asked for."""
        if self.server is not None and self.server.main.over:
            self.server.die()  # Its main thread has come to its end.
            self.server = None
        for errand in self.errands:
            errand.look(self.now_ms)
        self.errands = [one for one in self.errands if one.waits]
        for player in self.players.values():
            if player.owed and any(one.over for one in player.runners):
                why, player.owed = player.owed, ""
                self.wakes(player, why.removeprefix("omp:"))

    def asked(self, player: Player, question: int, event: str) -> None:
        """A question arrives at the resident controller, or at nobody."""
        player.told.append(f"ask {question}")
        player.granted = self.may_run(player)
        values = {"pane": player.extension.pane, "pid": str(player.extension.pid)}
        exchange = self.request("ask", **values, question=str(question), event=event)
        if exchange is None:
            exchange = Exchange(self.now_ms)
            exchange.close([])
        player.asks[question] = exchange

    def serve(self) -> None:
        effects = self.memory.process()
        group = Group(effects.files)  # type: ignore[arg-type]
        self.server = Server(self.app(effects), self.turns, self.clock, group)

    @property
    def works(self) -> bool:
        """A resident controller is there, and goes on."""
        return self.server is not None and not self.server.group.stopped

    # What happens.

    def act(self) -> None:
        """One step of anybody."""
        kinds = (
            (40, self.processes()), (35, self.agents()), (12, self.persons()), (7, self.drivers()), (8, self.clocks()),
            (5, self.failures()), (7, self.boundaries()), (5, self.servers()),
        )  # fmt: skip
        there = [(weight, acts) for weight, acts in kinds if acts]
        acts = self.dice.choices([acts for _, acts in there], [weight for weight, _ in there])[0]
        name, what = self.dice.choice(acts)
        self.trace.append(name)
        what()
        self.follow_up()
        self.check_always()

    def processes(self) -> list[Act]:
        return [(one.name, lambda one=one: self.turns.let(one)) for one in self.turns.ready(self.now_ms)]  # type: ignore[misc]

    def agents(self) -> list[Act]:
        """Those that have something to do."""
        found: list[Act] = []
        for player in self.players.values():
            due_ms = player.extension.next_timer_ms
            if not player.stopped and (player.queue or (due_ms is not None and due_ms <= self.now_ms)):
                found.append((f"agent {player.name}", lambda player=player: self.agent_step(player)))  # type: ignore[misc]
            if not player.stopped and player.extension.ending:
                found.append((f"agent {player.name} opens its gate", lambda p=player: self.opens(p)))  # type: ignore[misc]
            found += [
                (
                    f"{player.name} hears {one.verdict(question)}",
                    lambda p=player, q=question: self.hears(p, q),
                )  # type: ignore[misc]
                for question, one in player.asks.items()
                if one.over and not player.stopped
            ]
        return found

    def boundaries(self) -> list[Act]:
        """Agents that are about to call a tool: nobody holds their gate, or another call of theirs waits there already."""
        if self.ways.mode != "strict":
            return []
        return [
            (f"agent {player.name} is before a step", lambda player=player: self.at_boundary(player))  # type: ignore[misc]
            for player in self.players.values()
            if not player.stopped and not player.extension.overlay
        ]

    def at_boundary(self, player: Player) -> None:
        """From here on it may not go on before something allows it."""
        lease = player.extension.reflex.lease()
        if lease is not None and lease.mode == "strict":
            player.promised = True
        self.tick(player, "boundary", player.extension.boundary)

    def servers(self) -> list[Act]:
        server = self.server
        if server is None:
            return [("the server starts", self.serve)] if self.ways.mode != "off" or self.ways.served else []
        stops = "goes on" if server.group.stopped else "is stopped"
        found: list[Act] = [(f"the server {stops}", lambda: self.toggle(server.group))]
        if not server.group.stopped:
            found.append(("the host tells the server", lambda: server.hear("focus")))
            if self.crashes:
                found.append(("the server is told to stop", lambda: self.end_server(server)))
        if self.losses:
            found.append(("the server dies", self.server_dies))
        return found

    def toggle(self, group: Group) -> None:
        group.stopped = not group.stopped

    def end_server(self, server: Server) -> None:
        server.request("stop")

    def server_dies(self) -> None:
        if self.server is not None:
            self.looked_after = False
            self.server.die()
            self.server = None

    def persons(self) -> list[Act]:
        if not self.window:
            return [("the window comes back", self.window_back)]
        found: list[Act] = [
            (f"focus {name}", lambda name=name: self.focus(name))
            for name in PANES
            if name != self.front  # type: ignore[misc]
        ]
        found.append(("the window is left", self.window_left))
        front = self.players[self.front]
        if not front.extension.overlay:
            found.append(("types", lambda: front.queue.append("K")))
        if front.extension.overlay:
            found.append(("resumes", lambda: front.queue.append("R")))
        elif not front.stopped:
            found.append(("pauses", lambda: self.pause_by_hand(front)))
        return found

    def drivers(self) -> list[Act]:
        running = self.in_force()
        found: list[Act] = [("break begins", self.begin_break)] if len(running) < 3 else []
        found += [(f"{run} ends", lambda run=run: self.end_break(run)) for run in running] * 2  # type: ignore[misc]
        return found

    def clocks(self) -> list[Act]:
        """Mostly as far as a paint takes; sometimes past every bound."""
        duration_ms = self.dice.choice([1, 5, 12, 12, 12, 260, 600, 2_100, 20_000])
        found: list[Act] = [(f"{duration_ms} ms", lambda: self.pass_time(duration_ms))]
        if any(
            one.extension.phase == "showing" and not one.extension.terminal_ours
            for one in self.players.values()
        ):
            found.append(("agents alone for a second", self.second))
        return found

    def second(self) -> None:
        """As long as a screen has for being painted."""
        until_ms = self.now_ms + 1_100
        while self.now_ms < until_ms:
            for player in list(self.players.values()):
                due_ms = player.extension.next_timer_ms
                if due_ms is not None and due_ms <= self.now_ms and not player.stopped:
                    self.tick(player, "timers", player.extension.run_timers)
            self.pass_time(5)

    def failures(self) -> list[Act]:
        name = self.dice.choice(PANES)
        player = self.players[name]
        found: list[Act] = [
            ("a pane is moved", lambda: self.move(name)),
            ("the terminal is away", lambda: self.terminal(player)),
            ("an agent is stopped", lambda: self.stop(player)),
            ("an agent looks", lambda: self.tick(player, "poll", player.extension.poll)),
            ("the focus is told twice", lambda: self.woken("pane.focused")),
            ("somebody reconciles", lambda: self.alone("command") and None),
        ]
        if self.memory.clock.wall_ms() > 1_790_000_000_000:
            found.append(("clock back", lambda: self.set_back()))
        for other in self.players.values():
            if other.asks:
                found += self.answers(other, self.dice.choice(sorted(other.asks)))
        once = [one for one in self.turns.processes if not self.server or one.group is not self.server.group]
        if once:
            process = self.dice.choice(once)
            found.append(("stop or go on", lambda: self.toggle(process.group)))
            if self.losses:
                found.append(("controller dies", lambda: self.kill(process)))
        if self.crashes:
            found.append((f"agent {name} dies", lambda: self.die(name)))
        return found

    def answers(self, player: Player, question: int) -> list[Act]:
        found: list[Act] = [("an answer is lost", lambda: player.asks.pop(question))]
        if player.asks[question].over and not player.stopped:
            found.append(("an answer comes twice", lambda: self.hears(player, question, again=True)))
        return found

    def focus(self, name: str) -> None:
        if name == self.front:
            return
        left, came = self.players[self.front], self.players[name]
        self.host.focus(self.ids[name])
        left.queue.append("O")
        came.unnoticed = True
        if self.dice.random() < 0.93:  # Else its report is lost.
            came.queue.append("I")
        if not self.losses or self.dice.random() < 0.9:
            self.woken("pane.focused")
        else:
            self.trace.append("its hook is lost")
            self.looked_after = False

    def window_left(self) -> None:
        """The host sees nothing of it."""
        self.window = False
        self.players[self.front].queue.append("O")

    def window_back(self) -> None:
        self.window = True
        player = self.players[self.front]
        player.unnoticed = True
        player.queue.append("I")

    def pause_by_hand(self, player: Player) -> None:
        player.promised = player.unnoticed = False
        player.queue = [one for one in player.queue if one == "look"]
        self.by_hand(player, "pause", player.extension.pause_by_hand)

    def by_hand(self, player: Player, what: str, act: Callable[[], None]) -> None:
        self.acting = "person"
        self.tick(player, what, act)
        self.acting = "extension"

    def begin_break(self) -> None:
        self.breaks += 1
        run = f"b-{self.breaks}"
        lasts_ms = self.dice.choice([2_000, 20_000, None])

        def body(effects: Effects) -> None:
            app = self.app(effects)
            begin(app, run, "driver", lasts_ms)
            self.wakes_all(app, "break begins")

        self.process(f"driver of {run}", body)

    def end_break(self, run: str) -> None:
        def body(effects: Effects) -> None:
            app = self.app(effects)
            ended = end(app, run)
            if ended is not None:
                give_back(app, ended, self.ways.resume)
            self.wakes_all(app, "break ends")

        self.process(f"end of {run}", body)

    def wakes_all(self, app: Any, trigger: str) -> None:
        """What a command does."""
        exchange = None
        if self.server and self.server.listens:
            exchange = self.server.request("wake", trigger=trigger, count="yes")
        if exchange is not None:
            self.clock.wait_until(lambda: exchange.over, COMMAND_WAITS_MS)
        if exchange is None or exchange.code is None:
            wake_all(app, trigger)

    def move(self, name: str) -> None:
        today = self.ids[name]
        self.ids[name] = f"{name}{len(self.trace)}"
        self.host.move(today, self.ids[name])
        self.attach(self.ids[name])

    def terminal(self, player: Player) -> None:
        """Another program has it, or gives it back."""
        self.acting = "failure"
        if player.extension.terminal_ours:
            self.tick(player, "terminal away", player.extension.terminal_away)
        else:
            self.tick(player, "terminal back", player.extension.terminal_back)
        self.acting = "extension"

    def stop(self, player: Player) -> None:
        player.stopped = not player.stopped

    def set_back(self) -> None:
        """The lease is then too far ahead, or a deadline; the resident controller notices and writes a new one."""
        self.memory.clock.set_wall(self.memory.clock.wall_ms() - 3_600_000)
        self.lease_over_ms = self.set_back_ms = self.now_ms

    def kill(self, process: Process) -> None:
        if process in self.turns.processes and process is not self.turns.current:
            self.looked_after = False
            self.turns.kill(process.group)

    def die(self, name: str) -> None:
        """Now, or between two steps on the disk of its next tick."""
        if self.dice.random() < 0.5:
            self.players[name].doomed = True
        else:
            self.dead(name)

    def dead(self, name: str) -> None:
        extension = self.players[name].extension
        extension.files.die()  # type: ignore[attr-defined]
        self.memory.processes.end(extension.pid)
        self.start(name)

    def pass_time(self, duration_ms: float) -> None:
        """A resident controller that is not stopped does its work meanwhile, if not at once."""
        end_ms = self.now_ms + duration_ms
        while self.now_ms < end_ms:
            self.clock.advance(min(end_ms - self.now_ms, STRIDE_MS))
            main = self.server.main if self.server else None
            while main is not None and not main.over and main.ready(self.now_ms):
                self.turns.let(main)
            self.look_at_lease()

    def look_at_lease(self) -> None:
        """When the present one will be over, as its file says."""
        content = self.memory.disk.content.get(LEASE)
        if content != self.leased:
            self.leased = content
            left_ms = json.loads(content)["until_ms"] - self.clock.wall_ms() if content else 0
            self.lease_over_ms = self.now_ms + (left_ms if 0 <= left_ms <= LEASE_MS else 0)

    def look_at_memory(self) -> None:
        """What the last cycle has seen, as it has written down."""
        content = self.memory.disk.content.get(FOCUS, b"")
        if self.ways.settle_ms and content != self.remembered:
            self.remembered = content
            today = {id: name for name, id in self.ids.items()}
            for id in json.loads(content)["focused"] if content else ():
                if id in today:
                    self.seen_focused_ms[today[id]] = self.now_ms

    def settling(self, player: Player) -> bool:
        """A request lies in its mailbox that wants it paused for a focus which the last cycle but one still saw there."""
        self.look_at_memory()
        pending = self.memory.disk.content.get(player.extension.mailbox / "pending.json")
        since_ms = self.seen_focused_ms.get(player.name)
        if not pending or since_ms is None or self.now_ms - self.set_back_ms <= self.ways.settle_ms:
            return False
        return set(json.loads(pending)["runs"]) == {"focus"} and self.now_ms - since_ms < self.ways.settle_ms

    def between(self, operation: str, path: Path) -> None:
        """Before a step of a process on the disk somebody else may go first."""
        if self.turns.current is not None and self.dice.random() < 0.12:
            self.turns.current.give_turn()

    # Agents.

    def agent_step(self, player: Player) -> None:
        extension = player.extension
        due_ms = extension.next_timer_ms
        if due_ms is not None and due_ms <= self.now_ms:
            self.tick(player, "timers", extension.run_timers)
        elif player.queue:
            what = player.queue.pop(0)
            if what in "IKR" and "O" not in player.queue:
                player.unnoticed = False
            if what == "O":
                self.loses(player)
            if what == "R" and extension.overlay:
                player.promised = False
            self.tick(player, f"read {what}", lambda: extension.read(what))
        else:
            self.tick(player, "poll", extension.poll)

    def opens(self, player: Player) -> None:
        """What its pause command does at last, some milliseconds after the key."""
        self.by_hand(player, "resume", player.extension.resume_by_hand)

    def hears(self, player: Player, question: int, again: bool = False) -> None:
        """`again`: it will hear the same once more."""
        exchange = player.asks[question] if again else player.asks.pop(question)
        if self.now_ms - exchange.at_ms > LISTENS_MS:
            return
        reflex, verdict = player.extension.reflex, exchange.verdict(question)
        self.tick(
            player, f"answer {question} {verdict or 'null'}", lambda: reflex.answered(question, verdict)
        )

    def tick(self, player: Player, what: str, act: Callable[[], None]) -> None:
        """One tick of an agent; whether it may let go of its gate in it is for the invariants to say."""
        before, extension = self.scene(player), player.extension
        given = self.recorder.before(player) if self.recorder else {}
        if player.doomed and what != "start":
            self.memory.disk.faults.crash_before(self.dice.randint(1, 8))
        try:
            act()
        except Crash:
            self.trace.append(f"agent {player.name} dies in a tick")
            self.dead(player.name)
            return
        finally:
            self.memory.disk.faults.clear()
        if player.extension.next_timer_ms is None or player.extension.next_timer_ms > self.now_ms:
            player.ran_ms = self.now_ms
        if self.recorder:
            self.recorder.after(player, what, given)
        if before.gate in ("overlay", "person") and extension.gate not in ("overlay", "person"):
            by = "failure" if extension.problem else self.acting
            self.demand(player, no_foreign_release(before, by))

    def loses(self, player: Player) -> None:
        """It is about to read the loss of its focus: from here on nothing may start before something allows it."""
        extension = player.extension
        if extension.reflex.lease() is not None:
            player.promised = True

    def allowed(self, player: Player, why: str) -> None:
        word, *rest = why.split()
        if word == "answer":
            verdict, question = rest
            right = int(question) == player.extension.reflex.question and (
                verdict == "unknown" or player.granted
            )
            self.demand(player, "" if right else f"let go by the answer {verdict}, which was never right")
        player.promised = False

    def paused_now(self, player: Player, what: str) -> None:
        scene = self.scene(player)
        self.demand(player, violated(scene, WHEN_FINAL if what == "final" else WHEN_SAID))

    # What must hold.

    def due(self, player: Player) -> tuple[str, ...]:
        runs = [run for run in self.in_force() if run not in player.extension.waived]
        # Without a resident controller nothing tells the agents that the window counts, and they tell nobody.
        counts = self.ways.away == "pause" and self.server is not None
        here = player.name == self.front and (self.window or not counts)
        return tuple(runs) if here else (*runs, "focus")

    def in_force(self) -> list[str]:
        """Read past the disk's own bookkeeping: nobody's step, and thousands of times a seed."""
        disk = self.memory.disk
        moment = (self.clock.wall_ms(), disk.faults.count)
        if self.held[0] != moment:
            self.held = (moment, [run for run, deadline_ms in self.holds_there() if moment[0] < deadline_ms])
        return self.held[1]

    def holds_there(self) -> Iterator[tuple[str, float]]:
        """Each run with its deadline."""
        disk = self.memory.disk
        for name in disk.folders.get(HOLDS, ()):
            if name.startswith("."):
                continue
            content = disk.content[HOLDS / name]
            if content not in self.known:
                self.known[content] = json.loads(content)
            document = self.known[content]
            deadline_ms = document["deadline_ms"]
            yield str(document["run"]), math.inf if deadline_ms is None else deadline_ms

    def may_run(self, player: Player) -> bool:
        """By what anybody can know: that the window has gone an agent hears by the report alone."""
        untold = player.name == self.front and not self.window and not player.extension.away
        return not set(self.due(player)) - ({"focus"} if untold else set())

    def scene(self, player: Player) -> Scene:
        extension = player.extension
        gate = extension.gate
        painted = extension.screen == PAUSE_SCREEN
        hold = extension.reflex.hold
        # Of a boundary most holds are over before a line could be read.
        line = hold is not None and (hold.shown or player.ran_ms < hold.since_ms + BOUNDARY_LINE_MS)
        late = player.ran_ms > self.lease_over_ms + BOUND_MS
        return Scene(
            due=self.due(player),
            gate=gate,
            sign=("overlay" if painted else "hidden") if extension.overlay else "line" if line else "",
            present=player.name == self.front
            and self.window
            and not player.unnoticed
            and not {"O", "I", "K", "R"} & set(player.queue),
            promised=player.promised,
            lease_over=late and extension.reflex.lease() is None,
            braked_unheard=False,
            claims=sum(
                name.endswith(".claim") for name in self.memory.disk.folders.get(extension.mailbox, ())
            ),
        )

    def check_always(self) -> None:
        self.look_at_lease()
        self.look_at_memory()
        if self.wrong:
            raise Violation(self.wrong[0])
        for player in self.players.values():
            self.demand(player, violated(self.scene(player), ALWAYS))
            if not player.granted:
                player.granted = self.may_run(player)

    def demand(self, player: Player, sentence: str) -> None:
        if sentence:
            raise Violation(f"agent {player.name}: {sentence}")

    # The end.

    def settle(self) -> None:
        """Nothing happens any more but what must follow."""
        self.crashes = False
        for player in list(self.players.values()):
            player.stopped = player.doomed = False
            if not player.extension.terminal_ours:
                self.terminal(player)
        for process in self.turns.processes:
            process.group.stopped = False
        self.follow_up()
        if not self.looked_after or self.memory.disk.folders.get(WAKE):
            self.alone("a look that nothing has asked for")
            self.looked_after = True
        until_ms = self.now_ms + (REST_MS if self.server else LEASE_MS + REST_MS)
        while self.now_ms < until_ms:
            if not self.goes_on():
                self.pass_time(self.to_the_next(until_ms))
            self.check_always()

    def last(self) -> bool:
        """Mostly nothing; else one thing more, when all is at rest: nothing else covers what it does not tell."""
        if self.dice.random() > 0.3:
            return False
        self.losses = False
        name, what = self.dice.choice(
            [one for one in (*self.persons(), *self.drivers()) if one[0] != "types"]
        )
        self.trace.append(f"at rest: {name}")
        what()
        return True

    def goes_on(self) -> bool:
        self.follow_up()
        ready = self.turns.ready(self.now_ms)
        if ready:
            self.turns.let(ready[0])
            return True
        for player in self.players.values():
            for question in [number for number, one in player.asks.items() if one.over]:
                self.hears(player, question)
                return True
            due_ms = player.extension.next_timer_ms
            if player.queue or (due_ms is not None and due_ms <= self.now_ms):
                self.agent_step(player)
                return True
            if player.extension.ending:
                self.opens(player)
                return True
        return False

    def to_the_next(self, until_ms: float) -> float:
        times = [one.wakes_at_ms for one in self.turns.processes]
        times += [one.extension.next_timer_ms or until_ms for one in self.players.values()]
        times += [one.bound_at_ms for one in self.errands]
        if self.now_ms >= self.polled_ms + POLL_MS:
            self.polled_ms = self.now_ms
            for player in self.players.values():
                self.tick(player, "poll", player.extension.poll)
        return max(1.0, min([*times, self.polled_ms + POLL_MS, until_ms]) - self.now_ms)

    def check(self) -> None:
        assert all(one.stays for one in self.turns.processes), "somebody waits for ever"
        for player in self.players.values():
            extension = player.extension
            self.demand(player, violated(self.scene(player), AT_REST))
            left = set(self.memory.files.names(extension.mailbox))
            mine = {"ack.json"} if extension.phase == "paused" and extension.by == "request" else set()
            self.demand(player, f"keeps {left - mine}" if left - mine else "")
        files = set(self.memory.files.names(FOLDER.agents))
        assert files == {f"{player.extension.file}.json" for player in self.players.values()}
        assert not self.memory.files.names(WAKE), "a marker is left"
        assert self.memory.disk.locks == {}

    def close(self) -> None:
        self.turns.end()


__all__ = ["Violation", "World"]
