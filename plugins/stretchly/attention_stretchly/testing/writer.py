"""Writes logs of Stretchly for tests: a day of given breaks, in the words of any version."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from ..values import EndedBy, Kind, LoggedBreak

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSIONS: Final = (
    (1, 1),
    (1, 4),
    (1, 5),
    (1, 6),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 10),
    (1, 11),
    (1, 14),
    (1, 16),
    (1, 20),
    (1, 22),
)
"""The oldest version with a log, the newest known one, and each between them that has changed a text."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """A break to write into a log."""

    kind: Kind
    ended_by: EndedBy = EndedBy.FINISHED
    """How it ends."""
    lasts_ms: int = 20_000
    """Milliseconds from its start to its end."""
    announced: bool = True
    """Whether a notification is shown before it."""
    windows: int = 1
    """How many windows it has: one for each screen."""
    disturbed: bool = False
    """True: other lines come in the middle of it, such as texts that look like events, a command line and an error."""


class LogWriter:
    """Writes the lines of a log. Its time, `now`, begins at `start` and moves on with each line."""

    def __init__(
        self, version: tuple[int, int], newline: str = "\n", start: datetime = datetime(2025, 3, 10, 9)
    ) -> None:
        self.version = version
        self.now = start
        self.lines: list[str] = []
        self._newline = newline

    @property
    def content(self) -> bytes:
        """Everything that was written, as the content of a file."""
        return "".join(line + self._newline for line in self.lines).encode()

    def say(self, text: str, level: str = "info", after_ms: int = 3) -> datetime:
        """Write a line `after_ms` milliseconds after the last one. Returns its time stamp."""
        self.now += timedelta(milliseconds=after_ms)
        stamp = self.now.isoformat(" ", "milliseconds")
        mark = f"[{level}]" if self.version < (1, 5) else f"[{f'{level}]':6}"  # electron-log 4.3.2 pads it.
        self.lines.append(f"[{stamp}] {mark} {text}")
        return self.now

    def start_app(self) -> None:
        """Write the lines that Stretchly writes when it starts."""
        if self.version < (1, 6):
            self.say("Stretchly: loading settings")
        else:
            self.say("Stretchly: initializing...")
            self.say("Stretchly: loading preferences")
        self.say("Stretchly: starting Idle time monitoring")

    def play(self, day: Sequence[Scripted]) -> list[LoggedBreak]:
        """Write these breaks, one after the other. Returns what a reader of the log has to find."""
        found = []
        for index, each in enumerate(day):
            following = day[index + 1].kind if index + 1 < len(day) else each.kind
            found.append(self._play(index + 1, each, following))
        return found

    def _play(self, number: int, each: Scripted, following: Kind) -> LoggedBreak:
        name = self.name_of(each.kind)
        if each.announced:
            self.say(f"Stretchly: showing {name} notification", after_ms=600_000)
        if self.version >= (1, 16):
            self.say("Stretchly: ready-to-show fired", after_ms=10_000)
            self.say(f"Stretchly: {name} window loaded")
        self.say(f"Stretchly: showing window 1 of {each.windows}")
        started = self.say(f"Stretchly: starting {self.name_of(self.started_as(each.kind))}", after_ms=1)
        for window in range(2, each.windows + 1):
            self.say(f"Stretchly: showing window {window} of {each.windows}")
        if each.disturbed:
            self._disturb(name)
        self.now = max(self.now, started + timedelta(milliseconds=each.lasts_ms))
        ended = self._end(name, each.ended_by, following)
        if each.ended_by is EndedBy.POSTPONED and following is not each.kind:
            self.say("Stretchly: pausing breaks because of idle time")
        return LoggedBreak(number, each.kind, started, ended, each.ended_by)

    def _end(self, name: str, by: EndedBy, following: Kind) -> datetime | None:
        match by:
            case EndedBy.FINISHED:
                ended = self.say(self.finishing(name, "true"))
                if self.version >= (1, 14):
                    self.say("Stretchly: playing audio/crystal-glass.wav (volume: 1)", after_ms=5)
                return ended
            case EndedBy.EXCLUDED:
                ended = self.say(self.finishing(name, "false"))
                self.say(
                    "Stretchly: closing current and pausing breaks as 'pause' exclusion found running: 'x'"
                )
                return ended
            case EndedBy.POSTPONED:
                return self.say(f"Stretchly: postponing {name}")
            case EndedBy.REPLACED:
                later = " in 1200000ms" if self.version >= (1, 10) and self.now.second % 2 else ""
                return self.say(f"Stretchly: skipping to {self.name_of(following)}{later}")
            case EndedBy.RESET:
                if self.version >= (1, 15):
                    self.say("Stretchly: resetting breaks by shortcut")
                return self.say(f"Stretchly: rese{'t' * (1 + (self.version >= (1, 10)))}ing breaks")
            case EndedBy.LOST:
                self.start_app()
        return None

    def _disturb(self, name: str) -> None:
        """Write lines that come from another process, from texts of the person, and from errors of the program."""
        self.say(f"Stretchly: setting 'breakIdeas' to '[\"Stretchly: finishing {name}\"]' (was '[]')")
        self.say(f"Stretchly: {name} already running, not starting {name}", "warn")
        if self.version >= (1, 4):
            self.say("TypeError: Object has been destroyed", "error")
            self.lines.append("    at BrowserWindow.<anonymous> (main.js:1:1)")
        if self.version >= (1, 6):
            self.say("Stretchly: reinitializing...")
        if self.version >= (1, 9):
            self.say("Stretchly 2: forwarding command 'mini' to the main instance")
            self.say(
                f"Stretchly: arguments received from second instance: mini,-T,Stretchly: starting {name}"
            )
            self.say("Stretchly: skip to Mini Break (requested by second instance)")

    def name_of(self, kind: Kind) -> str:
        """What this version calls such a break, for instance `Mini Break`."""
        return f"{kind.capitalize()} {'break' if self.version >= (1, 20) else 'Break'}"

    def started_as(self, kind: Kind) -> Kind:
        """The kind that this version writes at the start of such a break: before 1.8 always a mini break."""
        return kind if self.version >= (1, 8) else Kind.MINI

    def finishing(self, name: str, plan: str) -> str:
        """The text at the end of the break with this name. `plan`, `true` or `false`, says whether the next one is planned."""
        suffix = f" (shouldPlanNext: {plan})" if self.version >= (1, 11) else ""
        return f"Stretchly: finishing {name}{suffix}"
