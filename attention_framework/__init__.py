"""Coding agents that follow the person's attention.

These are the names that plugins may import; everything else in this package is its own business. They are
loaded when they are first asked for, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .client.installing import ThinClient
    from .commands.durations import duration_s
    from .detectors import StatusDetector
    from .effects import (
        Clock,
        Completed,
        Connection,
        Effects,
        Files,
        Listener,
        Lock,
        Processes,
        Running,
        Sockets,
        Stamp,
        real_effects,
    )
    from .errors import Expected, WrongUsage, describe_os_error
    from .hookspecs import API, hookimpl
    from .installing import Condition, InstallStep, OwnedFiles
    from .kinds import (
        AgentTransport,
        Application,
        BreakHold,
        BreakSource,
        Check,
        Context,
        FocusSource,
        HasAdvice,
        HasOptions,
        HostUnavailable,
        Installer,
        InstallRefused,
        KnowsEnded,
        LocatesPanes,
        Logger,
        Observer,
        OffersTrials,
        Option,
        PaneControl,
        PaneGone,
        PauseDetector,
        Policy,
        ShowsBadges,
        ShowsWorkspaceBadges,
        Simulation,
        Step,
        TellsFocus,
        Trial,
    )
    from .model import (
        FOCUS_RUN,
        UNKNOWN,
        Action,
        AgentKind,
        AgentState,
        Allowance,
        Badge,
        Break,
        Call,
        CheckLevel,
        CheckResult,
        CycleReport,
        Decision,
        Delivery,
        DeliveryStatus,
        FocusMemory,
        Hello,
        Hold,
        HostEnvironment,
        Observation,
        Outcome,
        Pane,
        PauseRequest,
        ProcessIdentity,
        Reflex,
        Run,
        Scope,
        Session,
        Snapshot,
        Verdict,
        View,
        Workspace,
        agent_identity,
    )
    from .programs import agent_of
    from .scheduling import AtLogon, EachHour, Job, Scheduler, read_scheduler, schedulers, suitable_scheduler
    from .state.hellos import live_hellos
    from .state.names import canonical_address, session_key
    from .stopping import Stop, stopped_by_signals
    from .transports import KeysTransport, MailboxTransport, PromptTransport, newer_protocol

__version__ = "0.1.0"

_HOME = {
    "client.installing": ("ThinClient",),
    "commands.durations": ("duration_s",),
    "detectors": ("StatusDetector",),
    "effects": (
        "Clock", "Completed", "Connection", "Effects", "Files", "Listener", "Lock", "Processes", "Running", "Sockets",
        "Stamp", "real_effects",
    ),
    "errors": ("Expected", "WrongUsage", "describe_os_error"),
    "hookspecs": ("API", "hookimpl"),
    "installing": ("Condition", "InstallStep", "OwnedFiles"),
    "kinds.agents": ("AgentTransport", "PauseDetector"),
    "kinds.context": ("Application", "BreakHold", "Context", "Logger"),
    "kinds.hosts": (
        "FocusSource", "HostUnavailable", "KnowsEnded", "LocatesPanes", "PaneControl", "PaneGone", "ShowsBadges",
        "ShowsWorkspaceBadges", "TellsFocus",
    ),
    "kinds.judges": ("BreakSource", "Observer", "Policy"),
    "kinds.setup": ("Check", "HasAdvice", "HasOptions", "InstallRefused", "Installer", "Option", "Step"),
    "kinds.trials": ("OffersTrials", "Simulation", "Trial"),
    "model.agents": (
        "UNKNOWN", "AgentKind", "AgentState", "Call", "Hello", "Observation", "ProcessIdentity", "Reflex",
        "agent_identity",
    ),
    "model.check_results": ("CheckLevel", "CheckResult"),
    "model.decisions": ("CycleReport", "Decision", "Outcome"),
    "model.holds": ("Break", "Hold", "Scope"),
    "model.panes": ("Badge", "HostEnvironment", "Pane", "Session", "Snapshot", "Workspace"),
    "model.policies": ("Action", "Allowance", "FocusMemory", "Verdict", "View"),
    "model.requests": ("FOCUS_RUN", "Delivery", "DeliveryStatus", "PauseRequest", "Run"),
    "programs": ("agent_of",),
    "scheduling": ("AtLogon", "EachHour", "Job", "Scheduler", "read_scheduler", "schedulers", "suitable_scheduler"),
    "state.hellos": ("live_hellos",),
    "state.names": ("canonical_address", "session_key"),
    "stopping": ("Stop", "stopped_by_signals"),
    "transports": ("KeysTransport", "MailboxTransport", "PromptTransport", "newer_protocol"),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "API",
    "FOCUS_RUN",
    "UNKNOWN",
    "Action",
    "AgentKind",
    "AgentState",
    "AgentTransport",
    "Allowance",
    "Application",
    "AtLogon",
    "Badge",
    "Break",
    "BreakHold",
    "BreakSource",
    "Call",
    "Check",
    "CheckLevel",
    "CheckResult",
    "Clock",
    "Completed",
    "Condition",
    "Connection",
    "Context",
    "CycleReport",
    "Decision",
    "Delivery",
    "DeliveryStatus",
    "EachHour",
    "Effects",
    "Expected",
    "Files",
    "FocusMemory",
    "FocusSource",
    "HasAdvice",
    "HasOptions",
    "Hello",
    "Hold",
    "HostEnvironment",
    "HostUnavailable",
    "InstallRefused",
    "InstallStep",
    "Installer",
    "Job",
    "KeysTransport",
    "KnowsEnded",
    "Listener",
    "LocatesPanes",
    "Lock",
    "Logger",
    "MailboxTransport",
    "Observation",
    "Observer",
    "OffersTrials",
    "Option",
    "Outcome",
    "OwnedFiles",
    "Pane",
    "PaneControl",
    "PaneGone",
    "PauseDetector",
    "PauseRequest",
    "Policy",
    "ProcessIdentity",
    "Processes",
    "PromptTransport",
    "Reflex",
    "Run",
    "Running",
    "Scheduler",
    "Scope",
    "Session",
    "ShowsBadges",
    "ShowsWorkspaceBadges",
    "Simulation",
    "Snapshot",
    "Sockets",
    "Stamp",
    "StatusDetector",
    "Step",
    "Stop",
    "TellsFocus",
    "ThinClient",
    "Trial",
    "Verdict",
    "View",
    "Workspace",
    "WrongUsage",
    "__version__",
    "agent_identity",
    "agent_of",
    "canonical_address",
    "describe_os_error",
    "duration_s",
    "hookimpl",
    "live_hellos",
    "newer_protocol",
    "read_scheduler",
    "real_effects",
    "schedulers",
    "session_key",
    "stopped_by_signals",
    "suitable_scheduler",
]  # fmt: skip
"""Written out, because type checkers read no computed list; a test compares it with `_HOME`."""


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value
