"""When the system's scheduler starts breaks: what the person has chosen, and the jobs that follow from it."""

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
"""The allowed times between mini breaks, in minutes. They divide an hour, so that breaks come at the same minutes of every
hour.
"""
MINI, LONG = "stretchly-mini", "stretchly-long"
JOBS: Final = (MINI, LONG)
ENDING_S: Final = 120
"""The driver ends by itself when the longest time of its break is over. If it still runs so many seconds later, it hangs, and
the scheduler may end it.
"""
FIELDS: Final = {
    "--scheduler": "scheduler",
    "--mini-every": "mini_every",
    "--long-at": "long_at",
    "--launcher": "launcher",
}


@dataclass(frozen=True, slots=True)
class Schedule:
    """What the person has chosen."""

    scheduler: str = NONE
    """The name of the scheduler, such as `systemd`."""
    mini_every: int = 10
    """Minutes from the start of one mini break to the next."""
    long_at: int = 50
    """The minute of the hour at which the long break begins."""
    launcher: str | None = None
    """The path of the PowerShell file to write; None for no such file."""

    @classmethod
    def read(cls, content: bytes, path: Path) -> Schedule:
        """The choices in a file that `document` has written. Raises InstallRefused if the content is something else; `path`
        is for the message.
        """
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
        """The content of a file that keeps these choices; `read` reads it."""
        return json.dumps({"v": 1, **asdict(self)}, indent=1).encode()

    def changed(self, chosen: Mapping[str, Any]) -> Schedule:
        """These choices with those of the options that were given: flag to value. Raises WrongUsage for times without a
        scheduler.
        """
        schedule = replace(self, **{FIELDS[flag]: value for flag, value in chosen.items()})
        times = [flag for flag in ("--mini-every", "--long-at") if flag in chosen]
        if times and schedule.scheduler == NONE:
            raise WrongUsage(
                f"{' and '.join(times)}: times are for a scheduler, and none is chosen. "
                "Add --scheduler, or set the times in Stretchly"
            )
        return schedule

    def jobs(self, command: Sequence[str], settings: StretchlySettings) -> list[Job]:
        """The scheduler's jobs for these choices: one for mini breaks, one for long ones. `command` starts `attention`. Raises
        WrongUsage if the long break leaves no time for any mini break.
        """
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
        """The minutes at which mini breaks begin. There is none in the whole minutes that the long break may take (`long_s`
        seconds): Stretchly would end the long break to show the mini one.
        """
        taken = {(self.long_at + minute) % 60 for minute in range(max(1, int(long_s // 60)))}
        if not set(range(0, 60, self.mini_every)) - taken:
            raise WrongUsage(
                f"no mini break is left: every {self.mini_every} minutes is always within the long break, "
                f"which begins at :{self.long_at:02} and may take {long_s:g} s. Choose other times"
            )
        return EachHour.every(self.mini_every, without=taken)


def read_mini_every(text: str) -> int:
    """Minutes, from a text such as `10m`. Raises ValueError whose message names the allowed ones."""
    found = re.fullmatch(r"(\d{1,2})m", text.strip(), re.ASCII)
    if not found or int(found[1]) not in INTERVALS:
        allowed = ", ".join(f"{minutes}m" for minutes in INTERVALS)
        raise ValueError(f"{text!r} is not a time that divides an hour. Choose one of {allowed}")
    return int(found[1])


def read_long_at(text: str) -> int:
    """The minute of the hour, from a text such as `:50`. Raises ValueError whose message names the allowed form."""
    found = re.fullmatch(r":([0-5]\d)", text.strip(), re.ASCII)
    if not found:
        raise ValueError(f"{text!r} is no minute of the hour: write :00 to :59")
    return int(found[1])


def read_launcher(text: str) -> str:
    """The path of the PowerShell file, made absolute. Raises ValueError if it does not end in `.ps1`."""
    path = Path(text).absolute()
    if path.suffix.lower() != ".ps1":
        raise ValueError(f"{text!r} is no PowerShell file: give a path that ends in .ps1")
    return str(path)


def _limit_s(at_most_s: float) -> int:
    return math.ceil(at_most_s) + ENDING_S
