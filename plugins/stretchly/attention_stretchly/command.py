"""The command `attention stretchly breaks`."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from .values import LoggedBreak

SUMMARY: Final = "what Stretchly's log tells of screen breaks"


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subcommands.add_parser(
        "stretchly", help=SUMMARY, description="What Stretchly's log tells of screen breaks."
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    breaks = actions.add_parser(
        "breaks",
        help="the breaks in a log: when each began, when and how it ended",
        description=(
            "The breaks in logs of Stretchly (main.log), of any version. What Stretchly has moved to "
            "main.old.log beside it is read first. Ends with 1 when a log could not be read in full; "
            "the others are shown all the same."
        ),
    )
    breaks.add_argument("logs", nargs="+", metavar="LOG", help="a log, such as main.log")
    breaks.add_argument(
        "--json", action="store_true", help="one JSON object: name of the file -> list of its breaks"
    )
    breaks.set_defaults(run=lambda arguments, app: run(arguments.logs, as_json=arguments.json))


def run(logs: Sequence[str], *, as_json: bool) -> int:
    """Print the breaks in these logs. Returns the exit code: 0 if every log was read in full, 1 if not."""
    from .report import json_text, table_text

    found: dict[str, list[LoggedBreak]] = {}
    failed = False
    names = _names(logs)
    for path in _without_old_ones([Path(log) for log in logs]):
        breaks, problem = _read(path)
        if breaks is not None:
            found[names[str(path)]] = breaks
        if problem:
            failed = True
            print(f"attention: {path}: {problem}", file=sys.stderr)
    if found or as_json:
        print(json_text(found) if as_json else table_text(found))
    return 1 if failed else 0


def _read(path: Path) -> tuple[list[LoggedBreak] | None, str]:
    """The breaks of one log, and what is wrong with it. The breaks are None if it could not be read; the text is empty if
    nothing is wrong.
    """
    from .reader import BreakReader, read_breaks

    reader = BreakReader(path)
    try:
        if path.is_dir():
            return None, "is a folder; name the log in it, main.log for instance"
        size = path.stat().st_size
        breaks = read_breaks(reader)
    except FileNotFoundError:
        return None, "there is no such file"
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"
    if size and not reader.recognized:
        return None, "no line of it is one of Stretchly's log"
    if reader.skipped:
        return breaks, "is too long for a log of Stretchly: only its last 16 MiB were read"
    return breaks, ""


def _names(logs: Sequence[str]) -> dict[str, str]:
    """What to call each log, by its path: the name of the file, or the whole path if another log has the same name."""
    paths = {str(Path(log)) for log in logs}
    count = Counter(Path(path).name for path in paths)
    return {path: path if count[Path(path).name] > 1 else Path(path).name for path in paths}


def _without_old_ones(paths: Sequence[Path]) -> list[Path]:
    """Each path once, without every `main.old.log` whose `main.log` is named too: that is read together with it."""
    from .tail import old_name

    read_anyway = {old_name(path) for path in paths if path.is_file()}
    return [path for path in dict.fromkeys(paths) if path not in read_anyway]
