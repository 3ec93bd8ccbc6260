"""`attention plugins`: what is installed, selected and broken; `attention plugins new` makes a new one."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from .plugins_new import add_new_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..app import App
    from ..loading import PluginStatus


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "plugins",
        help=summary,
        description="Every plugin that is installed or enabled, with what it announces; what the settings select has a star.",
    )
    _add_json(parser, False)
    parser.set_defaults(run=run, looks=True)
    actions = parser.add_subparsers(title="actions", metavar="ACTION")
    listing = actions.add_parser("list", help="what is installed (the default)")
    # The same option as before the action, whose value it must not put back.
    _add_json(listing, argparse.SUPPRESS)
    add_new_parser(actions)


def _add_json(parser: argparse.ArgumentParser, default: Any) -> None:
    parser.add_argument("--json", action="store_true", default=default, help="one JSON object, for programs")


def run(arguments: argparse.Namespace, app: App) -> int:
    found = app.examine()
    configuration = found.configuration(app.report) if found.settings else None
    selected = {(kind, name) for kind, name, _ in configuration.selected()} if configuration else set()
    statuses = found.plugins.statuses()
    if arguments.json:
        print(
            json.dumps(
                {"v": 1, "plugins": [_entry(status, selected) for status in statuses]}, ensure_ascii=False
            )
        )
        return 0
    for status in statuses:
        for line in _lines(status, selected):
            print(line)
    if selected:
        print("*: selected by the settings")
    if not statuses:
        print("no plugin is installed")
    return 0


def _entry(status: PluginStatus, selected: set[tuple[str, str]]) -> dict[str, Any]:
    return {
        "name": status.name,
        "state": status.state.value,
        "distribution": status.distribution or None,
        "version": status.version or None,
        "module": status.target or None,
        "reason": status.reason or None,
        "fix": status.fix or None,
        "announces": [
            {"kind": kind, "name": name, "selected": (kind, name) in selected}
            for kind, name in status.announces
        ],
    }


def _lines(status: PluginStatus, selected: set[tuple[str, str]]) -> Iterator[str]:
    source = f"  {status.distribution} {status.version}" if status.distribution else ""
    yield f"{status.name:<16} {status.state.value:<10}{source}"
    if status.reason:
        yield f"    {status.reason}"
        yield f"    to mend it: {status.fix}"
    kinds: dict[str, list[str]] = {}
    for kind, name in status.announces:
        kinds.setdefault(kind, []).append(f"{name}*" if (kind, name) in selected else name)
    for kind, names in kinds.items():
        yield f"    {kind}: {', '.join(names)}"
