"""The break source `stretchly`: tells which breaks are going on, by Stretchly's log."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, Field

from attention_framework import Break, HostUnavailable

from .durations import at_most_ms
from .files import RealLogFiles
from .places import newest, places
from .polling import poll
from .reader import BreakReader
from .values import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from threading import Event

    from attention_framework import Context

    from .files import LogFiles
    from .places import Place
    from .values import LoggedBreak

AHEAD_MS: Final = 2_000
"""A break whose start lies further than this in the future is left out. It was logged before the clock was set back, so its
deadline would come far too late.
"""


class AtMost(BaseModel):
    """How long a break of one kind lasts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at_most_s: float = Field(
        gt=0, le=86_400, description="Seconds after its start it is over, slack included."
    )


class StretchlySettings(BaseModel):
    """Which log is followed, and when a break is given up whose end it does not tell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    log: str | None = Field(
        default=None,
        min_length=1,
        description="Stretchly's `main.log`; `~/` is the home folder. Without it: that of every packaging but the "
        "portable one is looked for, and the one that changed last is followed.",
    )
    slack_s: float = Field(
        default=15.0,
        ge=0,
        le=3600,
        description="A break is given up so long after the duration that Stretchly's `config.json` gives it.",
    )
    mini: AtMost = Field(
        default=AtMost(at_most_s=35),
        description="When a mini break is given up, where there is no `config.json`. `break-run` holds the agents so "
        "long at most; not set, as long as `config.json` says, slack included, if that is longer.",
    )
    long: AtMost = Field(
        default=AtMost(at_most_s=605),
        description="When a long break is given up, where there is no `config.json`. `break-run` holds the agents so "
        "long at most; not set, as long as `config.json` says, slack included, if that is longer.",
    )
    program: list[str] = Field(
        default=[],
        description="How `break-run` calls Stretchly: the program and what comes before `mini` or `long`, such as "
        '`["flatpak", "run", "net.hovancik.Stretchly"]`. Without it: what is found on the PATH or where the '
        "packagings put it.",
    )
    start_within_s: float = Field(
        default=20.0,
        gt=0,
        le=3600,
        description="`break-run` gives up so long after it has called Stretchly, when its log shows no start of a "
        "break.",
    )


class StretchlyBreaks:
    """Follows the log of Stretchly that was changed last. Each call of `current` reads what was added to it."""

    name = "stretchly"
    Settings = StretchlySettings

    def __init__(self, settings: StretchlySettings, context: Context, files: LogFiles | None = None) -> None:
        self._settings = settings
        self._effects = context.effects
        self._files = files or RealLogFiles()
        self._places = places(context.effects.environment, settings.log)
        self._place: Place | None = None
        self._readers: dict[Place, BreakReader] = {}
        self._reading = Lock()
        """Held while logs are read: `current` and `watch` are called in different threads."""

    def current(self) -> Sequence[Break]:
        """The breaks that are going on and whose deadline has not come. None if there is no log yet. Raises HostUnavailable if
        a log exists and cannot be read.
        """
        with self._reading:
            going_on = self._going_on()
            if not going_on or self._place is None:
                return []
            now_ms = self._effects.clock.wall_ms()
            config = self._config(self._place)
            breaks = [self._break(each, config, now_ms) for each in going_on]
        return [
            found
            for found in breaks
            if found and found.started_ms <= now_ms + AHEAD_MS and now_ms < (found.deadline_ms or 0)
        ]

    def watch(self, wake: Callable[[str], None], stop: Event) -> None:
        poll(self, wake, stop)

    def _going_on(self) -> Sequence[LoggedBreak]:
        try:
            # When Stretchly has renamed a full log, there is none until it writes the next line. Then the place stays.
            self._place = newest(self._places, self._files) or self._place
            if self._place is None:
                return ()
            reader = self._readers.get(self._place)
            if reader is None:
                reader = self._readers[self._place] = BreakReader(self._place.log, self._files)
            reader.poll()
        except OSError as error:
            path = error.filename or (self._place.log if self._place else "the log of Stretchly")
            raise HostUnavailable(f"{path} cannot be read: {error.strerror or error}") from error
        return reader.going_on

    def _break(self, each: LoggedBreak, config: bytes | None, now_ms: int) -> Break | None:
        if each.start is None:
            return None
        settings = self._settings
        fallback_s = (settings.mini if each.kind is Kind.MINI else settings.long).at_most_s
        lasts_ms = at_most_ms(config, each.kind, round(settings.slack_s * 1000), round(fallback_s * 1000))
        started_ms = _instant_ms(each.start, now_ms)
        run = f"{self.name}-{each.kind}-{each.start.isoformat(timespec='milliseconds')}"
        return Break(run, each.kind.value, started_ms, started_ms + lasts_ms)

    def _config(self, place: Place) -> bytes | None:
        try:
            return self._effects.files.read(place.config)
        except OSError:
            return None


def _instant_ms(local: datetime, now_ms: int) -> int:
    """A local time as milliseconds since the epoch. In the hour that comes twice when summer time ends, a local time means two
    moments: this is the one that is nearer to now.
    """
    instants = (round(local.replace(fold=fold).timestamp() * 1000) for fold in (0, 1))
    return min(instants, key=lambda instant: abs(now_ms - instant))
