"""Agents in panes: who is detected, what state is shown, what its integration reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import layout, panes, shapes
from .hub import Event
from .programs import Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .app import App
    from .state import Pane


def run(
    app: App,
    pane: Pane,
    argv: Sequence[str],
    kind: str | None,
    environment: Mapping[str, str],
    *,
    closes_pane: bool = False,
) -> Program:
    """Start a program in a pane. With a `kind` it is an agent of that kind, detected at once."""
    columns, rows = layout.inner_size(pane.tab, pane)
    program = Program(
        argv,
        kind=kind,
        cwd=pane.cwd,
        environment={
            **app.pane_environment(pane),
            "COLUMNS": str(columns),
            "LINES": str(rows),
            **environment,
        },
        on_output=lambda data: app.loop.post(lambda: drawn(app, pane, data)),
        on_exit=lambda code: app.loop.post(lambda: ended(app, pane, program)),
    )
    program.closes_pane = closes_pane
    pane.program = program
    if kind is not None:
        detect(app, pane, kind)
    return program


def drawn(app: App, pane: Pane, data: bytes) -> None:
    before = shapes.stripped_title(pane.screen.title)
    pane.screen.feed(data)
    pane.revision += 1
    if shapes.stripped_title(pane.screen.title) != before:
        tell_updated(app, pane)


def ended(app: App, pane: Pane, program: Program) -> None:
    """Its shell is back, or the pane goes with it."""
    if pane.program is not program:
        return
    pane.program = None
    if pane not in app.state.panes():
        return
    if program.closes_pane:
        panes.close_pane(app, pane, exited=True)
        return
    pane.screen.reset()
    panes.resize(pane.tab)
    release(app, pane)


def detect(app: App, pane: Pane, kind: str) -> None:
    """A known agent is `unknown` during a grace and then `idle`, unless it reports something else itself."""
    pane.agent = kind
    app.emit(Event("pane.agent_detected", {**_where(pane), "agent": kind}))
    program = pane.program

    def grace_over() -> None:
        if pane.program is program and pane.agent == kind and pane.state == "unknown":
            set_state(app, pane, "idle")

    app.loop.after(app.startup_grace_s, grace_over)


def release(app: App, pane: Pane) -> None:
    """The agent is gone: first told with its last status,
    then the status falls back to unknown (as recorded).
    """
    if pane.agent is None:
        return
    last = {"agent": pane.agent, "released": True, "final_status": pane.status}
    pane.agent = pane.reported_by = pane.agent_session = pane.name = None
    app.emit(Event("pane.agent_detected", {**_where(pane), **last}))
    set_state(app, pane, "unknown")


def set_state(app: App, pane: Pane, state: str) -> None:
    if state == pane.state:
        return
    if state == "idle" and pane.state == "working":
        pane.seen = pane is app.state.focused
    pane.state = state
    pane.state_change_seq = app.state.next_change()
    pane.revision += 1
    tell_status(app, pane)


def tell_status(app: App, pane: Pane) -> None:
    agent = {"agent": pane.agent} if pane.agent else {}
    optional = {**pane.metadata, **({"state_labels": pane.state_labels} if pane.state_labels else {})}
    app.emit(
        Event("pane.agent_status_changed", {**_where(pane), "agent_status": pane.status, **agent, **optional})
    )


def tell_updated(app: App, pane: Pane) -> None:
    """For subscriptions only; there is no hook for it."""
    app.emit(Event("pane.updated", {"pane": shapes.pane(app.state, pane)}))


def report(app: App, pane: Pane, params: Mapping[str, Any]) -> None:
    """A state that a program tells of itself. One from a source of Herdr's own counts only while that agent
    is detected in the pane and the conversation is the known one; otherwise it is dropped without a word.
    """
    source, kind = params["source"], params["agent"]
    session = _session(params)
    if source.startswith("herdr:"):
        if pane.agent != kind or (
            session and pane.agent_session and session["value"] != pane.agent_session["value"]
        ):
            return
    elif pane.agent is None:
        detect(app, pane, kind)
    pane.reported_by = source
    pane.agent_session = session or pane.agent_session
    set_state(app, pane, params["state"])


def report_session(app: App, pane: Pane, params: Mapping[str, Any]) -> None:
    """Which conversation the agent is in."""
    if pane.agent == params["agent"] and (session := _session(params)):
        pane.reported_by = params["source"]
        pane.agent_session = session
        pane.revision += 1
        app.emit(Event("pane.updated", {"pane": shapes.pane(app.state, pane)}))


def _session(params: Mapping[str, Any]) -> dict[str, str] | None:
    for kind in ("path", "id"):
        if value := params.get(f"agent_session_{kind}"):
            return {"source": params["source"], "agent": params["agent"], "kind": kind, "value": value}
    return None


def _where(pane: Pane) -> dict[str, str]:
    return {"pane_id": pane.id, "workspace_id": pane.workspace.id}
