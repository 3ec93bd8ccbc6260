"""Agents that run in no pane of a host: nothing follows them, and nothing is wrong with that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..model import CheckLevel, CheckResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..app import App
    from ..model import AgentKind, HostEnvironment

INTERPRETERS: Final = frozenset({"bun", "deno", "node", "nodejs", "python", "python3"})
_SUFFIX: Final = re.compile(r"\.(?:[cm]?[jt]s|exe|py)$", re.IGNORECASE)


def outside_every_host(app: App) -> list[CheckResult]:
    kinds, hosts = app.context.agents, app.context.hosts
    processes = app.effects.processes
    found = [
        process
        for process in processes.running(lambda command: _kind(command, kinds) is not None)
        if not _is_in_a_pane(process.environment, hosts)
    ]
    pids = {process.pid for process in found}
    names = ", ".join(host.host for host in hosts) or "any host"
    return [
        CheckResult(
            f"{_kind(process.command, kinds)} (process {process.pid})",
            CheckLevel.OK,
            f"not followed: it runs in no pane of {names}",
        )
        for process in found
        if pids.isdisjoint(processes.ancestors(process.pid))  # Else a part of one that is named.
    ]


def _kind(command: Sequence[str], kinds: Sequence[AgentKind]) -> str | None:
    names = _names(command)
    return next((kind.name for kind in kinds if names & set(kind.programs)), None)


def _names(command: Sequence[str]) -> frozenset[str]:
    """Base names of the program, and of the script that an interpreter runs."""
    program = _base(command[0])
    script = next((word for word in command[1:] if not word.startswith("-")), None)
    return frozenset({program, _base(script)} if script and program in INTERPRETERS else {program})


def _base(word: str) -> str:
    return _SUFFIX.sub("", re.split(r"[/\\]", word)[-1])


def _is_in_a_pane(environment: Mapping[str, str], hosts: Sequence[HostEnvironment]) -> bool:
    return any(environment.get(host.pane) and environment.get(host.address) for host in hosts)
