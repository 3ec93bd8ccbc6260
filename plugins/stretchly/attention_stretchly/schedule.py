"""When a scheduler starts the breaks: what the person chose, and the jobs that follow from it."""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attention_framework import EachHour, InstallRefused, Job, WrongUsage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .source import StretchlySettings

NONE: Final = "none"
INTERVALS: Final = (2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60)
"""Minutes that divide an hour: the breaks are at the same minutes of every hour."""
MINI, LONG = "stretchly-mini", "stretchly-long"
JOBS: Final = (MINI, LONG)
ENDING_S: Final = 120
"""The driver ends by itself at the break's deadline; whoever is not gone so long after it hangs."""
FIELDS: Final = {
    "--scheduler": "scheduler",
    "--mini-every": "mini_every",
    "--long-at": "long_at",
    "--launcher": "launcher",
}


@dataclass(frozen=True, slots=True)
class Schedule:
    """`mini_every` in minutes, `long_at` a minute of the hour; `launcher` is the path of the PowerShell file."""

    scheduler: str = NONE
    mini_every: int = 10
    long_at: int = 50
    launcher: str | None = None

    @classmethod
    def read(cls, content: bytes, path: Path) -> Schedule:
        """Raises InstallRefused for what `document` has not written."""
        try:
            found = json.loads(content)
            schedule = cls(**{field: found[field] for field in FIELDS.values()})
            read_mini_every(f"{schedule.mini_every}m")
            read_long_at(f":{schedule.long_at:02}")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InstallRefused(
                f"{path} no longer tells what was set up ({error}). Move it away, and choose anew: "
                "attention setup stretchly --scheduler ..."
            ) from error
        return schedule

    def document(self) -> bytes:
        return json.dumps({"v": 1, **asdict(self)}, indent=1).encode()

    def changed(self, chosen: Mapping[str, Any]) -> Schedule:
        """By the options that were given. Raises WrongUsage for times that no scheduler would keep."""
        schedule = replace(self, **{FIELDS[flag]: value for flag, value in chosen.items()})
        times = [flag for flag in ("--mini-every", "--long-at") if flag in chosen]
        if times and schedule.scheduler == NONE:
            raise WrongUsage(
                f"{' and '.join(times)}: times are for a scheduler, and none is chosen. "
                "Add --scheduler, or set the times in Stretchly"
            )
        return schedule

    def jobs(self, command: Sequence[str], settings: StretchlySettings) -> list[Job]:
        """Raises WrongUsage if no mini break is left between the long ones."""
        minis = self._minis(settings.long.at_most_s)
        return [
            Job(
                MINI,
                f"attention: a mini break, {minis}",
                (*command, "break-run", "mini"),
                minis,
                _limit_s(settings.mini.at_most_s),
            ),
            Job(
                LONG,
                f"attention: a long break, {EachHour((self.long_at,))}",
                (*command, "break-run", "long"),
                EachHour((self.long_at,)),
                _limit_s(settings.long.at_most_s),
            ),
        ]

    def _minis(self, long_s: float) -> EachHour:
        """None in the whole minutes of the long break: a call for a mini break would end it without a word."""
        taken = {(self.long_at + minute) % 60 for minute in range(max(1, int(long_s // 60)))}
        if not set(range(0, 60, self.mini_every)) - taken:
            raise WrongUsage(
                f"no mini break is left: every {self.mini_every} minutes is always within the long break, "
                f"which begins at :{self.long_at:02} and may take {long_s:g} s. Choose other times"
            )
        return EachHour.every(self.mini_every, without=taken)


def read_mini_every(text: str) -> int:
    """Minutes. Raises ValueError."""
    found = re.fullmatch(r"(\d{1,2})m", text.strip(), re.ASCII)
    if not found or int(found[1]) not in INTERVALS:
        allowed = ", ".join(f"{minutes}m" for minutes in INTERVALS)
        raise ValueError(f"{text!r} is not a time that divides an hour. Choose one of {allowed}")
    return int(found[1])


def read_long_at(text: str) -> int:
    """Minute of the hour. Raises ValueError."""
    found = re.fullmatch(r":([0-5]\d)", text.strip(), re.ASCII)
    if not found:
        raise ValueError(f"{text!r} is no minute of the hour: write :00 to :59")
    return int(found[1])


def read_launcher(text: str) -> str:
    """An absolute path. Raises ValueError."""
    path = Path(text).absolute()
    if path.suffix.lower() != ".ps1":
        raise ValueError(f"{text!r} is no PowerShell file: give a path that ends in .ps1")
    return str(path)


def _limit_s(at_most_s: float) -> int:
    return math.ceil(at_most_s) + ENDING_S
