"""What `attention setup stretchly` and `attention uninstall stretchly` do."""

from __future__ import annotations

import shutil
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attention_framework import (
    InstallRefused,
    InstallStep,
    Option,
    OwnedFiles,
    read_scheduler,
    schedulers,
    suitable_scheduler,
)

from .files import RealLogFiles
from .launcher import launcher
from .places import newest, places
from .schedule import (
    INTERVALS,
    JOBS,
    NONE,
    Schedule,
    read_launcher,
    read_long_at,
    read_mini_every,
)
from .source import StretchlySettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attention_framework import Context, Scheduler, Step

START: Final = "powershell.exe -NoProfile -ExecutionPolicy Bypass -WindowStyle Hidden -File"


class StretchlyInstaller:
    """Sets up jobs of the system's scheduler that start breaks at fixed minutes of every hour, if the person wants that.

    The choices are kept in the state folder, so an option that is not given keeps its value. `chosen` has the options of
    this call: flag to value.
    """

    name = "stretchly"

    def __init__(self, context: Context, chosen: Mapping[str, Any] | None = None) -> None:
        self._context = context
        self._files = context.effects.files
        self._owned = OwnedFiles(context.state, context.effects.files)
        self._chosen = chosen or {}
        self._record: Path = context.state / "stretchly-schedule.json"

    def options(self, remove: bool) -> Sequence[Option]:
        if remove:
            return ()
        names = "|".join((*self._schedulers, NONE))
        return (
            Option(
                "--scheduler",
                f"what starts the breaks by the clock: {names}. Without it: what was chosen before, at first none",
                self._read_scheduler,
                "NAME",
            ),
            Option(
                "--mini-every",
                f"the time between mini breaks, 2m to {INTERVALS[-1]}m, counted from the full hour (default 10m)",
                read_mini_every,
                "TIME",
            ),
            Option(
                "--long-at",
                "the minute of the hour of the long break, in which no mini break begins (default :50)",
                read_long_at,
                ":MM",
            ),
            Option(
                "--launcher",
                "write a PowerShell file there that starts a break, for a task that you cannot edit",
                read_launcher,
                "FILE",
            ),
        )

    def with_options(self, chosen: Mapping[str, Any]) -> StretchlyInstaller:
        installer = StretchlyInstaller(self._context, chosen)
        if installer.schedule.scheduler != NONE:
            # The jobs are not used here. Wrong times raise WrongUsage now, and not later as a refusal of `plan`.
            installer.schedule.jobs(("attention",), self._settings)
        return installer

    @cached_property
    def schedule(self) -> Schedule:
        """The earlier choices with those of this call. Raises WrongUsage for choices that contradict each other, and
        InstallRefused if the file with the earlier ones cannot be understood.
        """
        try:
            before = Schedule.read(self._files.read(self._record), self._record)
        except FileNotFoundError:
            before = Schedule()
        return before.changed(self._chosen)

    def found(self) -> str | None:
        environment = self._context.effects.environment
        place = newest(places(environment, self._settings.log), RealLogFiles())
        if place is not None:
            return f"Stretchly, which writes {place.log}"
        program = shutil.which("stretchly", path=environment.get("PATH", ""))
        return f"Stretchly at {program}" if program else None

    def plan(self, remove: bool) -> Sequence[Step]:
        return self._removal() if remove else list(self._installation())

    def advice(self, remove: bool) -> Sequence[str]:
        return [] if remove else list(self._advice())

    @property
    def _settings(self) -> StretchlySettings:
        return self._context.settings("stretchly") or StretchlySettings()

    @cached_property
    def _schedulers(self) -> dict[str, Scheduler]:
        return schedulers(self._context)

    def _read_scheduler(self, text: str) -> str:
        return read_scheduler(text, self._schedulers)

    def _installation(self) -> Iterator[Step]:
        """First the record of the choices is written, so that the next setup knows of one that was interrupted. Then the jobs
        of other schedulers are removed, so that two schedulers never start the same break.
        """
        schedule = self.schedule
        chosen = schedule.scheduler != NONE or schedule.launcher
        if chosen:
            yield from self._owned.plan_write(self._record, schedule.document())
        for name, scheduler in self._schedulers.items():
            if name != schedule.scheduler:
                yield from scheduler.plan_remove(JOBS)
        if schedule.scheduler in self._schedulers:
            jobs = schedule.jobs(self._context.command, self._settings)
            yield from self._schedulers[schedule.scheduler].plan(jobs)
        yield from self._launcher(schedule)
        if not chosen:
            yield from self._owned.plan_remove(self._record)

    def _launcher(self, schedule: Schedule) -> Iterator[Step]:
        for path in self._launchers():
            if str(path) != schedule.launcher:
                yield from self._owned.plan_remove(path)
        if schedule.launcher:
            content = launcher(self._context.command, str(self._context.state / "launcher.log"))
            yield from self._owned.plan_write(Path(schedule.launcher), content)

    def _removal(self) -> list[Step]:
        """Files that the person has edited are left where they are. The jobs are removed all the same, so that no more breaks
        are started.
        """
        steps: list[Step] = [
            step for scheduler in self._schedulers.values() for step in scheduler.plan_remove(JOBS)
        ]
        edited = []
        for path in (*self._launchers(), self._record):
            try:
                steps += self._owned.plan_remove(path)
            except InstallRefused:
                edited.append(path)
        if edited and not steps:
            self._owned.plan_remove(edited[0])
        return [*steps, InstallStep.leaving(edited)] if edited else steps

    def _launchers(self) -> list[Path]:
        return [path for path in self._owned.written() if path.suffix.lower() == ".ps1"]

    def _advice(self) -> Iterator[str]:
        if self.schedule.scheduler == NONE:
            settings = self._context.config or "attention.toml"
            yield (
                "no scheduler is needed for the breaks that Stretchly begins by itself: put "
                f'`sources = ["stretchly"]` under `[breaks]` into {settings}, and run `attention break-watch`'
            )
            yield (
                "to have breaks by the clock, at the same minutes of every hour: "
                f"attention setup stretchly --scheduler {suitable_scheduler()}"
            )
        else:
            yield "Stretchly's own breaks go on besides these; to be without them: stretchly pause"
        if self.schedule.launcher:
            yield f'the task has to start: {START} "{self.schedule.launcher}" mini (or long)'
