"""Throw-away plugins on the path, and an environment that is nobody's."""

from __future__ import annotations

import importlib
import itertools
import os
import sys
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GROUP = "attention_framework.plugins"


class Distributions:
    """Makes installed distributions with one plugin each:
    a module, and the metadata that an installer writes.

    No two modules of a test run have the same name: one that hangs in its import keeps the lock of its name.
    """

    _numbers = itertools.count()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modules: list[str] = []

    def add(
        self, name: str, source: str, *, distribution: str = "", version: str = "1.0", module: str = ""
    ) -> Path:
        """Install a plugin and return the path of its module."""
        module = module or f"throw_away_{name}_{next(self._numbers)}"
        distribution = distribution or f"attention-{name.replace('_', '-')}"
        self.modules.append(module)
        path = self.folder / f"{module}.py"
        path.write_text(dedent(source), encoding="utf-8")
        self.describe(name, module, distribution, version)
        return path

    def describe(self, name: str, module: str, distribution: str, version: str = "1.0") -> None:
        info = self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n", encoding="utf-8"
        )
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {module}\n", encoding="utf-8")
        self.forget()

    def forget(self) -> None:
        """What a new process would know nothing of."""
        from stevedore import _cache
        from stevedore.extension import ExtensionManager

        ExtensionManager.ENTRY_POINT_CACHE.clear()
        _cache._c._internal.clear()
        importlib.invalidate_caches()


@pytest.fixture
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of nobody's: no settings, no caches, no variables of ours."""
    home = tmp_path / "home"
    for variable, folder in {
        "HOME": "",
        "XDG_CACHE_HOME": "cache",
        "XDG_CONFIG_HOME": "config",
        "XDG_STATE_HOME": "state",
    }.items():
        monkeypatch.setenv(variable, str(home / folder))
    for variable in [name for name in os.environ if name.startswith("ATTENTION_")]:
        monkeypatch.delenv(variable)
    if sys.platform == "win32":  # It asks the system for the folder, not the environment.
        monkeypatch.setattr("platformdirs.user_config_path", lambda *names, **_: home / "config" / names[0])
    home.mkdir()
    return home


@pytest.fixture
def distributions(nobody: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Distributions]:
    """The only plugins that are installed are those that the test adds."""
    from stevedore import _cache

    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(_cache._c, "_dir", str(nobody / "cache" / "entry-points"))
    monkeypatch.setattr(_cache._c, "_disable_caching", False)
    _hide_installed_plugins(monkeypatch)
    monkeypatch.syspath_prepend(str(folder))
    made = Distributions(folder)
    made.forget()
    yield made
    for module in made.modules:
        sys.modules.pop(module, None)
    made.forget()


def _hide_installed_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The project's own plugins are installed where its tests run."""
    import importlib.metadata as metadata

    def without_ours(**wanted: str) -> metadata.EntryPoints:
        every = [entry for distribution in metadata.distributions() for entry in distribution.entry_points]
        left = [entry for entry in every if entry.group != GROUP or entry.value.startswith("throw_away_")]
        return metadata.EntryPoints(left).select(**wanted)

    monkeypatch.setattr(metadata, "entry_points", without_ours)
