"""Durations between entries of the journal: how long panes were paused, and holds in force."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from .model import Stretches

TAKEN = "taken"


@dataclass(slots=True)
class Pausing:
    """A pane counts as paused from a cycle that saw it so to the next cycle of its session."""

    from_ms: float
    until_ms: float
    _last_ms: float = 0.0
    _began_ms: dict[str, float] = field(default_factory=dict)
    _paused: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _total_ms: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))

    def cycle(self, session: str, at_ms: float) -> None:
        self._close(session, at_ms)
        self._began_ms[session] = at_ms
        self._paused[session] = set()
        self._last_ms = max(self._last_ms, at_ms)

    def seen(self, session: str, pane: str) -> None:
        self._paused[session].add(pane)

    def durations(self) -> dict[tuple[str, str], float]:
        """Nothing is known of what came after the last cycle of all."""
        for session in list(self._began_ms):
            self._close(session, self._last_ms)
            self._began_ms[session] = self._last_ms
        return {key: total_ms for key, total_ms in self._total_ms.items() if total_ms > 0}

    def _close(self, session: str, at_ms: float) -> None:
        began_ms = max(self._began_ms.get(session, at_ms), self.from_ms)
        for pane in self._paused[session]:
            self._total_ms[session, pane] += max(0.0, min(at_ms, self.until_ms) - began_ms)


@dataclass(slots=True)
class Holding:
    """Holds by their runs: of which kind, and from when to when."""

    from_ms: float
    until_ms: float
    kinds: dict[str, str] = field(default_factory=dict)
    _open: dict[str, float] = field(default_factory=dict)
    _closed: list[tuple[str, float, float]] = field(default_factory=list)

    def take(self, run: str, kind: str, change: str, at_ms: float) -> None:
        self.kinds[run] = kind
        if change == TAKEN:
            self._open.setdefault(run, at_ms)
        elif (began_ms := self._open.pop(run, None)) is not None:
            self._closed.append((kind, began_ms, at_ms))

    def stretches(self, kind: str) -> Stretches:
        """Those that were in force at some moment of the time, as far as they lie in it."""
        going_on = [
            began_ms
            for run, began_ms in self._open.items()
            if self.kinds[run] == kind and began_ms <= self.until_ms
        ]
        closed = [
            (began_ms, ended_ms)
            for each, began_ms, ended_ms in self._closed
            if each == kind and ended_ms >= self.from_ms and began_ms <= self.until_ms
        ]
        all_of_them = [*closed, *((began_ms, self.until_ms) for began_ms in going_on)]
        lengths = [
            max(0.0, min(ended_ms, self.until_ms) - max(began_ms, self.from_ms))
            for began_ms, ended_ms in all_of_them
        ]
        return Stretches(len(lengths), len(going_on), sum(lengths), max(lengths, default=0.0))
