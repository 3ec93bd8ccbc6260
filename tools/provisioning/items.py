"""The things that can be asked for by name, and what is printed for each."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import npm
from .debian import may_install, need_program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TMUX_ELSEWHERE = (
    "install tmux 3.2 or newer (Debian and Ubuntu: `sudo apt-get install tmux`; macOS: `brew install tmux`)"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to provide: `provide` gives its path and installs it first where needed, `present` looks without installing."""

    what: str
    provide: Callable[[], Path | str]
    present: Callable[[], Path | str | None]


def _npm_item(name: str, what: str, packages: tuple[str, ...], result: str) -> Item:
    target = npm.this_target()

    def provide() -> Path:
        return npm.install_packages(name, packages, target).parent / result

    def present() -> Path | None:
        path = npm.folder_of(name, packages) / result
        return path if path.is_dir() else None

    return Item(what, provide, present)


def _omp(version: str, purpose: str) -> Item:
    packages = npm.omp_packages(version, npm.this_target())
    what = f"OMP {version} and bun, {purpose}: the folder of their programs"
    return _npm_item(f"omp-{version}", what, packages, "node_modules/.bin")


def _tmux() -> Item:
    return Item(
        "tmux: the program",
        lambda: need_program("tmux", ("tmux",), TMUX_ELSEWHERE),
        lambda: shutil.which("tmux"),
    )


def _systemd() -> Item:
    return Item(
        "systemd-analyze, which reads systemd's units: the program",
        lambda: need_program("systemd-analyze", ("systemd",), "it comes with systemd, on Linux alone"),
        lambda: shutil.which("systemd-analyze"),
    )


def _windows() -> Item:
    from windows import python

    return Item(python.WHAT, python.provide, python.present)


def items() -> dict[str, Item]:
    target = npm.this_target()
    return {
        "bun": _npm_item(
            "bun", "bun alone: the folder of its program", npm.bun_packages(target), "node_modules/.bin"
        ),
        "extension": _npm_item(
            "extension",
            "bun, TypeScript, and the types of bun and OMP: the node_modules folder",
            npm.extension_packages(target),
            "node_modules",
        ),
        "omp": _omp(npm.OMP, "the version that is tested in full"),
        "omp-oldest": _omp(npm.OMP_OLDEST, "the oldest supported"),
        "omp-newest": _omp(npm.OMP_NEWEST, "the newest known"),
        "omp-too-old": _omp(npm.OMP_TOO_OLD, "too old to be supported"),
        "systemd": _systemd(),
        "tmux": _tmux(),
        "windows": _windows(),
    }


def how_to_get(*names: str) -> str:
    """The command that provides them, as a person types it in the checkout."""
    elsewhere = [name for name in names if name == "tmux" and not may_install()]
    here = [name for name in names if name not in elsewhere]
    command = [f"python3 tools/provision.py {' '.join(here)}"] if here else []
    return "; ".join([*(TMUX_ELSEWHERE for _ in elsewhere), *command])
