"""What real shells offer after a TAB."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from attention_framework import Session
from attention_framework.commands import CORE
from attention_framework.commands.completion import SHELLS, words_before
from attention_framework.effects import real_effects
from attention_framework.state.folder import StateFolder
from attention_framework.testing import FakeAgent

if TYPE_CHECKING:
    from pathlib import Path

BASH = """
source "$SCRIPT"
COMP_LINE="$1" COMP_POINT=${#1} COMP_TYPE=9
COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_python_argcomplete attention
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
autoload -U compinit; compinit -u -d "$HOME/.zcompdump"
is-at-least() { return 0 }
compdef() { : }
source "$SCRIPT"
_describe() { eval 'printf "%s\\n" "${'$2'[@]}"' }
words=(attention) BUFFER="$1" CURSOR=${#1}
_python_argcomplete
"""
FISH = """
source $SCRIPT
complete --do-complete $argv[1]
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where `attention` is on the PATH, and nothing is set up."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "attention"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m attention_framework \"$@\"\n")
    program.chmod(0o755)
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    state = home / "state"
    path = f"{home / 'bin'}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(home), "ATTENTION_STATE": str(state), "TERM": "dumb"}


def run(home: Path, *command: str) -> str:
    done = subprocess.run(
        command, env=environment(home), capture_output=True, text=True, timeout=60, check=False, cwd=home
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def offered(home: Path, line: str, shell: str = "bash") -> list[str]:
    """What the shell offers at the end of this line."""
    if sys.platform == "win32" or shutil.which(shell) is None:
        pytest.skip(f"needs {shell} (apt-get install {shell})")
    script = home / f"completion.{shell}"
    if not script.exists():
        script.write_text(run(home, "attention", "completion", shell))
    ask = home / f"ask.{shell}"
    ask.write_text(dedent({"bash": BASH, "zsh": ZSH, "fish": FISH}[shell]).replace("$SCRIPT", str(script)))
    options = {"bash": ("--norc",), "zsh": ("-f",), "fish": ("--no-config",)}[shell]
    answers = run(home, shell, *options, str(ask), line).splitlines()
    return [
        answer.partition("\t")[0].partition(":")[0].strip() if shell != "bash" else answer.strip()
        for answer in answers
    ]


@pytest.mark.parametrize("shell", SHELLS)
def test_commands_are_completed_those_of_plugins_too(home: Path, shell: str) -> None:
    found = offered(home, "attention ", shell)
    assert {*CORE, "demo", "stretchly"} <= set(found)
    assert set(offered(home, "attention re", shell)) == {"reconcile", "report", "resume"}


@pytest.mark.parametrize("shell", SHELLS)
def test_options_are_completed_with_those_that_plugins_add(home: Path, shell: str) -> None:
    assert {"--yes", "--dry-run", "--scheduler"} <= set(offered(home, "attention setup --", shell))
    assert offered(home, "attention setup --dr", shell) == ["--dry-run"]


def test_actions_of_a_command_are_completed(home: Path) -> None:
    assert set(offered(home, "attention config ")) >= {"check", "show", "schema"}
    assert offered(home, "attention completion z") == ["zsh"]


def test_panes_are_those_whose_agents_live(home: Path) -> None:
    state = StateFolder(home / "state")
    effects = real_effects()
    state.prepare(effects.files)
    from attention_framework.effects.processes import start_ticks

    for pane_id, pid in (("%7", os.getpid()), ("%8", 2**22 - 3)):
        agent = FakeAgent(effects, state.root, Session("tmux", "/tmp/x,1"), pane_id, pid)
        agent.attend()
        [status] = (state.root / "sessions").glob(f"*/agents/*.{pid}.json")
        said = json.loads(status.read_text())
        status.write_text(json.dumps({**said, "started": {"ticks": start_ticks(pid), "ms": 0}}))
    assert offered(home, "attention explain %") == ["%7"]
    assert "%7" in offered(home, "attention pause --all ")


def test_files_are_offered_only_where_one_is_meant(home: Path) -> None:
    (home / "fancy.toml").write_text("")
    assert offered(home, "attention --config fan") == ["fancy.toml"]
    assert offered(home, "attention pause --for fan") == [""]


def test_names_of_programs_are_those_of_setup(home: Path) -> None:
    assert offered(home, "attention setup t") == ["tmux"]
    assert "settings" in offered(home, "attention uninstall ")
    assert not (home / "state").exists(), "a question leaves nothing behind"


def test_wrong_settings_take_only_what_depends_on_them(home: Path) -> None:
    (home / "wrong.toml").write_text("plugins = 3")
    found = offered(home, f"attention --config {home}/wrong.toml ")
    assert set(CORE) <= set(found)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("attention ", []),
        ("attention set", []),
        ("attention setup ", ["setup"]),
        ("attention --config 'a b' setup --y", ["--config", "a b", "setup"]),
        ("attention explain 'w1:", ["explain"]),
    ],
)
def test_the_words_before_the_one_that_is_typed(line: str, words: list[str]) -> None:
    assert words_before({"COMP_LINE": f"{line}and more", "COMP_POINT": str(len(line))}) == words


def test_an_unknown_shell_is_wrong_usage(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "attention_framework", "completion", "tcsh"],
        env={**os.environ, **environment(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "bash" in done.stderr
