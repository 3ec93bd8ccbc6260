"""Setting up and taking it back as a new user does, with a real tmux and in a home of its own."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("tmux") is None, reason="needs tmux (apt-get install tmux)"
)
OMP = "#!/bin/sh\necho omp/18.2.3\n"
LIMIT_S = 120


class Person:
    """A home with tmux, OMP with a profile, and Stretchly; nothing of ours."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.python = sys.executable
        self.socket = folder / f"tmux-{os.getuid()}" / "default"
        self.environment = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "TMUX_TMPDIR": str(folder),
            "LANG": "C.UTF-8",
            "SHELL": "/bin/sh",
        }
        for inner in (".cache", ".omp/agent", ".omp/profiles/work/agent", ".config/Stretchly/logs"):
            (self.home / inner).mkdir(parents=True)
        (self.home / ".tmux.conf").write_bytes(b"set -g mouse on")
        (self.home / ".omp/agent/config.yml").write_bytes(b"theme: dark\n")
        (self.home / ".config/Stretchly/logs/main.log").write_bytes(b"")
        (folder / "bin").mkdir()
        (folder / "bin/omp").write_text(OMP)
        (folder / "bin/omp").chmod(0o755)

    def run(self, *command: str, code: int | None = 0) -> str:
        done = subprocess.run(
            command,
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        if code is not None:
            assert done.returncode == code, (done.stdout, done.stderr)
        return done.stdout

    def attention(self, *words: str, code: int | None = 0) -> str:
        return self.run(self.python, "-m", "attention_framework", *words, code=code)

    def tmux(self, *words: str) -> str:
        return self.run("tmux", "-S", str(self.socket), *words)

    def checks(self, name: str) -> list[dict[str, str]]:
        found = json.loads(self.attention("doctor", "--json", code=None))
        return [check for check in found["checks"] if check["name"] == name]

    def disk(self) -> dict[str, tuple[int, bytes | None]]:
        """Mode and content of everything in the home."""
        return {
            str(path.relative_to(self.home)): (
                stat.S_IMODE(path.lstat().st_mode),
                path.read_bytes() if path.is_file() else None,
            )
            for path in self.home.rglob("*")
        }


@pytest.fixture
def person() -> Iterator[Person]:
    folder = Path(tempfile.mkdtemp(prefix="attention-"))  # Short: it holds a socket.
    person = Person(folder)
    person.run("tmux", "new-session", "-d", "-s", "a", "sleep 1000")
    yield person
    person.run(sys.executable, "-m", "attention_framework", "stop", code=None)  # Setup has started it.
    person.run("tmux", "kill-server", code=None)
    until(lambda: removed(folder), what="no hook that was still started writes into the folder")


def removed(folder: Path) -> bool:
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


def hooks(person: Person) -> str:
    return person.tmux("show-hooks", "-g") + person.tmux("show-hooks", "-gw")


LOOKING = (
    *("--help", "--version", "setup --dry-run", "setup", "uninstall --dry-run", "status", "status --json"),
    *("explain %0", "log", "report", "doctor", "config check", "config show", "config schema", "plugins"),
    *("completion bash", "setup --help", "no-such-command", "status --no-such-option"),
)


def test_on_a_machine_without_it_looking_leaves_no_trace(person: Person) -> None:
    before, hooks_before = person.disk(), hooks(person)
    for words in LOOKING:
        person.attention(*words.split(), code=None)
        assert person.disk() == before, words
    assert hooks(person) == hooks_before


def test_all_of_it_is_set_up_and_purged_without_a_trace(person: Person) -> None:
    before, hooks_before = person.disk(), hooks(person)
    shown = person.attention("setup", "--dry-run")
    state = person.home / ".local/state/attention-framework"
    settings = person.home / ".config/attention-framework/attention.toml"
    assert "herdr: not found" in shown
    assert f"will write {settings}" in shown
    assert "note: breaks.sources = stretchly" in shown
    assert not settings.exists()

    person.attention("setup", "--yes")
    text = settings.read_text()
    assert 'sources = ["tmux"]\n' in text
    assert 'sources = ["stretchly"]\n' in text
    assert "warning" not in person.attention("config", "check")
    for agent in ("agent", "profiles/work/agent"):
        config = person.home / ".omp" / agent / "extensions/attention-framework/config.json"
        assert json.loads(config.read_text())["state"] == str(state)
    assert "attention_framework" in hooks(person)
    again = person.attention("setup", "--yes")
    assert again.splitlines()[-1] == "everything is in place"
    failed = json.loads(person.attention("doctor", "--json", code=None))
    assert [check for check in failed["checks"] if check["level"] == "failed"] == []

    said = person.attention("uninstall", "--yes")
    assert said.splitlines()[-1] == "To remove it as well: attention uninstall --purge"
    assert hooks(person) == hooks_before
    left = {path: what for path, what in person.disk().items() if before.get(path) != what}
    assert [path for path in left if not path.startswith((".local", ".cache"))] == []
    person.attention("uninstall", "--purge", "--yes")
    assert person.disk() == before


def test_what_purge_will_do_is_foreseen_before_anything_is_removed(person: Person) -> None:
    before = person.disk()
    assert "  will start the resident controller" in person.attention("setup", "--dry-run").splitlines()
    person.attention("setup", "--yes")
    # Who has started the controller may end before it has written its first line.
    log = person.home / ".local/state/attention-framework/attention.log"
    until(log.exists, what="the controller has said in its log that it listens")
    settled = person.disk()
    shown = person.attention("uninstall", "--purge", "--dry-run").splitlines()
    assert shown[-1] == "  will remove it with all that is in it, the journal included"
    assert "  will stop the resident controller" in shown
    assert person.disk().keys() == settled.keys()
    person.attention("uninstall", "--purge", "--yes")
    assert person.disk() == before


def test_settings_that_the_person_has_edited_stay_and_are_named(person: Person) -> None:
    person.attention("setup", "--yes")
    settings = person.home / ".config/attention-framework/attention.toml"
    settings.write_text(settings.read_text().replace("#settle_ms = 0", "settle_ms = 200"))
    edited = settings.read_text()
    person.attention("setup", "--yes")
    assert "will remove it with all" in person.attention("uninstall", "--purge", "--dry-run")
    said = person.attention("uninstall", "--purge", "--yes")
    assert f"leave {settings}, which you have edited ... done" in said
    assert settings.read_text() == edited
    assert not (person.home / ".local").exists()


@pytest.fixture
def moving(person: Person) -> Path:
    """A virtual environment of its own, with all that the tests' one has."""
    folder = person.folder / "venv"
    venv.create(folder, symlinks=True)
    [site_packages] = folder.glob("lib/python*/site-packages")
    own = sysconfig.get_path("purelib")
    (site_packages / "all.pth").write_text(f"import site; site.addsitedir({own!r})\n")
    person.python = str(folder / "bin" / "python")
    return folder


def test_an_environment_that_moves_is_noticed_and_mended(person: Person, moving: Path) -> None:
    person.attention("setup", "--yes")
    conf = person.home / ".local/state/attention-framework/tmux.conf"
    assert person.python in conf.read_text()
    [check] = person.checks("setup")
    assert check["level"] == "ok"

    moved = moving.with_name("elsewhere")
    moving.rename(moved)
    old, person.python = person.python, str(moved / "bin" / "python")
    [check] = person.checks("setup")
    assert check["level"] == "failed"
    assert check["message"] == f"what setup wrote starts nothing: there is no {old}"
    assert check["mend"] == f"{person.python} -m attention_framework setup"

    person.run(*check["mend"].split(), "--yes")
    assert person.checks("setup")[0]["level"] == "ok"
    assert person.python in conf.read_text()
    assert old not in conf.read_text()
    for line in person.tmux("show-hooks", "-g").splitlines():
        assert old not in line


def test_an_environment_without_the_package_is_noticed_by_another_one(person: Person, moving: Path) -> None:
    person.attention("setup", "--yes")
    [pth] = moving.glob("lib/python*/site-packages/all.pth")
    pth.unlink()
    person.python = sys.executable
    [check] = person.checks("setup")
    assert check["level"] == "failed"
    assert "says: " in check["message"]
    assert "attention_framework" in check["message"]
    assert check["mend"] == f"{sys.executable} -m attention_framework setup"
