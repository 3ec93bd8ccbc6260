"""What `attention doctor` has seen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CheckLevel(StrEnum):
    """How bad it is."""

    OK = "ok"
    """As it should be."""
    WARNING = "warning"
    """It works, and something is worth knowing."""
    FAILED = "failed"
    """It does not work."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One precondition that `attention doctor` looked at."""

    name: str
    """What was looked at; no two results of a check have the same one."""
    level: CheckLevel
    """How bad it is."""
    message: str
    """What was seen."""
    mend: str = ""
    """The command that mends it, ready to paste."""
