"""Who did not answer when it was asked last, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Silence:
    """One that gives no answer, however often it is asked."""

    problem: str
    since_ms: int


class Silences:
    """By name. Safe to use from several threads."""

    def __init__(self) -> None:
        self._silent: dict[str, Silence] = {}

    def note(self, name: str, problem: str, now_ms: int) -> None:
        """What became of one question: empty for an answer."""
        if problem:
            before = self._silent.get(name)
            self._silent[name] = Silence(problem, before.since_ms if before else now_ms)
        else:
            self._silent.pop(name, None)

    def all(self) -> Mapping[str, Silence]:
        return dict(self._silent)
