"""Hook specifications. A plugin implements those that it needs, marked with `attention_framework.hookimpl`.

Some hooks return strategy *classes* (`attention_focus_sources`, `attention_transports` and so on): the settings file selects
which of them are used, and in which order; only observers need not be selected. Others return values or objects
(`attention_agents`, `attention_installers`). `attention_decided`, `attention_cycle_finished` and `attention_hold_changed` are
called when something has happened, and cannot change it. When an implementation raises, that is logged with the name of its
plugin; the other implementations and the cycle go on.
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
"""Version of what plugins use: these hooks, and the public names of `attention_framework`. It goes up when a change would
break plugins that were written for the version before; a new hook or name does not change it. A plugin says in its module
which version it was written for: `ATTENTION_API = 1`."""
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Decorator: marks a function in a plugin's module as the implementation of the hook that has the same name."""


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
    """Rules that say which pane may run."""


@hookspec
def attention_observers() -> Sequence[type[Observer]]:  # type: ignore[empty-body]
    """Classes whose objects are told what has happened. All observers of enabled plugins are used; they are constructed with
    the settings of `[strategy.NAME]`.
    """


@hookspec
def attention_agents() -> Sequence[AgentKind]:  # type: ignore[empty-body]
    """Kinds of agent: the name, how to recognize the process, and which transports and detectors suit it."""


@hookspec
def attention_hosts() -> Sequence[HostEnvironment]:  # type: ignore[empty-body]
    """The environment variables by which a process finds the host's pane that it runs in."""


@hookspec
def attention_installers(context: Context) -> Sequence[Installer]:  # type: ignore[empty-body]
    """What `attention setup` and `attention uninstall` can do. Also called for their `--help`, so do not look at the
    system here: do that when `found` or `plan` is called.
    """


@hookspec
def attention_checks(context: Context) -> Sequence[Check]:  # type: ignore[empty-body]
    """What `attention doctor` looks at."""


@hookspec
def attention_simulations() -> Sequence[type[Simulation]]:  # type: ignore[empty-body]
    """Simulated hosts with simulated agents, for `attention verify --simulated`."""


@hookspec
def attention_commands(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add sub-commands to `attention`. Each parser sets the default `run`: a function that is called with the parsed
    arguments and an `Application`, and returns the exit code.
    """


@hookspec
def attention_decided(decision: Decision, report: CycleReport, context: Context) -> None:
    """A cycle has decided what to do about one pane. Called after the cycle has let go of its lock. To have settings of
    your own, announce a class with `attention_observers` instead.
    """


@hookspec
def attention_cycle_finished(report: CycleReport, context: Context) -> None:
    """A cycle is over. Called after it has let go of its lock."""


@hookspec
def attention_hold_changed(hold: Hold, change: str, context: Context) -> None:
    """The hold of a break or of a manual pause has changed: `change` is `taken`, `released` or `expired`."""
