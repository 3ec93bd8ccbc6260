"""The values that hosts, agents, policies and the cycle exchange.

Plain frozen data without behaviour that touches the world. Times named `_ms` are milliseconds since the
epoch unless the docstring says a duration.
"""

from __future__ import annotations

from .agents import (
    MAILBOX_PROTOCOL,
    UNKNOWN,
    AgentKind,
    AgentState,
    Call,
    Hello,
    Observation,
    ProcessIdentity,
    Reflex,
    agent_identity,
)
from .check_results import CheckLevel, CheckResult
from .decisions import CycleReport, Decision, Outcome
from .holds import Break, Hold, Scope
from .panes import Badge, HostEnvironment, Pane, Session, Snapshot, Workspace
from .policies import Action, Allowance, FocusMemory, Verdict, View
from .requests import FOCUS_RUN, Delivery, DeliveryStatus, PauseRequest, Run

__all__ = [
    "FOCUS_RUN",
    "MAILBOX_PROTOCOL",
    "UNKNOWN",
    "Action",
    "AgentKind",
    "AgentState",
    "Allowance",
    "Badge",
    "Break",
    "Call",
    "CheckLevel",
    "CheckResult",
    "CycleReport",
    "Decision",
    "Delivery",
    "DeliveryStatus",
    "FocusMemory",
    "Hello",
    "Hold",
    "HostEnvironment",
    "Observation",
    "Outcome",
    "Pane",
    "PauseRequest",
    "ProcessIdentity",
    "Reflex",
    "Run",
    "Scope",
    "Session",
    "Snapshot",
    "Verdict",
    "View",
    "Workspace",
    "agent_identity",
]
