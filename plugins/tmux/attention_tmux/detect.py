"""Agents by the program in the foreground of a pane, since tmux detects none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attention_framework import AgentKind

    from .processes import Foreground

INTERPRETERS: Final = frozenset(
    {"bun", "bunx", "node", "nodejs", "deno", "npx", "python", "python3", "sh", "bash", "env"}
)
_SUFFIX: Final = re.compile(r"\.(?:[cm]?[jt]s|exe|py|sh)$")


def find_agents(pids: Iterable[int], kinds: Sequence[AgentKind], foreground: Foreground) -> Mapping[int, str]:
    """Kind of the agent in the foreground of each pane that has one, by the pid of the pane's process."""
    commands = foreground.commands(pids, lambda argv: kind_of([argv], kinds) is not None)
    found = {pid: kind_of(group, kinds) for pid, group in commands.items()}
    return {pid: kind for pid, kind in found.items() if kind}


def kind_of(group: Sequence[Sequence[str]], kinds: Sequence[AgentKind]) -> str | None:
    """The first process of the group that is an agent decides.

    What an agent starts, an editor for instance, stays in its group.
    """
    for argv in group:
        names = program_names(argv)
        for kind in kinds:
            if names & set(kind.programs):
                return kind.name
    return None


def program_names(argv: Sequence[str]) -> frozenset[str]:
    """Base names by which a command may be known: its program, and the script that an interpreter runs."""
    if not argv:
        return frozenset()
    program = _base(argv[0])
    if program not in INTERPRETERS:
        return frozenset({program})
    script = next((word for word in argv[1:] if not word.startswith("-")), None)
    return frozenset({program, _base(script)}) if script else frozenset({program})


def _base(word: str) -> str:
    """A login shell's name begins with `-`."""
    return _SUFFIX.sub("", word.rsplit("/", 1)[-1].lstrip("-"))
