"""The kinds of strategy that plugins supply, as protocols.

A strategy class has `name`, may have a pydantic model `Settings`, and is constructed as `cls(settings,
context)`, where `settings` is an instance of that model or None. Its methods are called with a time limit:
one that takes longer is given up, reported with its plugin's name, and not called again in this process. In
the resident controller, which stays for days, it is called again after a while, longer each time it hangs; there,
too, methods are called from several threads at once, for different sessions.
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
