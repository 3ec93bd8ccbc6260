"""What there is to say of one agent: its state, why, and whether it has come to a safe point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model import Action, AgentState
from ..transports.mailbox import newer_protocol
from ..words.durations import in_words
from .panes import told_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..app import App
    from ..cycle import Candidate
    from ..model import Hold
    from .panes import Named

NO_HELLO = "and it has said no hello: was it started before `attention setup`?"
NO_ACK = "as far as its screen tells: its transport is acknowledged by nobody"


def row(app: App, named: Named, now_ms: int) -> dict[str, Any]:
    """What a person or a program wants to know of one agent.
    The keys are an interface (docs/reference/commands.md).
    """
    candidate = named.candidate
    pane, seen = candidate.pane, candidate.seen
    return {
        "session": named.look.view.key,
        "session_name": named.session.name or None,
        "pane": pane.id,
        "label": pane.label or None,
        "agent": pane.agent,
        "focused": None if named.look.view.snapshot.focused is None else pane.focused,
        "host_status": pane.status,
        "state": seen.state,
        "for_ms": None if seen.since_ms is None else max(0, now_ms - seen.since_ms),
        "by_person": seen.by_person,
        "shown": pane.hello.shown if pane.hello else None,
        "runs": sorted(seen.runs),
        "calls": [{"name": call.name, "for_ms": max(0, now_ms - call.since_ms)} for call in seen.calls],
        "at_safe_point": at_safe_point(candidate),
        "verdict": candidate.verdict.action,
        "policy": candidate.verdict.policy or None,
        "why": why(app, named, now_ms),
        "evidence": seen.evidence,
        "problem": candidate.conflict or (pane.hello.problem if pane.hello else None),
    }


def at_safe_point(candidate: Candidate) -> bool | None:
    """Whether nothing is in flight and nothing can start. None: it may run, so nobody waits for that.

    A brake is none: it ends by itself, and what had started before goes on.
    """
    state = candidate.seen.state
    if state is AgentState.PAUSED:
        return True
    if state is AgentState.PAUSING or candidate.verdict.action is Action.PAUSE:
        return False
    return None


def summary(rows: Sequence[dict[str, Any]]) -> str:
    """One line: who has not come to a safe point yet."""
    late = [
        f"{name} ({what_it_does(entry)})"
        for name, entry in zip(names(rows), rows, strict=True)
        if entry["at_safe_point"] is False
    ]
    if late:
        return f"not at a safe point yet: {', '.join(late)}"
    if any(entry["at_safe_point"] for entry in rows):
        return "every agent that should pause is at a safe point"
    return "no agent should pause"


def names(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The panes as commands take them."""
    return told_apart([(entry["session_name"] or "", entry["session"], entry["pane"]) for entry in rows])


def what_it_does(entry: dict[str, Any]) -> str:
    """`bash since 12 s`, `braked since 2 s`, `running`."""
    calls = [f"{call['name']} since {in_words(call['for_ms'])}" for call in entry["calls"]]
    if entry["state"] == AgentState.PAUSING and calls:
        return ", ".join(calls)
    since = "" if entry["for_ms"] is None else f" since {in_words(entry['for_ms'])}"
    return ", ".join([f"{entry['state']}{since}", *calls])


def why(app: App, named: Named, now_ms: int) -> str:
    """One sentence: the state's reason, and where it differs from what is wanted, that too."""
    candidate = named.candidate
    seen, verdict = candidate.seen, candidate.verdict
    if candidate.conflict:
        return candidate.conflict
    calls = _in_flight(candidate, now_ms)
    if not seen.held:
        pending = (
            _not_paused(app, named, now_ms) if verdict.action is Action.PAUSE else _braked(candidate, now_ms)
        )
        return "; ".join(part for part in (verdict.reason, pending, calls) if part)
    until = " until you resume it" if verdict.action is Action.RUN else ""
    return "; ".join(part for part in (_paused_by(app, candidate, now_ms) + until, calls) if part)


def _in_flight(candidate: Candidate, now_ms: int) -> str:
    """Of one that runs, calls are no news."""
    if candidate.seen.state not in (AgentState.PAUSING, AgentState.BRAKED):
        return ""
    return ", ".join(
        f"{call.name} still runs since {in_words(now_ms - call.since_ms)}" for call in candidate.seen.calls
    )


def _paused_by(app: App, candidate: Candidate, now_ms: int) -> str:
    seen = candidate.seen
    reasons = {run.id: run.reason for run in candidate.verdict.runs}
    runs = seen.runs | reasons.keys()
    if seen.by_person:
        return "paused by you"
    if not runs:
        return "paused"
    holds = {hold.run: hold for hold in app.holds.in_force(now_ms)}
    told = [_run(run, holds.get(run), reasons.get(run), now_ms) for run in sorted(runs)]
    hello = candidate.pane.hello
    return f"paused for {', '.join(told)}" + (", by a line" if hello and hello.shown == "line" else "")


def _not_paused(app: App, named: Named, now_ms: int) -> str:
    candidate = named.candidate
    if candidate.waiting:
        return f"it is asked in {candidate.settling_ms / 1000:.1f} s, unless it is back by then"
    if candidate.pane.hello is None:
        need_hello = app.strategies.agents[str(candidate.pane.agent)].need_hello
        return f"not paused yet, {NO_HELLO if need_hello else NO_ACK}"
    if candidate.pane.hello.speaks_newer:
        return newer_protocol(candidate.pane.hello)
    return _braked(candidate, now_ms) or "not paused yet"


def _braked(candidate: Candidate, now_ms: int) -> str:
    if candidate.seen.state is not AgentState.BRAKED:
        return ""
    since = candidate.seen.since_ms
    ends = (
        "until it hears whether it may go on" if candidate.verdict.action is Action.RUN else "not paused yet"
    )
    return ("braked" if since is None else f"braked since {in_words(now_ms - since)}") + f", {ends}"


def _run(run: str, hold: Hold | None, reason: str | None, now_ms: int) -> str:
    if run == "focus":
        return "the lost focus"
    if hold is None:
        return reason or f"a break or pause that has ended ({run})"
    left = f", {in_words(hold.deadline_ms - now_ms)} left" if hold.deadline_ms else ""
    # Nobody has to name a manual pause to end it; a break is ended by its id.
    return ("a manual pause" if hold.kind == "manual" else f"{hold.kind} {run}") + left
