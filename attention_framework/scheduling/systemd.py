"""systemd's user units: a service for each job, and a timer for one that runs at certain times.

Borrowed facts: systemd.exec(5), systemd.service(5), systemd.timer(5), systemd.syntax(7); how names are refused and
quoted was tried with `systemd-analyze verify` of systemd 252.
"""

from __future__ import annotations

import re
import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..installing import InstallStep, OwnedFiles
from ..kinds import InstallRefused
from .jobs import EachHour
from .running import demand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..kinds import Context
    from .jobs import Job

PREFIX: Final = "attention-"
SYSTEMCTL: Final = ("systemctl", "--user")
RESTART_AFTER_S: Final = 5
_PLAIN = re.compile(r"[\w@/.:=+,-]+", re.ASCII)
_NO_PROGRAM = re.compile(r"[\"'\\]")
_RUN_BY_SHELL: Final = ("/bin/sh", "-c", 'exec "$0" "$@"')
HINT: Final = "systemd's user manager has to run: log in on the desktop, or see `loginctl enable-linger`"


def unit_files(job: Job) -> dict[str, bytes]:
    """Names and contents of a job's units; the last one is the one that is enabled."""
    name = PREFIX + job.name
    if not isinstance(job.at, EachHour):
        return {f"{name}.service": _service(job).encode()}
    return {f"{name}.service": _oneshot(job).encode(), f"{name}.timer": _timer(job.at, job).encode()}


def calendar(at: EachHour) -> str:
    """As OnCalendar wants it: minutes of every hour, second 0."""
    return f"*:{','.join(f'{minute:02}' for minute in at.minutes)}"


def command_line(command: Sequence[str]) -> str:
    """For ExecStart. The prefix `:` (systemd 244) takes the meaning from `$`, which elsewhere in a line `$$` would do,
    but not in the name of the program.
    """
    # A program with a quote or a backslash in its name is refused, however it is written.
    words = (*_RUN_BY_SHELL, *command) if _NO_PROGRAM.search(command[0]) else tuple(command)
    literal = ":" if any("$" in word for word in words) else ""
    return literal + " ".join(map(_quoted, words))


class Systemd:
    """See `Scheduler`."""

    name = "systemd"

    def __init__(self, context: Context) -> None:
        self._effects = context.effects
        self._owned = OwnedFiles(context.state, context.effects.files)

    def plan(self, jobs: Sequence[Job]) -> list[InstallStep]:
        return [step for job in jobs for step in self._plan(job)]

    def plan_remove(self, names: Sequence[str]) -> list[InstallStep]:
        return [step for name in names for step in self._plan_remove(name)]

    @property
    def folder(self) -> Path:
        environment = self._effects.environment
        if base := environment.get("XDG_CONFIG_HOME"):
            return Path(base) / "systemd/user"
        if home := environment.get("HOME"):
            return Path(home) / ".config/systemd/user"
        raise InstallRefused("HOME is not set, so the folder of systemd's user units is not known")

    def _plan(self, job: Job) -> Iterator[InstallStep]:
        try:
            files = unit_files(job)
        except ValueError as error:
            raise InstallRefused(f"systemd cannot run the job {job.name}: {error}") from error
        writes = [
            step
            for name, content in files.items()
            for step in self._owned.plan_write(self.folder / name, content)
        ]
        unit = list(files)[-1]
        in_place = self._in_place(unit)
        yield from writes
        if writes or not in_place:
            yield InstallStep(
                f"start {unit}, {job.at}: {shlex.join(job.command)}", partial(self._start, unit)
            )

    def _plan_remove(self, name: str) -> Iterator[InstallStep]:
        """The units that we have written, in whichever folder: that it is another one today is no reason to leave them."""
        units = [f"{PREFIX}{name}.timer", f"{PREFIX}{name}.service"]
        ours = sorted((path for path in self._owned.written() if path.name in units), key=_timer_first)
        removes = [step for path in ours for step in self._owned.plan_remove(path)]
        if removes:
            self._properties(ours[0].name)  # Nothing is removed that goes on running unseen.
            yield InstallStep(
                f"stop {ours[0].name}",
                partial(demand, self._effects, (*SYSTEMCTL, "disable", "--now", ours[0].name), HINT),
            )
            yield from removes
            yield InstallStep("have systemd read its units again", self._reload)

    def _in_place(self, unit: str) -> bool:
        found = self._properties(unit)
        wanted = {"UnitFileState": "enabled", "ActiveState": "active", "NeedDaemonReload": "no"}
        return all(found.get(key) == value for key, value in wanted.items())

    def _properties(self, unit: str) -> dict[str, str]:
        asked = "--property=UnitFileState,ActiveState,NeedDaemonReload"
        lines = demand(self._effects, (*SYSTEMCTL, "show", unit, asked), HINT).splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def _start(self, unit: str) -> None:
        """Restarted, because a timer that runs keeps its old times."""
        self._reload()
        demand(self._effects, (*SYSTEMCTL, "enable", unit), HINT)
        demand(self._effects, (*SYSTEMCTL, "restart", unit), f"Look at: systemctl --user status {unit}")

    def _reload(self) -> None:
        demand(self._effects, (*SYSTEMCTL, "daemon-reload"), HINT)


def _timer_first(path: Path) -> bool:
    return path.suffix != ".timer"


def _oneshot(job: Job) -> str:
    """KillMode: a program that the command has started, such as one with a window, goes on after it."""
    return _unit(
        job.description,
        "[Service]",
        "Type=oneshot",
        f"ExecStart={command_line(job.command)}",
        f"TimeoutStartSec={job.limit_s}",
        "KillMode=process",
    )


def _timer(at: EachHour, job: Job) -> str:
    """By default systemd takes a minute's liberty with the time."""
    return _unit(
        job.description,
        "[Timer]",
        f"OnCalendar={calendar(at)}",
        "AccuracySec=1s",
        "Persistent=false",
        "",
        "[Install]",
        "WantedBy=timers.target",
    )


def _service(job: Job) -> str:
    return _unit(
        job.description,
        "[Service]",
        "Type=simple",
        f"ExecStart={command_line(job.command)}",
        "Restart=on-failure",
        f"RestartSec={RESTART_AFTER_S}",
        "",
        "[Install]",
        "WantedBy=default.target",
    )


def _unit(description: str, *lines: str) -> str:
    head = ("# Written by `attention setup`.", "[Unit]", f"Description={_literal(description)}", "")
    return "\n".join((*head, *lines, ""))


def _quoted(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    return '"' + _literal(word).replace('"', '\\"') + '"'


def _literal(text: str) -> str:
    """Without specifiers and escapes."""
    return text.replace("\\", "\\\\").replace("%", "%%")
