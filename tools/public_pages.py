"""The pages of docs/reference on the names that a plugin may import."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from typing import TYPE_CHECKING, Final

from public_names import entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType

    from public_names import Entry, Member

API: Final = {
    "hookspecs": "Marking a plugin",
    "kinds": "What a plugin supplies",
    "kinds.hosts": "Hosts",
    "kinds.agents": "Agents",
    "kinds.judges": "Policies, break sources, observers",
    "kinds.setup": "Installers and checks",
    "kinds.trials": "Places to try agents out",
    "kinds.context": "What it is given",
    "model": "Values",
    "model.panes": "Values of hosts",
    "model.agents": "Values of agents",
    "model.requests": "Requests and deliveries",
    "model.holds": "Breaks and holds",
    "model.policies": "Values of policies",
    "model.decisions": "Decisions",
    "model.check_results": "Results of checks",
    "errors": "Errors",
    "transports": "Transports to subclass",
    "detectors": "Detectors to subclass",
    "effects": "Reaching the world",
    "installing": "Files in other programs' folders",
    "client.installing": "The client that hooks run",
    "programs": "Agents by their command line",
    "scheduling": "Jobs and schedulers",
    "words.durations": "Durations on the command line",
    "stopping": "Being asked to stop",
    "state.hellos": "Status files",
    "state.names": "Names of sessions",
}
TESTING: Final = {
    "contracts": "Contract suites",
    "builders": "Builders",
    "context": "Surroundings",
    "fake_host": "A host",
    "fake_agent": "An agent",
    "memory": "A world in memory",
    "memory_files": "Its disk",
    "memory_sockets": "Its sockets",
    "faults": "Faults",
    "fake_schedulers": "Schedulers",
    "until": "Waiting",
}
"""The sections of the two pages, by the module that a name is at home in."""


def page(package: ModuleType, titles: Mapping[str, str]) -> Iterator[str]:
    """An index of all names, then a section for each module that is the home of some."""
    names = [name for name in package.__all__ if not name.startswith("__")]
    yield " · ".join(f"[`{name}`](#{name.lower()})" for name in names) + "\n"
    for module, title in titles.items():
        yield f"## {title}\n\n{_prose(import_module(f'{package.__name__}.{module}').__doc__)}\n"
        for entry in entries(package, module):
            yield from _shown(entry)


def fixtures(plugin: ModuleType) -> Iterator[str]:
    """A row for each fixture of a pytest plugin."""
    yield "| fixture | type | what it is |\n|---|---|---|"
    for node in ast.parse(inspect.getsource(plugin)).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            type_ = ast.unparse(node.returns) if node.returns else ""
            yield f"| `{node.name}` | `{type_}` | {_cell(ast.get_docstring(node))} |"


def _shown(entry: Entry) -> Iterator[str]:
    yield f"### `{entry.name}`\n\n```python\n{entry.declaration}\n```\n\n{_prose(entry.meaning)}\n"
    values = [member for member in entry.members if not member.called]
    if values:
        yield _table(values)
    methods = [member for member in entry.members if member.called]
    if methods:
        yield (
            "\n".join(f"- `{member.name}{member.type}`: {_line(member.meaning)}" for member in methods) + "\n"
        )
    if entry.promises:
        yield "Its tests:\n\n" + "\n".join(f"- {promise}" for promise in entry.promises) + "\n"


def _table(values: Sequence[Member]) -> str:
    """Without the columns that would be empty."""
    columns = {
        "name": [_code(value.name) for value in values],
        "type": [_code(value.type) for value in values],
        "default": [_code(value.default) for value in values],
        "meaning": [_cell(value.meaning) for value in values],
    }
    kept = {title: cells for title, cells in columns.items() if any(cells)}
    rows = [tuple(kept), ("---",) * len(kept), *zip(*kept.values(), strict=True)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|") if text else ""


def _cell(text: str | None) -> str:
    return _line(text).replace("|", "\\|")


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _prose(text: str | None) -> str:
    """A docstring as Markdown: what it says of each parameter becomes a list."""
    return re.sub(r"^:param (\w+):", r"- `\1`:", inspect.cleandoc(text or ""), flags=re.MULTILINE)
