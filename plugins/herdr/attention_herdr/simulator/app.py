"""One simulated Herdr: its state, its loop, what it tells and whom."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .focus import FocusDiffer
from .hub import Event, Hub
from .loop import Loop
from .plugins.context import context_of
from .plugins.registry import Registry
from .plugins.runner import HookRunner
from .state import State

if TYPE_CHECKING:
    from pathlib import Path

    from .clock import Clock
    from .state import Pane


class App:
    """`address` is the path of the socket, `config_dir` and `state_dir` stand for Herdr's own folders."""

    def __init__(
        self, clock: Clock, address: str, config_dir: Path, state_dir: Path, session: str | None, seed: int
    ) -> None:
        self.clock = clock
        self.address = address
        self.session = session
        self.state = State(seed)
        self.hub = Hub()
        self.loop = Loop(clock, self._settle)
        self.focus = FocusDiffer(self.state, self.emit)
        self.registry = Registry(config_dir, state_dir)
        self.hooks = HookRunner(clock, self._environment())
        self.notifications: list[dict[str, Any]] = []
        self.notify_reason = "disabled"
        self.startup_grace_s = 3.0
        self.silent = False

    def emit(self, event: Event) -> None:
        """Plugin hooks first, then the ring that subscriptions read. A server that is stopping tells nothing."""
        if self.silent:
            return
        self.run_hooks(event)
        self.hub.push(event)

    def run_hooks(self, event: Event) -> None:
        context = context_of(self.state, event)
        for plugin in self.registry.enabled():
            for command in plugin.hooks(event.name):
                variables = self.registry.environment(plugin, event.name, context, event.envelope())
                self.hooks.run(plugin, event.name, command, variables)

    def run_startup_hooks(self) -> None:
        context = context_of(self.state, None)
        for plugin in sorted(self.registry.enabled(), key=lambda plugin: plugin.id):
            for command in plugin.startup():
                variables = self.registry.environment(plugin, "startup", context, None)
                self.hooks.run(plugin, "startup", command, variables)

    def pane_environment(self, pane: Pane) -> dict[str, str]:
        """What a program finds when it starts in a pane. It keeps these ids when the pane is moved later."""
        return {
            **self._environment(),
            "HERDR_PANE_ID": pane.id,
            "HERDR_TAB_ID": pane.tab.id,
            "HERDR_WORKSPACE_ID": pane.workspace.id,
        }

    def forget(self) -> None:
        """What a new server process does not know any more: events, and what hooks have done."""
        self.hub = Hub()
        self.hooks.forget()

    def _settle(self) -> None:
        self.focus.look()

    def _environment(self) -> dict[str, str]:
        """The server's own, without what it may have inherited from a Herdr around it."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("HERDR_")}
        session = {"HERDR_SESSION": self.session} if self.session else {}
        return {**inherited, **session, "HERDR_ENV": "1", "HERDR_SOCKET_PATH": self.address}
