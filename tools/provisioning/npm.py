"""Pinned sets of npm packages, each in a folder of its own."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cache import cache_folder, install_once, named_by_content
from .commands import Unavailable, run
from .debian import need_program

if TYPE_CHECKING:
    from pathlib import Path

BUN = "1.4.5"
TYPESCRIPT = "5.9.3"
OMP = "18.2.3"
OMP_OLDEST = "18.1.16"
OMP_NEWEST = "18.3.4"
OMP_TOO_OLD = "17.3.5"

# Changes with how the packages are installed, so that folders made another way are not taken for the same.
RECIPE = "1"

NODE_ELSEWHERE = (
    "install Node.js 20 or newer, which brings npm (Debian and Ubuntu: `sudo apt-get install npm`; macOS: `brew install node`; "
    "Windows: `winget install OpenJS.NodeJS.LTS`)"
)


@dataclass(frozen=True, slots=True)
class Target:
    """How npm's packages call a platform."""

    bun: str
    natives: str


def this_target(system: str = sys.platform, machine: str = platform.machine()) -> Target:
    arm = machine.lower() in ("arm64", "aarch64")
    system = {"win32": "windows"}.get(system, system)
    bun = f"{system}-{'aarch64' if arm else 'x64'}"
    natives = f"{'win32' if system == 'windows' else system}-{'arm64' if arm else 'x64'}"
    return Target(bun, natives)


def bun_packages(target: Target) -> tuple[str, ...]:
    return (f"bun@{BUN}", f"@oven/bun-{target.bun}@{BUN}")


def omp_packages(version: str, target: Target) -> tuple[str, ...]:
    """OMP as it runs: what npm calls optional is left out, so its native part is asked for by name."""
    omp = (f"@oh-my-pi/pi-coding-agent@{version}", f"@oh-my-pi/pi-natives-{target.natives}@{version}")
    return (*omp, *bun_packages(target))


def extension_packages(target: Target) -> tuple[str, ...]:
    """What the extension is tested and typed with: OMP's types without the native part that would start it."""
    types = (f"@oh-my-pi/pi-coding-agent@{OMP}", f"typescript@{TYPESCRIPT}", f"@types/bun@{BUN}")
    return (*types, *bun_packages(target))


def folder_of(name: str, packages: tuple[str, ...]) -> Path:
    return cache_folder() / "npm" / named_by_content(name, RECIPE, *packages)


def install_packages(name: str, packages: tuple[str, ...], target: Target) -> Path:
    """The `node_modules` folder with exactly these packages."""

    def build(scratch: Path) -> None:
        npm = need_program("npm", ("nodejs", "npm"), NODE_ELSEWHERE)
        # A manifest of its own keeps npm from walking up to somebody else's.
        (scratch / "package.json").write_text(
            json.dumps({"name": "provisioned", "private": True}), encoding="utf-8"
        )
        run(
            [
                npm, "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--omit=optional",
                # The one install script among them links bun's binary: `link_bun` does it, whatever npm allows scripts.
                "--ignore-scripts", "--loglevel=error", *packages,
            ],
            cwd=scratch,
            env={**os.environ, "npm_config_update_notifier": "false"},
            tries=3,
        )  # fmt: skip
        link_bun(scratch / "node_modules", target)

    return install_once(folder_of(name, packages), build) / "node_modules"


def link_bun(node_modules: Path, target: Target) -> None:
    """Put the platform's bun where npm left a placeholder, as bun's own install script would."""
    suffix = ".exe" if target.bun.startswith("windows") else ""
    binary = node_modules / "@oven" / f"bun-{target.bun}" / "bin" / f"bun{suffix}"
    if not binary.is_file():
        raise Unavailable(f"the bun package for this platform has no {binary.name} at {binary}")
    for name in ("bun.exe", "bunx.exe"):
        placeholder = node_modules / "bun" / "bin" / name
        placeholder.unlink(missing_ok=True)
        os.link(binary, placeholder)
