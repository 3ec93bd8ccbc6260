"""Looking at an agent all the time while the focus moves: some of its states last a few milliseconds only."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from ..model import Call

EVERY_S: Final = 0.002


@dataclass(frozen=True, slots=True)
class Sample:
    """What an agent said at one moment."""

    held: bool
    """Paused, and it says so on its screen."""
    braked: bool = False
    since_ms: float | None = None
    """While braked: since when."""
    calls: tuple[Call, ...] = ()
    shown: str = ""
    engagement: str | None = None


class Sampler:
    """Keeps each different sample with the time at which it was first seen."""

    def __init__(self, look: Callable[[], Sample | None], now_ms: Callable[[], float]) -> None:
        self._look = look
        self._now_ms = now_ms
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sampler", daemon=True)
        self.seen: list[tuple[float, Sample]] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def take(self) -> None:
        sample = self._look()
        if sample is not None and (not self.seen or self.seen[-1][1] != sample):
            self.seen.append((self._now_ms(), sample))

    @property
    def held_ms(self) -> float | None:
        return next((at_ms for at_ms, sample in list(self.seen) if sample.held), None)

    @property
    def braked_ms(self) -> float | None:
        """By its own word, where it says since when."""
        braked = [(at_ms, sample.since_ms) for at_ms, sample in list(self.seen) if sample.braked]
        return next((at_ms if since is None else since for at_ms, since in braked), None)

    @property
    def calls(self) -> tuple[Call, ...]:
        """Each that was ever named while nothing new might start, once."""
        named = [
            call for _, sample in list(self.seen) if sample.held or sample.braked for call in sample.calls
        ]
        return tuple(dict.fromkeys(named))

    def _run(self) -> None:
        while not self._ended.wait(EVERY_S):
            self.take()
