"""The kinds of strategy that plugins supply, as protocols.

A strategy class has a `name`, may have a pydantic model `Settings`, and is constructed as `cls(settings, context)`:
`settings` is an instance of that model, or None if the class has none; `context` is a `Context`.

The methods of a strategy have a time limit of 5 s. When a call takes longer, the framework stops waiting for it, reports it
with the name of the plugin, and does not call this strategy again in this process. The resident controller (`attention serve`)
runs for days, so it does call the strategy again: first after 1 s, and after a longer time each time a call hangs. It also
calls methods from several threads at the same time, for different sessions.
"""

from __future__ import annotations

from .agents import AgentTransport, PauseDetector
from .context import Application, BreakHold, Context, Logger
from .hosts import (
    FocusSource,
    HostUnavailable,
    KnowsEnded,
    LocatesPanes,
    PaneControl,
    PaneGone,
    ShowsBadges,
    ShowsWorkspaceBadges,
    TellsFocus,
)
from .judges import BreakSource, Observer, Policy
from .setup import Check, HasAdvice, HasOptions, Installer, InstallRefused, Option, Step
from .trials import OffersTrials, Simulation, Trial

__all__ = [
    "AgentTransport",
    "Application",
    "BreakHold",
    "BreakSource",
    "Check",
    "Context",
    "FocusSource",
    "HasAdvice",
    "HasOptions",
    "HostUnavailable",
    "InstallRefused",
    "Installer",
    "KnowsEnded",
    "LocatesPanes",
    "Logger",
    "Observer",
    "OffersTrials",
    "Option",
    "PaneControl",
    "PaneGone",
    "PauseDetector",
    "Policy",
    "ShowsBadges",
    "ShowsWorkspaceBadges",
    "Simulation",
    "Step",
    "TellsFocus",
    "Trial",
]
