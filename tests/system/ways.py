"""What the person has chosen: the settings that a seed plays with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random


@dataclass(frozen=True, slots=True)
class Ways:
    mode: str = "off"
    """`reflex.mode`."""
    away: str = "ignore"
    fail: str = "open"
    settle_ms: int = 0
    resume: str = "none"
    """`breaks.resume`."""
    served: bool = False
    """A resident controller runs at the beginning."""
    exempt: str = ""
    """The agent that a policy always lets run, but for breaks."""
    follows: bool = False
    """`breaks.sources` has a source."""
    rewritten: bool = False
    """No setting: the person changes them now and then."""

    def __str__(self) -> str:
        return ", ".join(f"{name} {getattr(self, name)}" for name in self.__slots__)


def thrown(dice: random.Random, mode: str = "") -> Ways:
    mode = mode or dice.choice(["off", "brake", "strict"])
    return Ways(
        mode,
        away=dice.choice(["ignore", "ignore", "pause"]),
        fail=dice.choice(["open", "closed"]),
        settle_ms=dice.choice([0, 0, 400]),
        resume=dice.choice(["none", "own", "last-active"]),
        served=mode != "off" or dice.random() < 0.5,
        exempt=dice.choice(["", "", "", "c"]),
        follows=dice.random() < 0.5,
        rewritten=dice.random() < 0.4,
    )
