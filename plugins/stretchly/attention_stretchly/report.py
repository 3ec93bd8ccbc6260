"""Breaks as text, for people and for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from .values import EndedBy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from .values import LoggedBreak

HEADER: Final = ("kind", "start", "end", "lasted", "ended by")
UNKNOWN: Final = "?"


def json_text(found: Mapping[str, Sequence[LoggedBreak]]) -> str:
    """One JSON object: name of the file -> list of its breaks, each `{kind, start, end, ended_by}`. Times are times of day, or
    null if unknown.
    """
    listed = {name: [_values(each) for each in breaks] for name, breaks in found.items()}
    return json.dumps(listed, indent=1, ensure_ascii=False)


def table_text(found: Mapping[str, Sequence[LoggedBreak]]) -> str:
    return "\n\n".join(f"{name}\n{_table(breaks)}" for name, breaks in found.items())


def _values(each: LoggedBreak) -> dict[str, str | None]:
    return {
        "kind": each.kind.value,
        "start": _time_of_day(each.start),
        "end": _time_of_day(each.end),
        "ended_by": each.ended_by.value,
    }


def _table(breaks: Sequence[LoggedBreak]) -> str:
    if not breaks:
        return "  no breaks"
    rows = [HEADER, *map(_row, breaks)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _row(each: LoggedBreak) -> tuple[str, str, str, str, str]:
    start = each.start.isoformat(" ", "milliseconds") if each.start else UNKNOWN
    end = "" if each.ended_by is EndedBy.OPEN else _time_of_day(each.end) or UNKNOWN
    return each.kind.value, start, end, _lasted(each), each.ended_by.value


def _lasted(each: LoggedBreak) -> str:
    """The duration of the break; empty if it is not known, or if the clock was set back during the break."""
    if each.start is None or each.end is None or each.end < each.start:
        return ""
    return f"{(each.end - each.start).total_seconds():.1f} s"


def _time_of_day(stamp: datetime | None) -> str | None:
    return stamp.time().isoformat("milliseconds") if stamp else None
