"""An agent, and what is known of it besides what it knows itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .errands import Errand
    from .extension import Extension
    from .serving import Exchange


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
