"""For tests: a simulated Herdr together with this plugin, as the framework sees it."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, cast

from attention_framework import real_effects
from attention_framework.testing import FakeContext, until

from .focus import HerdrFocus

if TYPE_CHECKING:
    from pathlib import Path

    from attention_framework import Pane, Session, Snapshot

    from .control import HerdrControl
    from .simulator import SimulatedHerdr

ECHO: Final = (
    "import os\nprint('ready', flush=True)\nwhile data := os.read(0, 4096):\n    print(data, flush=True)\n"
)
"""A program that shows what is typed to it, as Python writes bytes."""


@dataclass
class World:
    herdr: SimulatedHerdr
    context: FakeContext
    focus: HerdrFocus
    session: Session

    @classmethod
    def around(cls, herdr: SimulatedHerdr, home: Path) -> World:
        """With nothing of the developer's own Herdr: `home` holds its configuration and the state folder."""
        environment = {"HERDR_SOCKET_PATH": herdr.address, "HOME": str(home), "PATH": str(home)}
        context = FakeContext(replace(real_effects(), environment=environment), state=home / "state")
        focus = HerdrFocus(None, context)
        (session,) = focus.sessions()
        return cls(herdr, context, focus, session)

    @property
    def control(self) -> HerdrControl:
        return cast("HerdrControl", self.focus.control(self.session))

    def snapshot(self) -> Snapshot:
        return self.focus.snapshot(self.session)

    def pane(self, pane_id: str) -> Pane:
        return next(pane for pane in self.snapshot().panes if pane.id == pane_id)

    def start_echo(self, pane_id: str = "w1:p1") -> Pane:
        """Start a program that Herdr takes for an OMP, and that shows what is typed to it."""
        self.herdr.run(pane_id, [sys.executable, "-c", ECHO], kind="omp")
        self.herdr.wait_screen(pane_id, lambda screen: "ready" in screen)
        until(lambda: self.pane(pane_id).agent, what="Herdr has found the agent")
        return self.pane(pane_id)
