"""The files of a new package, from the templates beside this module."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from string import Template
from typing import TYPE_CHECKING, Final

from .. import __version__
from ..loading.entry_points import OURS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from .names import Names

KINDS: Final = {
    "agent": "an agent: its kind, a transport that presses its pause key, a detector that reads its screen",
    "host": "a host: a focus source and pane control over the host's command line",
    "break-source": "a break source: a screen break that another program announces in a file",
    "policy": "a policy: a judge of which agents may run",
    "observer": "an observer: is told what was decided",
}
"""What can be made, with the line that the help shows."""

_HOOKS = {
    "agent": ("an agent", "agents.{strategy}", ""),
    "host": ("a host", "focus", 'sources = ["{strategy}"]'),
    "break-source": ("a break source", "breaks", 'sources = ["{strategy}"]'),
    "policy": ("a policy", "[policy]", 'use = "{strategy}"'),
    "observer": ("an observer", "strategy.{strategy}", 'outcomes = ["paused", "not-confirmed"]'),
}
_SUFFIX = ".tmpl"
_PACKAGE = "package"
"""The folder in the templates that gets the package's name."""


def package_files(kind: str, names: Names) -> dict[PurePosixPath, str]:
    """Content by path below the package's folder. `kind` is one of KINDS."""
    values = _values(kind, names)
    return {
        _named(path, names): Template(text).substitute(values)
        for folder in ("common", kind)
        for path, text in _templates(folder)
    }


def settings_example(kind: str, names: Names) -> str:
    """What selects the strategy in a settings file."""
    _, table, line = _HOOKS[kind]
    plugins = f"plugins = {json.dumps([*OURS, names.plugin])}"
    if not line:
        return plugins
    return "\n".join((plugins, "", f"[{table}]", line)).format(strategy=names.strategy)


def _values(kind: str, names: Names) -> dict[str, str]:
    major, minor = __version__.split(".")[:2]
    return {
        "strategy": names.strategy,
        "plugin": names.plugin,
        "package": names.package,
        "distribution": names.distribution,
        "cls": names.cls,
        "a_kind": _HOOKS[kind][0],
        "framework": f"attention-framework>={major}.{minor},<{major}.{int(minor) + 1}",
        "settings_example": settings_example(kind, names),
    }


def _named(path: PurePosixPath, names: Names) -> PurePosixPath:
    parts = [names.package if part == _PACKAGE else part for part in path.parts]
    return PurePosixPath(*parts).with_name(parts[-1].removesuffix(_SUFFIX))


def _templates(folder: str) -> Iterator[tuple[PurePosixPath, str]]:
    from importlib.resources import files

    yield from _below(files(__package__) / "templates" / folder, PurePosixPath())


def _below(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _below(entry, path / entry.name)
        elif entry.name.endswith(_SUFFIX):
            yield path / entry.name, entry.read_text(encoding="utf-8")
