"""Windows' Task Scheduler: a task for each job, in a folder of ours."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from functools import partial
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Final

from ..installing import InstallStep, OwnedFiles
from ..kinds import InstallRefused
from .running import ask, demand
from .task_xml import Mark, owner_mark, task_xml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ..effects import Files
    from ..kinds import Context
    from .jobs import Job

FOLDER: Final = "\\attention-framework\\"


class TaskScheduler:
    """See `Scheduler`. What was registered stays in the state folder, too, for people to look at."""

    name = "task-scheduler"

    def __init__(self, context: Context) -> None:
        self._effects = context.effects
        self._owner = str(context.state)
        self._folder = context.state / "tasks"
        self._owned = OwnedFiles(context.state, context.effects.files)

    def plan(self, jobs: Sequence[Job]) -> list[InstallStep]:
        return [step for job in jobs for step in self._plan(self._windowless(job))]

    def plan_remove(self, names: Sequence[str]) -> list[InstallStep]:
        return [step for name in names for step in self._plan_remove(name)]

    def _windowless(self, job: Job) -> Job:
        return replace(job, command=windowless(job.command, self._effects.files))

    def _plan(self, job: Job) -> Iterator[InstallStep]:
        user = _user(self._effects.environment)
        try:
            content, mark = task_xml(job, self._owner, user), Mark.of(job, self._owner, user)
        except ValueError as error:
            raise InstallRefused(f"the Task Scheduler cannot run the job {job.name}: {error}") from error
        path, registered = self._path(job.name), self._registered(job.name)
        self._refuse_foreign(job.name, registered, mark.owner)
        writes = self._owned.plan_write(path, content)
        yield from writes
        if writes or registered != mark:
            force = ("/F",) if registered else ()  # Without it schtasks replaces nothing.
            command = ("schtasks", "/Create", "/TN", FOLDER + job.name, "/XML", str(path), *force)
            yield InstallStep(
                f"register the task {FOLDER}{job.name}, {job.at}: {subprocess.list2cmdline(job.command)}",
                partial(demand, self._effects, command),
            )

    def _plan_remove(self, name: str) -> Iterator[InstallStep]:
        """By the file we know that a task was registered: elsewhere there is nothing to ask."""
        path = self._path(name)
        if path not in self._owned.written():
            return
        registered = self._registered(name)
        if isinstance(registered, Mark) and registered.owner == owner_mark(self._owner):
            command = ("schtasks", "/Delete", "/TN", FOLDER + name, "/F")
            yield InstallStep(f"remove the task {FOLDER}{name}", partial(demand, self._effects, command))
        yield from self._owned.plan_remove(path)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.xml"

    def _registered(self, name: str) -> Mark | str | None:
        """The mark of the task, or the text of one without; None if there is no task."""
        done = ask(self._effects, ("schtasks", "/Query", "/TN", FOLDER + name, "/XML"))
        if done.code != 0:
            return None
        if "<Task" not in done.output:
            raise InstallRefused(
                f"`schtasks /Query` does not tell what the task {FOLDER}{name} says: {done.errors.strip()}"
            )
        return Mark.found_in(done.output) or done.output

    def _refuse_foreign(self, name: str, registered: Mark | str | None, owner: str) -> None:
        if registered is None or (isinstance(registered, Mark) and registered.owner == owner):
            return
        whose = "belongs to another state folder" if isinstance(registered, Mark) else "is not ours"
        raise InstallRefused(
            f"the Task Scheduler has a task {FOLDER}{name} that {whose}. "
            f'If you no longer need it: schtasks /Delete /TN "{FOLDER}{name}"'
        )


def windowless(command: Sequence[str], files: Files) -> tuple[str, ...]:
    """The same with `pythonw.exe`, where it is: with `python.exe` a console window comes up at every start."""
    program = PureWindowsPath(command[0])
    if program.name.lower() != "python.exe":
        return tuple(command)
    other = str(program.with_name("pythonw.exe"))
    return (other if files.exists(Path(other)) else command[0], *command[1:])


def _user(environment: Mapping[str, str]) -> str:
    return f"{environment.get('USERDOMAIN', '.')}\\{environment.get('USERNAME', '')}"
