"""Agents that run in no pane of a host: nothing follows them, and nothing is wrong with that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import CheckLevel, CheckResult
from ..programs import agent_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..app import App
    from ..model import HostEnvironment


def outside_every_host(app: App) -> list[CheckResult]:
    kinds, hosts = app.context.agents, app.context.hosts
    processes = app.effects.processes
    found = [
        process
        for process in processes.running(lambda command: agent_of(command, kinds) is not None)
        if not _is_in_a_pane(process.environment, hosts)
    ]
    pids = {process.pid for process in found}
    names = ", ".join(host.host for host in hosts) or "any host"
    return [
        CheckResult(
            f"{agent_of(process.command, kinds)} (process {process.pid})",
            CheckLevel.OK,
            f"not followed: it runs in no pane of {names}",
        )
        for process in found
        if pids.isdisjoint(processes.ancestors(process.pid))  # Else a part of one that is named.
    ]


def _is_in_a_pane(environment: Mapping[str, str], hosts: Sequence[HostEnvironment]) -> bool:
    return any(environment.get(host.pane) and environment.get(host.address) for host in hosts)
