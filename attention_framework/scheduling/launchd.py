"""launchd's agents: one property list for each job. Borrowed facts: launchd.plist(5), launchctl(1)."""

from __future__ import annotations

import os
import plistlib
import re
import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..installing import InstallStep, OwnedFiles
from ..kinds import InstallRefused
from .jobs import EachHour
from .running import ask, demand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..kinds import Context
    from .jobs import Job

PREFIX: Final = "org.attention-framework."
RESTART_AFTER_S: Final = 5
TRIES, PAUSE_MS = 5, 500
_PATH = re.compile(r"^\s*path = (.*)$", re.MULTILINE)
HINT: Final = "launchd starts agents for a person who is logged in on the desktop"


def property_list(job: Job, log: str) -> bytes:
    """`log` is where the command's standard error goes. Raises ValueError for text that XML cannot hold."""
    document: dict[str, Any] = {
        "Label": PREFIX + job.name,
        "ProgramArguments": list(job.command),
        "StandardErrorPath": log,
        # In the background, launchd would slow down every program that the command starts, too.
        "ProcessType": "Standard",
    }
    return plistlib.dumps(document | _when(job.at), sort_keys=False)


class Launchd:
    """See `Scheduler`."""

    name = "launchd"

    def __init__(self, context: Context) -> None:
        self._effects = context.effects
        self._state = context.state
        self._owned = OwnedFiles(context.state, context.effects.files)

    def plan(self, jobs: Sequence[Job]) -> list[InstallStep]:
        return [step for job in jobs for step in self._plan(job)]

    def plan_remove(self, names: Sequence[str]) -> list[InstallStep]:
        return [step for name in names for step in self._plan_remove(name)]

    @property
    def folder(self) -> Path:
        home = self._effects.environment.get("HOME")
        if not home:
            raise InstallRefused("HOME is not set, so the folder of launchd's agents is not known")
        return Path(home) / "Library/LaunchAgents"

    @property
    def domain(self) -> str:
        """Of the person's desktop."""
        if not hasattr(os, "getuid"):
            raise InstallRefused("there is no launchd on this system. Choose another scheduler.")
        return f"gui/{os.getuid()}"

    def _plan(self, job: Job) -> Iterator[InstallStep]:
        path = self._path(job.name)
        try:
            content = property_list(job, str(self._state / f"{job.name}.err"))
        except ValueError as error:
            raise InstallRefused(f"launchd cannot run the job {job.name}: {error}") from error
        writes = self._owned.plan_write(path, content)
        loaded = self._loaded(job.name, path)
        if not writes and loaded:
            return
        if loaded:  # Before the file is written: what is loaded is then always what the file says.
            yield InstallStep(f"unload {PREFIX}{job.name}", partial(self._unload, job.name))
        yield from writes
        yield InstallStep(
            f"load {PREFIX}{job.name}, {job.at}: {shlex.join(job.command)}", partial(self._load, path)
        )

    def _plan_remove(self, name: str) -> Iterator[InstallStep]:
        for path in self._owned.written():
            if path.name == f"{PREFIX}{name}.plist" and (removes := self._owned.plan_remove(path)):
                if self._loaded(name, path):
                    yield InstallStep(f"unload {PREFIX}{name}", partial(self._unload, name))
                yield from removes

    def _path(self, name: str) -> Path:
        return self.folder / f"{PREFIX}{name}.plist"

    def _loaded(self, name: str, path: Path) -> bool:
        """Raises InstallRefused for an agent of this name that comes from another file."""
        done = ask(self._effects, ("launchctl", "print", f"{self.domain}/{PREFIX}{name}"))
        if done.code != 0:
            return False
        found = _PATH.search(done.output)
        if found and found[1].strip() != str(path):
            raise InstallRefused(
                f"launchd has an agent {PREFIX}{name} from {found[1].strip()}, which is not ours. "
                f"If you no longer need it: launchctl bootout {self.domain}/{PREFIX}{name}"
            )
        return True

    def _unload(self, name: str) -> None:
        demand(self._effects, ("launchctl", "bootout", f"{self.domain}/{PREFIX}{name}"), HINT)

    def _load(self, path: Path) -> None:
        """An agent that was unloaded a moment ago may be refused until it is really gone."""
        command = ("launchctl", "bootstrap", self.domain, str(path))
        for _ in range(TRIES - 1):
            if ask(self._effects, command).code == 0:
                return
            self._effects.clock.sleep_ms(PAUSE_MS)
        demand(self._effects, command, HINT)


def _when(at: object) -> dict[str, Any]:
    if isinstance(at, EachHour):
        times = [{"Minute": minute} for minute in at.minutes]
        # What the command has started, such as a program with a window, goes on after it.
        return {"StartCalendarInterval": times, "RunAtLoad": False, "AbandonProcessGroup": True}
    return {
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": RESTART_AFTER_S,
    }
