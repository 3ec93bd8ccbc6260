"""Programs from the system's package manager, installed where this run may do it and explained where it may not."""

from __future__ import annotations

import os
import shutil
import sys

from .commands import Unavailable, run

# Another apt may be at work: wait for it instead of failing.
APT = ("apt-get", "-q", "-o", "DPkg::Lock::Timeout=600", "-o", "Acquire::Retries=3")


def may_install() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def need_program(program: str, packages: tuple[str, ...], elsewhere: str) -> str:
    """The path of `program`; installs Debian's `packages` first where it is missing and this run is root on Debian."""
    if path := shutil.which(program):
        return path
    if not may_install():
        raise Unavailable(f"{program} is missing: {elsewhere}")
    install(packages)
    if path := shutil.which(program):
        return path
    raise Unavailable(f"{program} is still missing after apt-get installed {' '.join(packages)}")


def install(packages: tuple[str, ...]) -> None:
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run([*APT, "update"], env=env, tries=3)
    run([*APT, "install", "-y", "--no-install-recommends", *packages], env=env, tries=3)
