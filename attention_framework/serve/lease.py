"""`reflex.json`: what an agent's extension may do on its own, for as long as this is renewed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..state.documents import save

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ..effects import Effects
    from ..settings.models import ReflexSettings

LEASE_MS = 15_000
RENEW_MS = 5_000.0


class Lease:
    """Written now and then, and at once when it says something else."""

    def __init__(
        self, path: Path, effects: Effects, controller: str, settings: Callable[[], ReflexSettings]
    ) -> None:
        """
        :param controller: tells this one from those before and after it.
        :param settings: those in use. Read when it is their turn to be written: of two threads, the one that is late
            must not write what the other one has found changed.
        """
        self._path = path
        self._settings = settings
        self._controller = controller
        self._effects = effects
        self._due_ms = float("-inf")
        self._guard = threading.Lock()
        self._ended = False

    def renew(self) -> None:
        with self._guard:
            if not self._ended:
                self._write(self._settings())

    def _write(self, settings: ReflexSettings) -> None:
        self._due_ms = self._effects.clock.monotonic_ms() + RENEW_MS
        until_ms = self._effects.clock.wall_ms() + LEASE_MS
        save(
            self._effects.files,
            self._path,
            {
                "mode": settings.mode,
                "away": settings.away,
                "fail": settings.fail,
                "ask_ms": settings.ask_ms,
                "until_ms": until_ms,
                "controller": self._controller,
            },
        )

    def renew_if_due(self) -> None:
        if self._effects.clock.monotonic_ms() >= self._due_ms:
            self.renew()

    def end(self) -> None:
        """For good: nobody who is late writes it again."""
        with self._guard:
            self._ended = True
            self._effects.files.remove(self._path)
