"""The schedulers that there are, by the names that people use."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, Protocol

from ..nearest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..installing import InstallStep
    from ..kinds import Context
    from .jobs import Job

NO_SCHEDULER: Final = "none"
"""What the person writes to have no scheduler start it."""


class Scheduler(Protocol):
    """Runs jobs for the person who is logged on, without any further rights."""

    name: str
    """`task-scheduler`, `systemd` or `launchd`."""

    def plan(self, jobs: Sequence[Job]) -> list[InstallStep]:
        """The steps that bring these jobs into place as they are described; none if they are.
        Raises InstallRefused for something of the same name that is not ours, and for a job that this
        scheduler cannot run.
        """
        ...

    def plan_remove(self, names: Sequence[str]) -> list[InstallStep]:
        """The steps that take jobs of these names away, as far as they are there and ours.
        Raises InstallRefused for what was edited.
        """
        ...


def schedulers(context: Context) -> dict[str, Scheduler]:
    """All of them, also those of other systems."""
    from .launchd import Launchd
    from .systemd import Systemd
    from .task_scheduler import TaskScheduler

    known: list[Scheduler] = [TaskScheduler(context), Systemd(context), Launchd(context)]
    return {scheduler.name: scheduler for scheduler in known}


def read_scheduler(text: str, known: Iterable[str]) -> str:
    """The name of one of these schedulers, or `none`, as an option gives it. Raises ValueError for another word."""
    allowed = (*known, NO_SCHEDULER)
    if text not in allowed:
        raise ValueError(
            f"there is no scheduler {text!r}{did_you_mean(text, allowed)} (known: {', '.join(allowed)})"
        )
    return text


def suitable_scheduler(platform: str = sys.platform) -> str:
    """The name of the one that comes with this system."""
    return {"win32": "task-scheduler", "darwin": "launchd"}.get(platform, "systemd")
