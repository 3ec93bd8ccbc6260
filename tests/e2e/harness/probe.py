"""Looking into a live OMP through the probe extension."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ANSWER_WITHIN_S = 30.0
"""The first bash call of an OMP blocks its loop for two seconds of a machine that is its own. Who has gone refuses at
once.
"""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that the probe has noted."""

    what: str
    at: int
    """Milliseconds since the epoch."""
    fine: float
    """Milliseconds since its process began, with their fractions."""


@dataclass(frozen=True, slots=True)
class Look:
    """An OMP at one moment."""

    pid: int
    text: str
    cursor: tuple[int, int] | None
    """Line and column in the editor."""
    paused: bool
    painted: bool
    editor_focused: bool
    overlays: int
    idle: bool
    session: str | None
    events: tuple[Event, ...]

    def times(self, what: str) -> list[int]:
        return [event.at for event in self.events if event.what == what]

    def after(self, count: int) -> list[str]:
        """What has happened since there were `count` events."""
        return [event.what for event in self.events[count:]]


def shown_in_presence(events: Sequence[Event]) -> list[Event]:
    """Pause screens for which the gate was engaged when the agent had read that its pane has the focus. A screen that
    was begun before and came up after it is not one: it is taken back.
    """
    found, here, unasked = [], False, False
    for event in events:
        if event.what in ("focus-in", "focus-out"):
            here = event.what == "focus-in"
        elif event.what == "gate-engaged":
            unasked = here
        elif event.what == "screen-shown" and unasked:
            found.append(event)
    return found


class NotThere(Exception):
    """No OMP answers."""


def look(place: Path) -> Look:
    """Raises NotThere."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ANSWER_WITHIN_S)
            connection.connect(str(place))
            connection.sendall(b"look\n")
            with connection.makefile("rb") as stream:
                line = stream.readline()
    except OSError as error:
        raise NotThere(f"{place}: {error}") from error
    if not line:
        raise NotThere(f"{place}: no answer")
    return _parse(json.loads(line))


def _parse(answer: dict[str, Any]) -> Look:
    if "error" in answer:
        raise NotThere(answer["error"])
    cursor = answer["cursor"]
    return Look(
        pid=answer["pid"],
        text=answer["text"],
        cursor=(cursor["line"], cursor["col"]) if cursor else None,
        paused=answer["paused"],
        painted=answer["painted"],
        editor_focused=answer["editor_focused"],
        overlays=answer["overlays"],
        idle=answer["idle"],
        session=answer["session"],
        events=tuple(Event(event["what"], event["at"], event["fine"]) for event in answer["events"]),
    )
