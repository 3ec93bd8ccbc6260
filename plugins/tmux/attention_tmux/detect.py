"""Agents by the program in the foreground of a pane, since tmux detects none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import agent_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attention_framework import AgentKind

    from .processes import Foreground


def find_agents(pids: Iterable[int], kinds: Sequence[AgentKind], foreground: Foreground) -> Mapping[int, str]:
    """Kind of the agent in the foreground of each pane that has one, by the pid of the pane's process."""
    commands = foreground.commands(pids, lambda argv: agent_of(argv, kinds) is not None)
    found = {pid: kind_of(group, kinds) for pid, group in commands.items()}
    return {pid: kind for pid, kind in found.items() if kind}


def kind_of(group: Sequence[Sequence[str]], kinds: Sequence[AgentKind]) -> str | None:
    """The first process of the group that is an agent decides.

    What an agent starts, an editor for instance, stays in its group.
    """
    return next((kind for argv in group if (kind := agent_of(argv, kinds))), None)
