"""The detectors that an agent's plugin binds by subclassing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .model import AgentState, Observation
from .transports import newer_protocol

if TYPE_CHECKING:
    from .kinds import Context
    from .model import Hello, Pane

_SHOWN = {None: ", with no pause screen", "line": ", and that a line above its editor shows it"}


class StatusDetector:
    """A `PauseDetector` that believes what the agent process says of itself in its status file, as the cycle has just
    read it (docs/reference/state-files.md): it alone knows whether its gate is engaged and its pause screen painted.
    The counterpart of `MailboxTransport`. Subclasses set `name`.
    """

    name: str
    """By which the settings select it."""

    def __init__(self, settings: object, context: Context) -> None:
        pass

    def observe(self, pane: Pane) -> Observation:
        hello = pane.hello
        if hello is None:
            return Observation(AgentState.UNKNOWN, "no agent process in this pane has said hello")
        if hello.speaks_newer:
            return Observation(AgentState.UNKNOWN, newer_protocol(hello))
        if hello.state == "running":
            return Observation(AgentState.RUNNING, _with_problem("it says that it runs", hello))
        if hello.state == "braked":
            return _braked(hello)
        if hello.state == "paused":
            return _paused(hello)
        if hello.state == "unsupported":
            return Observation(AgentState.UNKNOWN, _with_problem("it cannot be paused", hello))
        return Observation(AgentState.UNKNOWN, f"it says {hello.state!r}, which this version does not know")


def _braked(hello: Hello) -> Observation:
    """Since the file was written, where it does not say since when: a brake is written down at once."""
    evidence = "it says that it is braked: nothing new starts until it is told whether it may go on"
    return Observation(
        AgentState.BRAKED,
        _with_problem(evidence + _in_flight(hello), hello),
        calls=hello.calls,
        since_ms=hello.reflex.since_ms or hello.written_ms or None,
    )


def _paused(hello: Hello) -> Observation:
    by_person = hello.by == "person"
    evidence = f"it says that it is paused by {'the person' if by_person else 'request'}"
    evidence += _SHOWN.get(hello.shown, "")
    evidence += _in_flight(hello)
    return Observation(
        AgentState.PAUSING if hello.calls else AgentState.PAUSED,
        evidence,
        by_person=by_person,
        engagement=hello.engagement,
        runs=hello.runs,
        calls=hello.calls,
    )


def _in_flight(hello: Hello) -> str:
    calls = ", ".join(call.name for call in hello.calls)
    return f", with calls still in flight: {calls}" if calls else ""


def _with_problem(evidence: str, hello: Hello) -> str:
    return f"{evidence}; {hello.problem}" if hello.problem else evidence
