"""What every step needs: the host with its disposable place, the controller's eyes, and waiting."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..app import App
    from ..cycle import Candidate
    from ..journal_tail import Tail
    from ..kinds import FocusSource, PaneControl, Trial
    from ..model import AgentKind, Pane, Snapshot
    from ..state.folder import SessionFolder

T = TypeVar("T")
LOOK_EVERY_MS: Final = 5.0
NO_ANSWER: Final = "the host gave no usable answer"
"""In place of the host's own words, which may hold anything."""


class Stuck(Exception):
    """Something that a step waits for has not happened in time. The message is for people."""


@dataclass
class Scene:
    app: App
    source: FocusSource
    trial: Trial
    agent: AgentKind
    folder: Path
    """Where the agents work, and what else the steps need lies."""

    @property
    def session_folder(self) -> SessionFolder:
        return self.app.state.session(self.trial.session)

    @cached_property
    def control(self) -> PaneControl:
        return self.source.control(self.trial.session)

    @cached_property
    def journal(self) -> Tail:
        """From now on."""
        from ..journal_tail import Tail

        tail = Tail(self.app.effects.files, self.app.journal.paths)
        for _ in tail.new():
            pass
        return tail

    def now_ms(self) -> float:
        return float(self.app.effects.clock.wall_ms())

    def snapshot(self) -> Snapshot:
        return self.app.controller.snapshot(self.source, self.trial.session)

    def candidate(self, pane: str) -> Candidate | None:
        """The agent in a pane as a cycle would see it now."""
        look = self.app.controller.look(self.source, self.trial.session)
        return next((found for found in look.candidates if found.pane.id == pane), None)

    def has_focus(self, pane: str) -> bool:
        return pane in (self.snapshot().focused or ())

    def screen(self, pane: Pane) -> str:
        return self.control.read_screen(pane)

    def sleep(self, seconds: float) -> None:
        self.app.effects.clock.sleep_ms(seconds * 1000)

    def wait(self, condition: Callable[[], T], bound_s: float, what: str) -> T:
        """The first true value. Raises Stuck with `what` was waited for."""
        clock = self.app.effects.clock
        end = clock.monotonic_ms() + bound_s * 1000
        while not (value := condition()):
            if clock.monotonic_ms() >= end:
                raise Stuck(f"not within {bound_s:.0f} s: {what}")
            clock.sleep_ms(LOOK_EVERY_MS)
        return value
