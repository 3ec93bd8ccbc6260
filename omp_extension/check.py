#!/usr/bin/env python3
"""Check the OMP extension: its tests, its types against OMP's own, and that it is complete without OMP.

    python3 omp_extension/check.py                        with the programs that tools/provision.py provides
    python3 omp_extension/check.py --node-modules DIR     with those in DIR: bun, typescript, the types of bun and OMP
    python3 omp_extension/check.py --only types           one of: tests, types, bundle, mutants

`mutants` (not run by default) breaks one rule of the protocol after another and sees the tests turn red.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent
PARTS = ("src", "tests", "package.json", "tsconfig.json")
VECTORS = Path("tests", "vectors")


def main(argv: Sequence[str] | None = None) -> int:
    checks: dict[str, Callable[[Path], int]] = {
        "tests": run_tests,
        "types": check_types,
        "bundle": check_bundle,
        "mutants": run_mutants,
    }
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--node-modules", type=Path, metavar="DIR", help="the node_modules folder to use")
    parser.add_argument(
        "--only", action="append", choices=sorted(checks), help="run this check alone; may be repeated"
    )
    options = parser.parse_args(argv)
    modules = options.node_modules.resolve() if options.node_modules else provided()
    failed = [
        name
        for name in options.only or ("tests", "types", "bundle")
        if not passes(name, checks[name], modules)
    ]
    return 1 if failed else 0


def passes(name: str, check: Callable[[Path], int], modules: Path) -> bool:
    good = check(modules) == 0
    print(f"omp_extension {name}: {'passed' if good else 'FAILED'}", flush=True)
    return good


def provided() -> Path:
    command = [sys.executable, str(CHECKOUT / "tools" / "provision.py"), "--json", "extension"]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=False)
    if found.returncode:
        raise SystemExit(
            "omp_extension: bun and TypeScript could not be provided (see above); give a folder with --node-modules"
        )
    return Path(json.loads(found.stdout)["extension"])


def run_tests(modules: Path) -> int:
    return bun(modules, ["test", "--only-failures"], HERE)


def run_mutants(modules: Path) -> int:
    return bun(modules, [str(HERE / "tests" / "mutants.ts")], HERE)


def check_types(modules: Path) -> int:
    """In a copy that has the modules beside it: TypeScript looks for them only in the folders above the source."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, HERE.name)
        copy_sources(copy)
        Path(scratch, "node_modules").symlink_to(modules, target_is_directory=True)
        return bun(modules, [str(modules / "typescript" / "lib" / "tsc.js"), "--project", "."], copy)


def copy_sources(copy: Path) -> None:
    copy.mkdir()
    for part in PARTS:
        copier = shutil.copytree if (HERE / part).is_dir() else shutil.copyfile
        copier(HERE / part, copy / part)
    shutil.copytree(CHECKOUT / VECTORS, copy.parent / VECTORS)


def check_bundle(modules: Path) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, "bundle.js")
        build = [
            "build",
            "src/index.ts",
            "--target",
            "bun",
            "--external",
            "@oh-my-pi/*",
            "--outfile",
            str(target),
        ]
        return bun(modules, build, HERE)


def bun(modules: Path, arguments: Sequence[str], folder: Path) -> int:
    program = shutil.which("bun", path=str(modules / ".bin"))
    if program is None:
        raise SystemExit(f"omp_extension: there is no bun in {modules / '.bin'}")
    # Where a module is missing bun would fetch it; an address where nobody answers makes that an error.
    environment = {**os.environ, "BUN_CONFIG_REGISTRY": "http://127.0.0.1:9/"}
    return subprocess.run([program, *arguments], cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
