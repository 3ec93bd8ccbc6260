from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from provisioning import cache
from provisioning.locking import locked, try_lock

TOOLS = Path(__file__).resolve().parents[1]


def test_the_chosen_folder_wins_over_the_platforms_own(tmp_path: Path) -> None:
    environ = {"ATTENTION_CACHE": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "xdg")}
    assert cache.cache_folder(environ) == tmp_path
    del environ["ATTENTION_CACHE"]
    assert cache.cache_folder(environ) == tmp_path / "xdg" / "attention-framework"


def test_windows_has_its_caches_in_local_app_data(tmp_path: Path) -> None:
    folder = cache.cache_folder({"LOCALAPPDATA": str(tmp_path)}, "win32")
    assert folder == tmp_path / "attention-framework" / "Cache"


def test_another_pin_is_another_folder() -> None:
    assert cache.named_by_content("omp", "a@1", "b@1") != cache.named_by_content("omp", "a@1", "b@2")


def test_what_is_installed_is_not_built_again(tmp_path: Path) -> None:
    builds: list[Path] = []
    target = tmp_path / "thing"
    for _ in range(2):
        assert cache.install_once(target, builds.append) == target
    assert len(builds) == 1


def test_a_build_that_fails_leaves_nothing_that_looks_installed(tmp_path: Path) -> None:
    def build(scratch: Path) -> None:
        (scratch / "half").touch()
        raise OSError("the network is gone")

    target = tmp_path / "thing"
    with pytest.raises(OSError, match="network"):
        cache.install_once(target, build)
    assert not target.exists()
    cache.install_once(target, lambda scratch: (scratch / "whole").touch())
    assert [path.name for path in target.iterdir()] == ["whole"]
    assert not list(tmp_path.glob("*.partial-*"))


def test_runs_at_once_build_it_once(tmp_path: Path) -> None:
    script = (
        "import sys, time, pathlib; sys.path.insert(0, sys.argv[1])\n"
        "from provisioning.cache import install_once\n"
        "def build(scratch):\n"
        "    with open(pathlib.Path(sys.argv[2]) / 'builds', 'a') as log: log.write('x')\n"
        "    time.sleep(0.3)\n"
        "install_once(pathlib.Path(sys.argv[2]) / 'thing', build)\n"
    )
    command = [sys.executable, "-c", script, str(TOOLS), str(tmp_path)]
    runs = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(3)]
    assert [run.wait(timeout=60) for run in runs] == [0, 0, 0]
    assert (tmp_path / "builds").read_text() == "x"


def test_a_lock_is_refused_while_it_is_held_and_free_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path), path.open("r+b") as other:
        assert not try_lock(other)
    with path.open("r+b") as other:
        assert try_lock(other)
