"""`attention log`: the journal, for people and programs."""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

from ..words.durations import duration_s
from ..words.local_time import local_time

if TYPE_CHECKING:
    from ..app import App
    from ..journal_tail import Tail

FOLLOW_EVERY_MS = 500.0
QUIET = ("already-paused", "left-running")
"""Outcomes that change nothing; shown with --all."""


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "log",
        help=summary,
        description="The decisions of the last cycles with the milliseconds of their steps, from the journal.",
    )
    parser.add_argument("--pane", metavar="PANE", help="only decisions about this pane")
    parser.add_argument("--since", type=duration_s, metavar="TIME", help="only the last 30m, 2h, ...")
    parser.add_argument("--last", type=int, default=50, metavar="N", help="at most N lines (default 50)")
    parser.add_argument(
        "--all", action="store_true", help="also decisions that changed nothing, and coalesced wake-ups"
    )
    parser.add_argument("--follow", action="store_true", help="then go on with what comes, until interrupted")
    parser.add_argument("--json", action="store_true", help="the journal's own lines")
    parser.set_defaults(run=run, looks=True)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..journal_tail import Tail

    tail = Tail(app.effects.files, app.journal.paths)
    news = News()
    found = (entry for entry in tail.new() if news.wanted(entry, arguments, app.effects.clock.wall_ms()))
    last = deque(found, maxlen=max(0, arguments.last))
    for entry in last:
        _print(entry, arguments)
    if not last and not arguments.json and arguments.last > 0:
        print(_nothing(arguments, app))
    if arguments.follow:
        _follow(tail, news, arguments, app)
    return 0


def _nothing(arguments: argparse.Namespace, app: App) -> str:
    """What kept the lines of the journal from being shown."""
    everything = argparse.Namespace(**{**vars(arguments), "all": True})
    now_ms, there, quiet = app.effects.clock.wall_ms(), False, False
    for entry in app.journal.read():
        there = True
        quiet = quiet or wanted(entry, everything, now_ms)
    if not there:
        return "nothing was decided yet"
    about = f" about {arguments.pane}" if arguments.pane else ""
    since = " in that time" if arguments.since else ""
    return (
        f"nothing was decided{about}{since}{' that changed anything; --all shows the rest' if quiet else ''}"
    )


def _follow(tail: Tail, news: News, arguments: argparse.Namespace, app: App) -> None:
    """Until interrupted."""
    while True:
        sys.stdout.flush()
        app.effects.clock.sleep_ms(FOLLOW_EVERY_MS)
        for entry in tail.new():
            if news.wanted(entry, arguments, app.effects.clock.wall_ms()):
                _print(entry, arguments)


def _print(entry: dict[str, Any], arguments: argparse.Namespace) -> None:
    print(json.dumps(entry, ensure_ascii=False) if arguments.json else line(entry))


class News:
    """Leaves out what every cycle says anew as long as it stays so: that the person has waived a hold."""

    def __init__(self) -> None:
        self._waived: dict[tuple[str, str], str] = {}

    def wanted(self, entry: dict[str, Any], arguments: argparse.Namespace, now_ms: int) -> bool:
        if not wanted(entry, arguments, now_ms):
            return False
        if arguments.all or entry.get("outcome") != "waived":
            return True
        pane, reason = (str(entry.get("session")), str(entry.get("pane"))), str(entry.get("reason"))
        said, self._waived[pane] = self._waived.get(pane), reason
        return said != reason


def wanted(entry: dict[str, Any], arguments: argparse.Namespace, now_ms: int) -> bool:
    if arguments.since and _at_ms(entry) < now_ms - arguments.since * 1000:
        return False
    if arguments.pane and entry.get("pane") != arguments.pane:
        return False
    if arguments.all:
        return True
    if entry.get("type") == "cycle":
        return bool(entry.get("error"))
    return entry.get("type") == "hold" or entry.get("outcome") not in (*QUIET, "coalesced")


def line(entry: dict[str, Any]) -> str:
    """One entry for people. One that was written by another version is shown as it is."""
    try:
        stamp = local_time(_at_ms(entry))
        steps = [f"{step}={milliseconds:g}" for step, milliseconds in (entry.get("steps") or {}).items()]
        return f"{stamp}  {_story(entry)}" + (f"  [{' '.join(steps)} ms]" if steps else "")
    except (AttributeError, KeyError, OSError, OverflowError, TypeError, ValueError):
        return json.dumps(entry, ensure_ascii=False)


def _at_ms(entry: dict[str, Any]) -> float:
    at_ms = entry.get("at_ms")
    return at_ms if isinstance(at_ms, int | float) else 0


def _hold_story(entry: dict[str, Any]) -> str:
    what = f"hold {entry['change']:<9} {entry['run']} {entry['kind']}"
    by = f" by {entry['source']}" if entry.get("source") else ""
    panes = f" {', '.join(entry['panes'])}" if entry.get("panes") else ""
    why = f": {entry['why']}" if entry.get("why") else ""
    return f"{what}{by}{panes}{why}"


def _story(entry: dict[str, Any]) -> str:
    match entry.get("type"):
        case "decision":
            policy = f" by {entry['policy']}" if entry.get("policy") else ""
            what = f"{entry['outcome']:<14} {entry['pane']} {entry['agent']}{policy}"
            return f"{what}: {entry['reason']}; woken by {entry['trigger']}"
        case "hold":
            return _hold_story(entry)
        case "wake-up":
            return f"{entry['outcome']:<14} {entry['trigger']}"
        case "cycle":
            error = f"failed: {entry['error']}" if entry.get("error") else f"{entry['decisions']} decisions"
            return f"cycle {entry['cycle']} {error}; woken by {entry['trigger']}"
        case _:
            return json.dumps(entry, ensure_ascii=False)
