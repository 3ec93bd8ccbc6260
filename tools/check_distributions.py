"""Build every distribution as a release does (sdist, then the wheel from it), look at what the wheels install, run each
one's tests there, and try what `attention plugins new` makes.

    python tools/check_distributions.py                 build and check
    python tools/check_distributions.py --keep DIR      and leave what was built in DIR
    python tools/check_distributions.py --built DIR     check what lies there, and build nothing
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

from installed_tests import check_tests
from provisioning.commands import run
from provisioning.editable import CONSTRAINTS
from scaffolds import check_scaffolds
from windows.project import Distribution, distributions

NEEDED_IN_WHEELS = {
    "attention-framework": "attention_framework/scaffold/templates/common/pyproject.toml.tmpl",
    "attention-omp-keys": "attention_omp_keys/extension/index.ts",
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave what was built there")
    parser.add_argument("--built", type=Path, metavar="DIR", help="take the wheels from there")
    options = parser.parse_args()
    found = distributions()
    with tempfile.TemporaryDirectory() as folder:
        if options.built:
            wheels = [built(distribution, options.built) for distribution in found]
        else:
            wheels = [build(distribution, Path(folder)) for distribution in found]
        if options.keep:
            keep(wheels, Path(folder), options.keep)
        problems = [problem for pair in zip(found, wheels, strict=True) for problem in check_wheel(*pair)]
        if not problems:
            problems = check_installed(found, wheels, Path(folder))
    print(
        "\n".join(problems)
        or f"{len(found)} distributions build and install; there they pass their tests, and so do new plugins"
    )
    return 1 if problems else 0


def build(distribution: Distribution, folder: Path) -> Path:
    """pip makes no sdist, so the build backend is asked for it; pip then builds the wheel from that alone."""
    script = "import sys; from hatchling.build import build_sdist; print(build_sdist(sys.argv[1]))"
    command = [sys.executable, "-c", script, str(folder)]
    done = subprocess.run(command, cwd=distribution.folder, capture_output=True, text=True, check=True)
    sdist = folder / done.stdout.split()[-1]
    target = folder / distribution.name
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    run([*pip, "-w", str(target), str(sdist)])
    return next(target.glob("*.whl"))


def built(distribution: Distribution, folder: Path) -> Path:
    name = f"{distribution.name.replace('-', '_')}-{distribution.version}-*.whl"
    wheels = list(folder.resolve().glob(name))
    if len(wheels) != 1:
        raise SystemExit(f"{folder} has {len(wheels)} files {name}, and one is expected")
    return wheels[0]


def keep(wheels: list[Path], folder: Path, target: Path) -> None:
    """Nothing else may lie there: a release publishes the folder as it is."""
    target.mkdir(parents=True, exist_ok=True)
    if stray := [path.name for path in target.iterdir()]:
        raise SystemExit(f"{target} is not empty: {', '.join(sorted(stray))}")
    for path in [*folder.glob("*.tar.gz"), *wheels]:
        shutil.copy2(path, target)


def check_wheel(distribution: Distribution, wheel: Path) -> list[str]:
    package = distribution.name.replace("-", "_")
    needed = [f"{package}/__init__.py", f"{package}/py.typed"]
    needed += [NEEDED_IN_WHEELS[distribution.name]] if distribution.name in NEEDED_IN_WHEELS else []
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    top = {name.split("/")[0] for name in names}
    stray = top - {package} - {name for name in top if name.endswith(".dist-info")}
    missing = [f"{wheel.name} lacks {name}" for name in needed if name not in names]
    return missing + [f"{wheel.name} has {name}, which is not its own" for name in sorted(stray)]


def check_installed(found: list[Distribution], wheels: list[Path], folder: Path) -> list[str]:
    """With the packages from elsewhere that this environment has, in an environment of their own."""
    venv.EnvBuilder(with_pip=False, symlinks=sys.platform != "win32").create(folder / "venv")
    python = next(
        path for name in ("bin/python", "Scripts/python.exe") if (path := folder / "venv" / name).exists()
    )
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    run([*pip, "-c", str(CONSTRAINTS), *map(str, wheels)], tries=3)
    problems = []
    for distribution in found:
        modules = [
            value.split(":")[0]
            for value in distribution.entry_points.get("attention_framework.plugins", {}).values()
        ]
        for module in [*modules, distribution.name.replace("-", "_")]:
            done = subprocess.run(
                [python, "-I", "-c", f"import {module}"],
                cwd=folder,
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                problems.append(f"{distribution.name}: import {module} failed when installed:\n{done.stderr}")
    return problems or check_tests(python, found, folder) or check_scaffolds(python, folder)


if __name__ == "__main__":
    sys.exit(main())
