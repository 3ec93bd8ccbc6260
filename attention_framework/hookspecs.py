"""Hook specifications. A plugin implements those that it needs, marked with `attention_framework.hookimpl`.

Hooks that end in a kind announce strategy *classes*; which of them are used, and in which order, is said by
the settings. Value hooks announce facts. Observers are told what happened and cannot change it. An
implementation that raises is logged with its plugin's name, and stops neither the others nor the cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pluggy

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from .kinds import (
        AgentTransport,
        BreakSource,
        Check,
        Context,
        FocusSource,
        Installer,
        Observer,
        PauseDetector,
        Policy,
        Simulation,
    )
    from .model import AgentKind, CycleReport, Decision, Hold, HostEnvironment

PROJECT = "attention_framework"
API: Final = 1
"""Version of what plugins rely on: these hooks, and the public names of `attention_framework`. A new hook or name
leaves it as it is; it goes up when a plugin that was written for the number before would break. A plugin says
which one it was written for by `ATTENTION_API` in its module."""
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function of a plugin as the implementation of the hook of its name."""


@hookspec
def attention_focus_sources() -> Sequence[type[FocusSource]]:  # type: ignore[empty-body]
    """Hosts whose focus can be followed and whose panes can be controlled."""


@hookspec
def attention_transports() -> Sequence[type[AgentTransport]]:  # type: ignore[empty-body]
    """Ways to carry a pause or resume request to an agent."""


@hookspec
def attention_pause_detectors() -> Sequence[type[PauseDetector]]:  # type: ignore[empty-body]
    """Ways to see whether an agent is paused."""


@hookspec
def attention_break_sources() -> Sequence[type[BreakSource]]:  # type: ignore[empty-body]
    """Programs that say when a screen break is going on."""


@hookspec
def attention_policies() -> Sequence[type[Policy]]:  # type: ignore[empty-body]
    """Judges of which pane may run."""


@hookspec
def attention_observers() -> Sequence[type[Observer]]:  # type: ignore[empty-body]
    """Those who are told what has happened. Every one of an enabled plugin is, with its settings from
    `[strategy.NAME]`.
    """


@hookspec
def attention_agents() -> Sequence[AgentKind]:  # type: ignore[empty-body]
    """Agent kinds, with how their process looks and which strategies suit them."""


@hookspec
def attention_hosts() -> Sequence[HostEnvironment]:  # type: ignore[empty-body]
    """How a process finds the pane that it runs in."""


@hookspec
def attention_installers(context: Context) -> Sequence[Installer]:  # type: ignore[empty-body]
    """What `attention setup` and `attention uninstall` can do. Asked for by their `--help`, too: look at the
    system only when `found` or `plan` is called.
    """


@hookspec
def attention_checks(context: Context) -> Sequence[Check]:  # type: ignore[empty-body]
    """Preconditions for `attention doctor`."""


@hookspec
def attention_simulations() -> Sequence[type[Simulation]]:  # type: ignore[empty-body]
    """Simulated hosts with simulated agents, for `attention verify --simulated`."""


@hookspec
def attention_commands(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add sub-commands. A command's parser sets `run`, a function of the parsed
    arguments and an `Application` that returns the exit code.
    """


@hookspec
def attention_decided(decision: Decision, report: CycleReport, context: Context) -> None:
    """A cycle has decided on one pane. Called after the lock has been let go. An observer with settings of its
    own is a class: `attention_observers`.
    """


@hookspec
def attention_cycle_finished(report: CycleReport, context: Context) -> None:
    """A cycle is over. Called after the lock has been let go."""


@hookspec
def attention_hold_changed(hold: Hold, change: str, context: Context) -> None:
    """A hold has been `taken`, `released` or has `expired`."""
