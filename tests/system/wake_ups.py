"""Processes of the controller, those that run once and the resident one, and who wakes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework.runner import wake
from attention_framework.settings.mistakes import SettingsError
from attention_framework.settling import look_again
from attention_framework.testing import SESSION

from .controller import Application, process_app
from .errands import EXTENSION_WAITS_MS, HOOK_WAITS_MS, Errand
from .scheduler import Group, Process
from .serving import Exchange, Server
from .stage import STATE, Act, Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework.effects import Effects

    from .player import Player


class WakeUps(Stage):
    """A part of `World`."""

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

        def begun() -> None:
            try:
                body(effects)
            except SettingsError:
                self.trace.append("wrong settings let nobody begin")
                self.looked_after = False

        return self.turns.start(name, group, begun)

    def app(self, effects: Effects) -> Application:
        """Raises SettingsError."""
        app = process_app(effects, STATE, self.host, self.source, self.said, self.transports)
        if self.turns.current is not None:
            self.turns.current.group.ways.append(app.ways)
        return app

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
        app = self.app(effects)
        group.ways = [app.ways]
        self.server = Server(app, self.turns, self.clock, group, self.wrong.append)

    def processes(self) -> list[Act]:
        return [(one.name, lambda one=one: self.turns.let(one)) for one in self.turns.ready(self.now_ms)]  # type: ignore[misc]

    def servers(self) -> list[Act]:
        server = self.server
        if server is None:
            starts = (self.ways.mode != "off" or self.ways.served) and not self.broken
            return [("the server starts", self.serve)] if starts else []
        stops = "goes on" if server.group.stopped else "is stopped"
        found: list[Act] = [(f"the server {stops}", lambda: self.toggle(server.group))]
        if not server.group.stopped:
            found.append(("the host tells the server", lambda: self.events.tell("focus")))
            found.append(("the host ends its events", self.events.die))
            if self.crashes:
                found.append(("the server is told to stop", lambda: self.end_server(server)))
        if self.losses:
            found.append(("the server dies", self.server_dies))
        return found

    def toggle(self, group: Group) -> None:
        group.stopped = not group.stopped

    def end_server(self, server: Server) -> None:
        self.stood.clear()  # It ends the breaks that it follows.
        server.request("stop")

    def server_dies(self) -> None:
        if self.server is not None:
            self.looked_after = False
            self.server.die()
            self.server = None

    def kill(self, process: Process) -> None:
        if process in self.turns.processes and process is not self.turns.current:
            self.looked_after = False
            self.turns.kill(process.group)
