"""File and environment on top of each other, with the origin of every value."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .document import Document

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """What was said, and by whom. Later variables go over earlier ones, and over the file."""

    document: Document
    """The settings file; one that says nothing if there is none."""
    variables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def merged(self) -> dict[str, Any]:
        result: dict[str, Any] = dict(self.document.values)
        for table in self.variables.values():
            result = _over(result, table)
        return result

    def origin(self, path: Sequence[str | int]) -> str | None:
        """The variable, or `FILE:LINE`, that this value comes from; None for a default."""
        asked = tuple(path)
        for name in reversed(list(self.variables)):
            if _has(self.variables[name], asked):
                return name
        return self.document.where(asked) if _has(self.document.values, asked) else None

    def line(self, path: Sequence[str | int]) -> int:
        """Sorts mistakes as the file has them, those of the environment last."""
        *_, place = self.blame(path).rpartition(":")
        return int(place) if place.isdecimal() else sys.maxsize

    def blame(self, path: Sequence[str | int]) -> str:
        """Where to mend what is wrong at a path that may not exist:
        the origin of the nearest table that holds it.
        """
        for end in range(len(path), 0, -1):
            if origin := self.origin(path[:end]):
                return origin
        return str(self.document.path) if self.document.found else ""


def _over(lower: Mapping[str, Any], upper: Mapping[str, Any]) -> dict[str, Any]:
    """Tables are merged, everything else is replaced."""
    result = dict(lower)
    for key, value in upper.items():
        below = result.get(key)
        result[key] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return result


def _has(table: object, path: Path) -> bool:
    for part in path:
        try:
            table = table[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            return False
    return True
