"""One OMP in a pane, and the person at its keys."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from attention_framework.testing import until

from .probe import Look, NotThere, look

if TYPE_CHECKING:
    from pathlib import Path

    from .world import World

START_WITHIN_S = 40.0
ACT_WITHIN_S = 15.0
PASTE = b"\x1b[200~%s\x1b[201~"


class Agent:
    """Keys go to the pane that has the focus, so everything that types needs this one to have it."""

    def __init__(self, world: World, name: str, pane: str) -> None:
        self.world = world
        self.name = name
        self.pane = pane
        self.folder: Path = world.folder / f"work-{name}"
        self.folder.mkdir(exist_ok=True)
        self._started = 0

    @property
    def _probe(self) -> Path:
        return self.world.folder / f"{self.name}{self._started}.sock"

    def start(self, program: str = "omp", render_delay_ms: int = 0) -> None:
        """Type the command, and wait for the editor and, where the extension is set up, for its hello."""
        self._started += 1
        probe = f"PROBE_SOCKET={shlex.quote(str(self._probe))} PROBE_RENDER_DELAY_MS={render_delay_ms}"
        command = f"cd {shlex.quote(str(self.folder))} && {probe} {shlex.quote(program)}"
        self.world.host.type(f"{command}\n".encode())
        until(self.is_there, START_WITHIN_S, what=f"OMP {self.name} has started")
        if self.world.settings.exists():
            until(self.status, ACT_WITHIN_S, what=f"OMP {self.name} has said hello")

    def is_there(self) -> bool:
        try:
            self.look()
        except NotThere:
            return False
        return True

    def look(self) -> Look:
        return look(self._probe)

    def screen(self) -> str:
        return self.world.host.screen(self.pane)

    def status(self) -> dict[str, Any] | None:
        """Its status file; None as long as it has none."""
        pid = self.look().pid
        return next((status for status in self.world.status_files() if status["pid"] == pid), None)

    def mailbox(self) -> Path:
        pid = self.look().pid
        [folder] = self.world.state.glob(f"sessions/*/mailbox/*.{pid}")
        return folder

    def is_paused(self) -> bool:
        """By its own word, by its gate, and by what its pane shows."""
        status, seen = self.status(), self.look()
        said = status is not None and status["state"] == "paused"
        return said and seen.paused and seen.painted and "P A U S E D" in self.screen()

    def is_running(self) -> bool:
        status, seen = self.status(), self.look()
        said = status is not None and status["state"] == "running"
        return said and not seen.paused and not seen.painted and "P A U S E D" not in self.screen()

    def until_paused(self) -> None:
        until(self.is_paused, ACT_WITHIN_S, what=f"{self.name} is paused")

    def until_running(self) -> None:
        until(self.is_running, ACT_WITHIN_S, what=f"{self.name} runs")

    def type(self, text: str) -> None:
        self.world.host.type(text.encode())

    def paste(self, text: str) -> None:
        """As a terminal sends what is pasted, so that line ends do not submit."""
        self.world.host.type(PASTE % text.encode())

    def draft(self, text: str) -> Look:
        """Put a draft into the editor and leave it there."""
        self.paste(text)
        until(
            lambda: self.look().text == text,
            ACT_WITHIN_S,
            what=f"the draft of {self.name} stands in the editor",
        )
        return self.look()

    def prompt(self, text: str) -> None:
        self.type(text)
        until(
            lambda: self.look().text == text,
            ACT_WITHIN_S,
            what=f"the prompt of {self.name} stands in the editor",
        )
        self.type("\r")
        until(lambda: self.look().text == "", ACT_WITHIN_S, what=f"the prompt of {self.name} is submitted")

    def resume(self) -> None:
        """The person's own key in the pause screen."""
        assert self.look().painted
        self.type("\r")
        self.until_running()

    def leave(self) -> None:
        """End OMP; the shell of the pane is back."""
        self.type("/quit")
        until(lambda: self.look().text == "/quit", ACT_WITHIN_S, what="the command stands in the editor")
        self.type("\r")
        until(lambda: not self.is_there(), ACT_WITHIN_S, what=f"OMP {self.name} has ended")

    def wrote(self, name: str) -> bool:
        """Whether a tool of its has left this file."""
        return (self.folder / name).exists()

    def allow(self, name: str) -> None:
        """Leave a file that a tool of its waits for."""
        (self.folder / name).touch()
