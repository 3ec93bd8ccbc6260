"""What is to run at certain times, and the schedulers of the operating systems that can run it.

A plugin makes `Job`s and hands them to a `Scheduler`, which answers with the steps that bring them into place.
"""

from __future__ import annotations

from .jobs import AtLogon, EachHour, Job
from .known import NO_SCHEDULER, Scheduler, read_scheduler, schedulers, suitable_scheduler

__all__ = [
    "NO_SCHEDULER",
    "AtLogon",
    "EachHour",
    "Job",
    "Scheduler",
    "read_scheduler",
    "schedulers",
    "suitable_scheduler",
]
