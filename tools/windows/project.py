"""The checkout's distributions, as their pyproject files tell them, and how they are laid into a site-packages folder.

What is written is what an editable install leaves: a path file that names the source folders, and per
distribution a `dist-info` with its entry points, so that importlib.metadata finds the plugins.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from provisioning.editable import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Distribution:
    folder: Path
    name: str
    version: str
    requires: tuple[str, ...]
    entry_points: dict[str, dict[str, str]]


def distributions(checkout: Path = CHECKOUT) -> list[Distribution]:
    """The framework first, then its plugins."""
    files = [checkout / "pyproject.toml", *sorted(checkout.glob("plugins/*/pyproject.toml"))]
    return [_read(file) for file in files]


def _read(file: Path) -> Distribution:
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    project = data["project"]
    groups = {group: dict(entries) for group, entries in project.get("entry-points", {}).items()}
    if scripts := project.get("scripts"):
        groups["console_scripts"] = dict(scripts)
    version = project.get("version") or _version_in(file.parent / data["tool"]["hatch"]["version"]["path"])
    return Distribution(file.parent, project["name"], version, tuple(project.get("dependencies", ())), groups)


def _version_in(module: Path) -> str:
    match = re.search(r'^__version__ = "(.+)"$', module.read_text(encoding="utf-8"), re.MULTILINE)
    if match is None:
        raise ValueError(f"{module} sets no __version__")
    return match[1]


def outside_requirements(found: list[Distribution]) -> list[str]:
    """What they need from elsewhere: each other's names are left out."""
    own = {distribution.name for distribution in found}
    needed = {line for distribution in found for line in distribution.requires}
    return sorted(line for line in needed if re.split(r"[^A-Za-z0-9_.-]", line, maxsplit=1)[0] not in own)


def requirements_of_tests(checkout: Path = CHECKOUT) -> list[str]:
    data: dict[str, Any] = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    return list(data["dependency-groups"]["test"])


def lay_into(site_packages: Path, found: list[Distribution], path_of: dict[Path, str]) -> None:
    """Write the path file and the dist-info folders; `path_of` says how the other system calls a source folder."""
    site_packages.mkdir(parents=True, exist_ok=True)
    lines = [path_of[distribution.folder] for distribution in found]
    _write_lines(site_packages / "attention_checkout.pth", lines)
    for distribution in found:
        folder = site_packages / f"{distribution.name.replace('-', '_')}-{distribution.version}.dist-info"
        folder.mkdir(exist_ok=True)
        _write_lines(folder / "METADATA", _metadata(distribution))
        _write_lines(folder / "INSTALLER", ["attention-checkout"])
        _write_lines(folder / "entry_points.txt", _entry_points(distribution))


def _metadata(distribution: Distribution) -> list[str]:
    head = ["Metadata-Version: 2.1", f"Name: {distribution.name}", f"Version: {distribution.version}"]
    return [*head, *(f"Requires-Dist: {line}" for line in distribution.requires)]


def _entry_points(distribution: Distribution) -> list[str]:
    lines = []
    for group, entries in distribution.entry_points.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    return lines


def _write_lines(file: Path, lines: list[str]) -> None:
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
