"""Mistakes in the settings, as the person is told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import WrongUsage

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake: where it is, which key, what is wrong and what would be right."""

    where: str
    """`FILE:LINE`, the name of an environment variable, or empty for what no key says."""
    key: str
    """Path of the key, such as `agents.omp.transport[0]`."""
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.where, self.key, self.message) if part)


class SettingsError(WrongUsage):
    """The settings cannot be used. Holds all mistakes, not only the first."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        if len(self.mistakes) == 1:
            super().__init__(str(self.mistakes[0]))
        else:
            lines = "".join(f"\n  {mistake}" for mistake in self.mistakes)
            super().__init__(f"{len(self.mistakes)} mistakes in the settings:{lines}")


def dotted(path: Sequence[str | int]) -> str:
    """`("agents", "omp", "transport", 0)` as `agents.omp.transport[0]`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
