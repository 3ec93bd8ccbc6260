from __future__ import annotations

import pytest
from attention_tmux.detect import kind_of
from attention_tmux.processes import group_ps

from attention_framework import AgentKind

OMP = AgentKind("omp", "Oh My Pi", programs=("omp",))


@pytest.mark.parametrize(
    "argv",
    [
        ["omp"],
        ["/usr/local/bin/omp", "--resume"],
        ["bun", "/home/me/node_modules/.bin/omp"],
        ["/opt/bun", "--smol", "/x/omp", "prompt"],
        ["node", "/x/omp.js"],
        ["omp.exe"],
    ],
)
def test_an_agent_is_known_by_its_program_or_its_script(argv: list[str]) -> None:
    assert kind_of([argv], [OMP]) == "omp"


@pytest.mark.parametrize(
    "argv",
    [
        [],
        [""],
        ["-bash"],
        ["vim", "omp"],
        ["bun", "run.ts", "omp"],
        ["grep", "omp"],
        ["less", "/x/omp"],
        ["node"],
        ["comp"],
    ],
)
def test_a_program_that_only_mentions_the_agent_is_none(argv: list[str]) -> None:
    assert kind_of([argv], [OMP]) is None


def test_an_editor_that_the_agent_started_hides_it_not() -> None:
    assert kind_of([["bun", "/x/omp"], ["vim", "/tmp/prompt.md"]], [OMP]) == "omp"
    assert kind_of([["sh", "-c", "omp"], ["bun", "/x/omp"]], [OMP]) == "omp"


def test_a_login_shell_is_known_without_its_dash() -> None:
    assert kind_of([["-zsh"]], [AgentKind("shell", "Shell", programs=("zsh",))]) == "shell"


def test_ps_tells_the_foreground_group_leader_first() -> None:
    output = """
      1     1    -1 /sbin/launchd
    100   100   103 -zsh
    103   103   103 npm exec omp
    101   103   103 bun /x/omp --flag
    200   200   200 -zsh
    300   300    -1 daemon
"""
    found = group_ps("\n".join(output.splitlines()[1:]), {100, 200, 300, 999})
    assert found == {100: [["npm", "exec", "omp"], ["bun", "/x/omp", "--flag"]], 200: [["-zsh"]]}
