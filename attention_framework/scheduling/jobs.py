"""What is to run, and when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LIMIT_S = 540


@dataclass(frozen=True, slots=True)
class EachHour:
    """At these minutes of every hour, by the local clock. Sorted; raises ValueError for none, or one over 59.

    A start that was missed (the machine slept, nobody was logged on) is not made up for, as far as the
    scheduler can be told so: at another minute it would be another break.
    """

    minutes: tuple[int, ...]
    """0 to 59, sorted, none twice."""

    def __post_init__(self) -> None:
        if not self.minutes or not set(self.minutes) <= set(range(60)):
            raise ValueError(f"{self.minutes} are not minutes of an hour: they go from 0 to 59")
        object.__setattr__(self, "minutes", tuple(sorted(set(self.minutes))))

    @classmethod
    def every(cls, minutes: int, without: Iterable[int] = ()) -> EachHour:
        """Every so many minutes from the full hour on, with minutes left out. Raises ValueError for a number that
        does not divide an hour (the last interval would be shorter), and when all are left out.
        """
        if minutes < 1 or 60 % minutes:
            raise ValueError(f"{minutes} minutes do not divide an hour")
        return cls(tuple(sorted(set(range(0, 60, minutes)) - set(without))))

    @property
    def interval(self) -> int | None:
        """Minutes from one start to the next, where these are the same all day and begin with the hour."""
        step = 60 // len(self.minutes)
        return step if self.minutes == tuple(range(0, 60, step)) else None

    def __str__(self) -> str:
        return f"at {' '.join(f':{minute:02}' for minute in self.minutes)} of every hour"


@dataclass(frozen=True, slots=True)
class AtLogon:
    """From the logon on, and again when it has died: a service of the person's session."""

    def __str__(self) -> str:
        return "from logon on, started again when it dies"


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to run.

    :param name: lower-case words joined by `-`; schedulers make the names of their files and tasks of it.
    :param description: one line, for people who look at the scheduler.
    :param command: program and arguments, the program by its absolute path.
    :param at: when.
    :param limit_s: a run that is still going on after so long is ended; of no meaning for a service.
    """

    name: str
    description: str
    command: tuple[str, ...]
    at: EachHour | AtLogon
    limit_s: int = LIMIT_S

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name for a job: write lower-case words joined by -")
        if not self.command:
            raise ValueError(f"the job {self.name} has no command")
        if self.limit_s <= 0:
            raise ValueError(f"the job {self.name} may not run at all (limit_s is {self.limit_s})")
        for word in (self.description, *self.command):
            if any(character < " " or character == "\x7f" for character in word):
                raise ValueError(f"the job {self.name} has a control character in {word!r}")
