"""The break source `marker`: a break goes on while a certain file exists. Some timers for the desktop write such a file.

It has nothing to do with Stretchly. It is in this distribution so that people need not install and enable another one for a
single small class; attention-framework itself has no strategies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, Field

from attention_framework import Break, HostUnavailable, ProcessIdentity

from .files import RealLogFiles
from .polling import named_path, poll

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from threading import Event

    from attention_framework import Context

    from .files import LogFiles

LONGEST_PID: Final = 32


class MarkerSettings(BaseModel):
    """Which file stands for a break."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: str | None = Field(
        default=None,
        min_length=1,
        description="A break goes on while this file exists; `~/` is the home folder. If a process id is all that is "
        "in it, only as long as that process lives. Each time it is written anew counts as another break.",
    )
    at_most_s: float = Field(
        default=900.0,
        gt=0,
        le=86_400,
        description="A break is over so many seconds after the file was written, even if nobody removes it.",
    )


class MarkerBreaks:
    """Tells of a break while the file exists, its time is not over, and the process that it names (if any) lives."""

    name = "marker"
    Settings = MarkerSettings

    def __init__(self, settings: MarkerSettings, context: Context, files: LogFiles | None = None) -> None:
        self._at_most_ms = round(settings.at_most_s * 1000)
        self._effects = context.effects
        self._files = files or RealLogFiles()
        self._file = named_path(settings.file, context.effects.environment) if settings.file else None

    @classmethod
    def warnings(cls, settings: MarkerSettings) -> list[str]:
        return [] if settings.file else ["strategy.marker.file names no file: it tells of no break"]

    def current(self) -> Sequence[Break]:
        """The break that is going on, or none. Raises HostUnavailable if the file exists and cannot be read."""
        if self._file is None:
            return []
        try:
            mark = self._files.mark(self._file)
            if mark is None or not self._writer_lives(self._file):
                return []
        except FileNotFoundError:  # It was removed between the two looks at it.
            return []
        except OSError as error:
            raise HostUnavailable(f"{self._file} cannot be read: {error.strerror or error}") from error
        written_ms = mark[2] // 1_000_000
        found = Break(f"{self.name}-{written_ms}", "marked", written_ms, written_ms + self._at_most_ms)
        return [found] if self._effects.clock.wall_ms() < written_ms + self._at_most_ms else []

    def watch(self, wake: Callable[[str], None], stop: Event) -> None:
        poll(self, wake, stop)

    def _writer_lives(self, file: Path) -> bool:
        """Whether the process lives whose id is in the file. True if the file contains anything but a number."""
        content = self._files.read(file, 0, LONGEST_PID).content.strip()
        if not content.isdigit():
            return True
        pid = int(content)
        return 0 < pid < 2**31 and self._effects.processes.alive(ProcessIdentity(pid))
