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

CLOCKS_MS = 2
"""Times are cut to whole milliseconds, in both programs."""


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


@dataclass(frozen=True, slots=True)
class InPresence:
    """A pause screen that was begun when the agent had read that its pane has the focus."""

    came: Event
    """That report."""
    screen: Event

    def is_refuted(self, decided_ms: Sequence[float]) -> bool:
        """Whether nothing but a report that was still to be read speaks against it: a controller that saw the focus
        elsewhere after this one had been read was quicker than the terminal. Of a request that was decided on before,
        nothing may be left.

        :param decided_ms: when each request that this agent be paused was based on what its agent had said.
        """
        return any(self.came.at - CLOCKS_MS <= decided <= self.screen.at for decided in decided_ms)


def shown_in_presence(events: Sequence[Event]) -> list[InPresence]:
    """A screen that was begun before the report and came up after it is not one: it is taken back."""
    found: list[InPresence] = []
    came: Event | None = None
    unasked: Event | None = None
    for event in events:
        if event.what in ("focus-in", "focus-out"):
            came = event if event.what == "focus-in" else None
        elif event.what == "gate-engaged":
            unasked = came
        elif event.what == "screen-shown" and unasked is not None:
            found.append(InPresence(unasked, event))
    return found


@dataclass(frozen=True, slots=True)
class BegunAway:
    """A tool that began after the agent had read that its pane has lost the focus, and before it read that it is back."""

    event: Event
    braked: bool
    """The gate was engaged in between, or at the report: whoever opened it had the controller's word, or a person's."""
    story: str
    """What happened around it, with milliseconds before and after."""


def begun_away(events: Sequence[Event]) -> list[BegunAway]:
    found: list[BegunAway] = []
    away = closed = braked = False
    for place, event in enumerate(events):
        if event.what in ("focus-in", "focus-out"):
            away, braked = event.what == "focus-out", closed
        elif event.what in ("gate-engaged", "gate-released"):
            closed = event.what == "gate-engaged"
            braked |= closed
        elif away and event.what.startswith("tool_execution_start"):
            around = events[max(0, place - 8) : place + 6]
            story = " ".join(f"{it.what}@{it.fine - event.fine:+.1f}" for it in around)
            found.append(BegunAway(event, braked, f"{story} (at {event.at})"))
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
