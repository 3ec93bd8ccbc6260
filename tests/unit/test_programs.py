from __future__ import annotations

import pytest

from attention_framework import AgentKind, agent_of

KINDS = (AgentKind("omp", "Oh My Pi", programs=("omp", "oh-my-pi")), AgentKind("other", "Other"))


@pytest.mark.parametrize(
    "command",
    [
        ["omp"],
        ["/usr/local/bin/oh-my-pi", "--resume"],
        ["/opt/bun", "--smol", "/x/omp", "prompt"],
        ["bunx", "omp"],
        ["npx", "-y", "omp"],
        ["/usr/bin/env", "omp"],
        ["sh", "/x/omp.sh"],
        ["node", "/x/omp.mjs"],
        ["C:\\bin\\omp.EXE"],
        ["C:\\bun.exe", "C:\\x\\omp.js"],
        ["-omp"],
        ["/usr/bin/python3.12", "/x/bin/omp"],
    ],
)
def test_an_agent_is_known_by_its_program_or_its_script(command: list[str]) -> None:
    assert agent_of(command, KINDS) == "omp"


@pytest.mark.parametrize(
    "command",
    [[], [""], ["bun"], ["bun", "--smol"], ["vim", "omp"], ["bun", "run.ts", "omp"], ["comp"], ["-bash"]],
)
def test_a_command_that_only_mentions_the_agent_is_none(command: list[str]) -> None:
    assert agent_of(command, KINDS) is None
