from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from provisioning import checks, commands, npm
from provisioning.items import Item, items

TOOLS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("system", "machine", "bun", "natives"),
    [
        ("linux", "x86_64", "linux-x64", "linux-x64"),
        ("linux", "aarch64", "linux-aarch64", "linux-arm64"),
        ("darwin", "arm64", "darwin-aarch64", "darwin-arm64"),
        ("win32", "AMD64", "windows-x64", "win32-x64"),
    ],
)
def test_each_platform_has_its_package_names(system: str, machine: str, bun: str, natives: str) -> None:
    assert npm.this_target(system, machine) == npm.Target(bun, natives)


def test_every_package_is_pinned() -> None:
    target = npm.this_target("linux", "x86_64")
    packages = [*npm.omp_packages(npm.OMP, target), *npm.extension_packages(target)]
    assert all(package.rpartition("@")[2][0].isdigit() for package in packages)


def test_a_program_that_hangs_is_ended_and_reported() -> None:
    with pytest.raises(commands.Unavailable, match="no end after"):
        commands.run([sys.executable, "-c", "import time; time.sleep(60)"], timeout_s=0.2, tries=1)


def test_what_failed_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "PAUSE_BETWEEN_TRIES_S", 0)
    script = (
        "import os, sys; sys.exit(0) if os.path.exists(sys.argv[1]) else (os.mkdir(sys.argv[1]), sys.exit(1))"
    )
    commands.run([sys.executable, "-c", script, str(tmp_path / "first")], tries=2)


def test_a_check_says_what_is_missing_and_how_to_get_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(TOOLS / "provision.py"), "--check", "--json", "bun"],
        env={**os.environ, "ATTENTION_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, json.loads(done.stdout)) == (1, {"bun": None})
    assert "python3 tools/provision.py bun" in done.stderr


def test_a_plan_leaves_out_what_lacks_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATTENTION_CACHE", str(tmp_path))
    plan = checks.make_plan("", install=False)
    assert plan.run == ["lint", "types", "unit", "docs", "site", "dist"]
    assert "python3 tools/provision.py extension" in plan.left_out["extension"]
    assert "python3 tools/provision.py omp omp-oldest omp-too-old" in plan.left_out["e2e"]


@pytest.mark.parametrize("may", [True, False])
def test_what_tests_only_wish_for_is_installed_where_it_can_be_and_leaves_nothing_out(
    monkeypatch: pytest.MonkeyPatch, may: bool
) -> None:
    provided = []

    def provide() -> str:
        provided.append("systemd")
        return "/usr/bin/systemd-analyze"

    monkeypatch.setattr(checks, "items", lambda: {"systemd": Item("x", provide, lambda: None)})
    monkeypatch.setattr(checks, "may_install", lambda: may)
    assert checks.make_plan("unit", install=False).run == ["unit"]
    assert provided == []
    assert checks.make_plan("unit", install=True).run == ["unit"]
    assert provided == ["systemd"] * may


def test_every_part_is_tested_on_windows_but_tmux_which_is_not_there() -> None:
    tox = (TOOLS.parent / "tox.ini").read_text(encoding="utf-8")
    folders = {path.relative_to(TOOLS.parent).as_posix() for path in TOOLS.parent.glob("plugins/*/tests")}
    section = tox.partition("[windows]")[2].partition("[testenv:")[0].partition("folders")[2]
    assert [folder for folder in sorted(folders) if folder not in section] == ["plugins/tmux/tests"]


def test_the_plan_knows_every_environment_of_tox() -> None:
    tox = (TOOLS.parent / "tox.ini").read_text(encoding="utf-8")
    (line,) = (line for line in tox.splitlines() if line.startswith("env_list = "))
    assert line.removeprefix("env_list = ").split(", ") == list(checks.NEEDS)
    assert {item for needs in checks.NEEDS.values() for item in needs} <= set(items())
