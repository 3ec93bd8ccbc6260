"""`attention config`: check the settings, show each value with its origin, print the JSON schema."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from ..app import App
    from ..settings import Configuration, Examination

DEFAULT = "default"


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "config",
        help=summary,
        description="The settings: the file, the environment, and what the enabled plugins add.",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    _add(
        actions,
        "check",
        check,
        "say what is in force, and every mistake; exits 2 if there is one, 1 if an enabled plugin is broken",
    )
    show_parser = _add(actions, "show", show, "every setting with its value and where it comes from")
    show_parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    _add(
        actions,
        "schema",
        schema,
        "JSON schema of the settings file, with the settings of the enabled plugins; for editors",
    )


def _add(
    actions: Any, name: str, run: Callable[[argparse.Namespace, App], int], summary: str
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
    )
    parser.set_defaults(run=run, looks=True)
    return parser


def check(arguments: argparse.Namespace, app: App) -> int:
    """Raises SettingsError with all mistakes;
    a plugin that is not installed is one, one that is broken is not.
    """
    from ..settings import SettingsError, unknown_environment

    found = app.examine()
    broken = found.broken_plugins()
    for status, problem in broken:
        if status.installed:
            print(f"attention: {problem}", file=sys.stderr)
    mistakes = [problem for status, problem in broken if not status.installed]
    if mistakes or found.settings is None:
        raise SettingsError([*mistakes, *found.mistakes])
    configuration = found.configuration(app.report)
    for line in _in_force(configuration):
        print(line)
    for warning in (*configuration.warnings(), *unknown_environment(app.effects.environment)):
        print(f"warning: {warning}")
    return 1 if broken else 0


def show(arguments: argparse.Namespace, app: App) -> int:
    from ..settings import SettingsError

    found = app.examine()
    if found.settings is None:
        raise SettingsError(found.mistakes)
    rows = list(_values(found))
    document = found.layers.document
    if arguments.json:
        entries = [{"key": key, "value": value, "origin": origin} for key, value, origin in rows]
        print(
            json.dumps(
                {"v": 1, "file": str(document.path), "found": document.found, "settings": entries},
                ensure_ascii=False,
            )
        )
        return 0
    print(f"# {document.path}" + ("" if document.found else " (not there)"))
    for key, value, origin in rows:
        print(f"{key} = {json.dumps(value, ensure_ascii=False)}  # {origin}")
    return 0


def schema(arguments: argparse.Namespace, app: App) -> int:
    from ..settings import json_schema

    found = app.examine()
    for _, problem in found.broken_plugins():
        print(f"attention: {problem}", file=sys.stderr)
    print(json.dumps(json_schema(found.model), indent=2, ensure_ascii=False))
    return 0


def _in_force(configuration: Configuration) -> Iterator[str]:
    settings, document = configuration.settings, configuration.layers.document
    yield (
        f"settings: {document.path}" if document.found else f"settings: defaults; there is no {document.path}"
    )
    for variable in configuration.layers.variables:
        yield f"environment: {variable}"
    yield f"plugins: {_names(configuration.plugins.enabled)}"
    yield f"hosts: {_names(settings.focus.sources)}"
    yield f"break sources: {_names(settings.breaks.sources)}"
    for name, agent in configuration.agents.items():
        ways = f"asked by {_names(agent.transport)}; seen by {_names(agent.detector)}"
        yield f"agent {name}: {ways}; while {_names(agent.statuses)}"
    yield f"policies: {_names(entry.use for entry in settings.policy)}"


def _values(found: Examination) -> Iterator[tuple[str, Any, str]]:
    from ..settings import dotted

    values = found.settings.model_dump(mode="json") if found.settings else {}
    for path, value in _leaves(values, ()):
        yield dotted(path), value, found.layers.origin(path) or DEFAULT


def _leaves(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from _leaves(below, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for index, below in enumerate(value):
            yield from _leaves(below, (*path, index))
    elif value != {}:  # A strategy without settings says nothing.
        yield path, value


def _names(names: Any) -> str:
    return ", ".join(names) or "none"
