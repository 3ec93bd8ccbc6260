"""Reads the lines of Stretchly's log, as every version writes them that has a log (1.1 and later).

A line counts only if its whole text is known. A part of it is never enough: other lines contain command line arguments, names
of applications and settings, which may look like anything. All known texts are ASCII, so nothing is decoded.

Facts from elsewhere: lines have the form of electron-log's file transport; before its version 4.3.2 it writes one space after
the level, later it pads the level to a fixed width. The texts are from Stretchly's source, from public logs of 1.4 to 1.22,
and from the changes between these versions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Final

from .values import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

CROPPED: Final = b"[log cropped]"
"""The first line of a log whose beginning electron-log has cut off, because it could not rename the full log."""


class Sign(StrEnum):
    """What a line means for breaks."""

    PLANNED = auto()
    """A break of this kind is about to start."""
    STARTED = auto()
    FINISHED = auto()
    EXCLUDED = auto()
    POSTPONED = auto()
    SKIPPED_TO = auto()
    """Every break is closed, and one of this kind will start."""
    RESET = auto()
    """Every break is closed, and Stretchly plans anew."""
    UNPLANNED = auto()
    """The break that was about to start will not start."""
    ALREADY_RUNNING = auto()
    """The break that was about to start will not start, because one of this kind is going on."""
    APP_STARTED = auto()
    """Stretchly has started."""
    GAP = auto()
    """Lines are missing here."""
    OTHER = auto()
    """Nothing about breaks."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a line of the log means."""

    sign: Sign
    stamp: datetime | None = None
    """When the line was written: local time, without a zone. None for GAP and OTHER."""
    kind: Kind | None = None
    """The kind of break that the line names; None if it names none."""
    names_kind: bool = False
    """Only Stretchly 1.8 and later write this text. From that version on, the line of a start names the right kind."""
    later: bool = False
    """With SKIPPED_TO: the break starts only after some time."""


_LINE: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\[(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3})\] \[(\w+)\] {1,2}(.*)", re.DOTALL
)
_LATER: Final = re.compile(rb"Stretchly: skipping to (Mini|Long) [Bb]reak in \S+ms")
"""Stretchly 1.10 and later."""
_SKIPPING: Final = b"Stretchly: skipping to "
_OPEN_ENDED: Final = (
    _SKIPPING,
    b"Stretchly: pausing breaks ",
    b"Stretchly: resuming breaks",
    b"Stretchly: closing current and pausing breaks ",
)
_NOT_STARTED: Final = re.compile(
    rb"Stretchly: (?:in natural break|(?:Mini|Long) [Bb]reak (already running)), not starting (Mini|Long) [Bb]reak"
)
OTHER: Final = Entry(Sign.OTHER)
"""The entry of every line that says nothing about breaks."""
GAP: Final = Entry(Sign.GAP)
_NEWER: Final = Entry(Sign.OTHER, names_kind=True)


def read_line(line: bytes) -> Entry | None:
    """What this line means; it may still have its line end. None for a line that does not have the form of electron-log's
    lines, such as the second line of an error's stack.
    """
    line = line.rstrip(b"\r\n")
    match = _LINE.fullmatch(line)
    if match is None:
        return GAP if line == CROPPED else None
    stamp, level, text = match.groups()
    meaning = _meaning(level, text)
    if meaning is OTHER or meaning is _NEWER:
        return meaning
    try:
        at = datetime.fromisoformat(stamp.decode("ascii"))
    except ValueError:  # It has the form of a date but is none, such as month 13.
        return None
    return Entry(meaning.sign, at, meaning.kind, meaning.names_kind, meaning.later)


def _meaning(level: bytes, text: bytes) -> Entry:
    """What a line of this level with this text means; the stamp is left out."""
    if level == b"info":
        if (known := _TEXTS.get(text)) is not None:
            return known
        if text.startswith(_OPEN_ENDED):
            later = _LATER.fullmatch(text)
            if later is not None:
                return Entry(Sign.SKIPPED_TO, None, _kind(later[1]), names_kind=True, later=True)
            return OTHER if text.startswith(_SKIPPING) else Entry(Sign.UNPLANNED)
    elif level == b"warn" and (not_started := _NOT_STARTED.fullmatch(text)):
        running, kind = not_started.groups()
        return Entry(Sign.ALREADY_RUNNING if running else Sign.UNPLANNED, None, _kind(kind))
    return OTHER


def _kind(name: bytes) -> Kind:
    return Kind(name.decode("ascii").lower())


def _texts() -> Iterator[tuple[str, Sign, Kind | None, bool]]:
    for kind in Kind:
        # "break" in small letters came with 1.19 or 1.20.
        for noun, newer in (("Break", False), ("break", True)):
            name = f"{kind.capitalize()} {noun}"
            yield f"showing {name} notification", Sign.PLANNED, kind, newer
            # 1.1 to 1.7 write "Mini Break" for a long one too.
            yield f"starting {name}", Sign.STARTED, kind, newer or kind is Kind.LONG
            yield f"finishing {name}", Sign.FINISHED, kind, newer
            # 1.11 and later; without a next break only when an application closes this one.
            yield f"finishing {name} (shouldPlanNext: true)", Sign.FINISHED, kind, True
            yield f"finishing {name} (shouldPlanNext: false)", Sign.EXCLUDED, kind, True
            yield f"postponing {name}", Sign.POSTPONED, kind, newer
            yield f"skipping to {name}", Sign.SKIPPED_TO, kind, newer
            # 1.16 and later.
            yield f"{name} window loaded", Sign.OTHER, None, True
    yield "ready-to-show fired", Sign.OTHER, None, True
    yield "reseting breaks", Sign.RESET, None, False
    # 1.10 and later. `resetting breaks by shortcut` comes before it and closes nothing.
    yield "resetting breaks", Sign.RESET, None, True
    # 1.6 and later; `reinitializing...` is no start.
    yield "initializing...", Sign.APP_STARTED, None, False
    # 1.1 to 1.5.
    yield "loading settings", Sign.APP_STARTED, None, False
    yield "creating settings file", Sign.APP_STARTED, None, False


_TEXTS: Final = {
    f"Stretchly: {text}".encode(): _NEWER if sign is Sign.OTHER else Entry(sign, None, kind, names_kind)
    for text, sign, kind, names_kind in _texts()
}
