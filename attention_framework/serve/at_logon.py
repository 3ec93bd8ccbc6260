"""What `attention setup serve --at-logon NAME` and `attention uninstall serve` do."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from ..installing import OwnedFiles
from ..kinds import InstallRefused, Option
from ..scheduling import NO_SCHEDULER, AtLogon, Job, read_scheduler, schedulers, suitable_scheduler

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ..kinds import Context, Step
    from ..scheduling import Scheduler

JOB: Final = "attention-serve"


class ServeInstaller:
    """The resident controller as a service of the person's session, where the person wants one. Without it, hosts
    start the controller with their own start. What was chosen is kept in the state folder.
    """

    name = "serve"

    def __init__(self, context: Context, chosen: Mapping[str, Any] | None = None) -> None:
        self._context = context
        self._owned = OwnedFiles(context.state, context.effects.files)
        self._chosen = chosen or {}
        self._record: Path = context.state / "serve-at-logon"

    def options(self, remove: bool) -> Sequence[Option]:
        if remove:
            return ()
        names = "|".join((*self._schedulers, NO_SCHEDULER))
        return (
            Option(
                "--at-logon",
                f"what starts the resident controller at logon: {names}. Without it: what was chosen before, at first none",
                self._read_scheduler,
                "NAME",
            ),
        )

    def with_options(self, chosen: Mapping[str, Any]) -> ServeInstaller:
        return ServeInstaller(self._context, chosen)

    def found(self) -> str:
        at_logon = "" if self.scheduler == NO_SCHEDULER else f", started at logon by {self.scheduler}"
        return f"the resident controller of this installation{at_logon}"

    def plan(self, remove: bool) -> Sequence[Step]:
        return list(self._steps(NO_SCHEDULER if remove else self.scheduler))

    def advice(self, remove: bool) -> Sequence[str]:
        if remove or self.scheduler != NO_SCHEDULER:
            return ()
        return (
            "hosts start it with their own start; to have it from logon on: "
            f"attention setup serve --at-logon {suitable_scheduler()}",
        )

    @cached_property
    def scheduler(self) -> str:
        """The name of the one that is wanted. Raises InstallRefused for a record that names none."""
        if (chosen := self._chosen.get("--at-logon")) is not None:
            return str(chosen)
        try:
            before = self._context.effects.files.read(self._record).decode(errors="replace").strip()
        except FileNotFoundError:
            return NO_SCHEDULER
        if before not in self._schedulers:
            raise InstallRefused(
                f"{self._record} names no scheduler: {before!r}. Say which one with --at-logon"
            )
        return before

    @cached_property
    def _schedulers(self) -> dict[str, Scheduler]:
        return schedulers(self._context)

    def _read_scheduler(self, text: str) -> str:
        return read_scheduler(text, self._schedulers)

    def _steps(self, wanted: str) -> Iterator[Step]:
        """The record goes first, so that what was interrupted is known the next time."""
        if wanted != NO_SCHEDULER:
            yield from self._owned.plan_write(self._record, f"{wanted}\n".encode())
        for name, scheduler in self._schedulers.items():
            if name != wanted:
                yield from scheduler.plan_remove([JOB])
        if wanted != NO_SCHEDULER:
            yield from self._schedulers[wanted].plan([self._job()])
        else:
            yield from self._owned.plan_remove(self._record)

    def _job(self) -> Job:
        description = "Attention: pauses the coding agents that do not have your attention"
        return Job(JOB, description, (*self._context.command, "serve"), AtLogon())
