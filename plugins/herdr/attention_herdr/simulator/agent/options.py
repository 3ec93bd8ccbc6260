"""The command line of the simulated agent."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="attention_herdr.simulator.agent",
        description="A simulated coding agent for a pane of the simulated Herdr.",
        epilog="Typed with Enter: /pause, /new, /exit. F12 looks into the mailbox, Ctrl+Alt+P pauses, Ctrl+G opens $EDITOR.",
    )
    add = parser.add_argument
    add(
        "--state",
        type=Path,
        default=_path("ATTENTION_STATE"),
        help="the state folder (default: $ATTENTION_STATE)",
    )
    add(
        "--runner",
        type=_argv,
        default=None,
        help="argv that starts the controller, as a JSON list (default: $ATTENTION_RUNNER)",
    )
    add("--no-runner", action="store_true", help="wake nobody")
    add("--record", type=Path, help="folder for work.jsonl, agent.jsonl, prompts.jsonl and draft.txt")
    add(
        "--busy-ms",
        type=int,
        default=0,
        help="work this long from the start on, counted in whole calls; -1: for ever",
    )
    add("--call-ms", type=int, default=50, help="how long a call takes")
    add("--calls-per-prompt", type=int, default=3)
    add("--draft", default="", help="what stands in the editor at the start")
    add("--dialog", metavar="TEXT", help="a dialog owns the keys until Enter")
    add("--title", default="agent", help="what the terminal title says")
    add("--conversation", help="its file (default: made up)")
    add("--columns", type=int, default=int(os.environ.get("COLUMNS") or 80))
    add("--lines", type=int, default=int(os.environ.get("LINES") or 24))
    add(
        "--without-extension",
        action="store_true",
        help="no mailbox, no keys of ours, no focus reports: only a typed /pause works",
    )
    add("--without-integration", action="store_true", help="tell Herdr neither state nor conversation")
    add("--without-focus-reports", action="store_true")
    add("--unsupported", metavar="WHY", help="say hello as an agent that cannot be paused")
    add("--deaf", action="store_true", help="say hello and never look into the mailbox")
    add("--leaky", action="store_true", help="pause on the screen alone: the work goes on")
    add("--not-painted", type=int, default=0, metavar="N", help="the first N pause screens do not appear")
    add("--watch-ms", type=int, default=20, help="how often the mailbox folder is looked at; 0: not at all")
    add("--poll-ms", type=int, default=2_000, help="a look in any case")
    add(
        "--die-at",
        choices=("claimed", "engaged", "shown", "acknowledged", "published"),
        help="end without a word at this step of a request",
    )
    options = parser.parse_args(argv)
    if options.runner is None and not options.no_runner and os.environ.get("ATTENTION_RUNNER"):
        options.runner = _argv(os.environ["ATTENTION_RUNNER"])
    if options.state is None and not options.without_extension:
        parser.error("--state or ATTENTION_STATE is needed, or --without-extension")
    return options


def _argv(text: str) -> list[str]:
    argv = json.loads(text)
    if not isinstance(argv, list) or not argv or not all(isinstance(word, str) for word in argv):
        raise argparse.ArgumentTypeError("a JSON list of words")
    return argv


def _path(name: str) -> Path | None:
    value = os.environ.get(name)
    return Path(value) if value else None
