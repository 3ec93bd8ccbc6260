"""pane.report_* and workspace.report_metadata: what programs tell of themselves, and badges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .. import agents, shapes
from ..errors import ApiError
from ..hub import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..app import App
    from ..state import Pane, Workspace

LONGEST_TTL_MS = 86_400_000
TOKENS_AT_ONCE, TOKENS_OF_A_PANE, TOKEN_LENGTH = 16, 32, 80
STATUSES = ("idle", "working", "blocked", "done", "unknown")


def report_agent(app: App, params: dict[str, Any]) -> dict[str, Any]:
    agents.report(app, app.state.pane(params["pane_id"]), params)
    return {"type": "ok"}


def report_session(app: App, params: dict[str, Any]) -> dict[str, Any]:
    agents.report_session(app, app.state.pane(params["pane_id"]), params)
    return {"type": "ok"}


def report_metadata(app: App, params: dict[str, Any]) -> dict[str, Any]:
    """Tokens change without a hook; title, display name
    and labels count as a change of status, which has hooks.
    """
    pane = app.state.pane(params["pane_id"])
    _check(pane, params)

    def changed() -> None:
        agents.tell_updated(app, pane)

    if _set_tokens(app, pane, params["tokens"] or {}, params["ttl_ms"], changed):
        pane.revision += 1
        changed()
    if _set_presentation(pane, params):
        pane.revision += 1
        agents.tell_status(app, pane)
    return {"type": "ok"}


def report_workspace_metadata(app: App, params: dict[str, Any]) -> dict[str, Any]:
    """Tokens alone, by the rules of those of panes."""
    workspace = app.state.workspace(params["workspace_id"])
    _check(workspace, params)

    def changed() -> None:
        app.emit(Event("workspace.metadata_updated", {"workspace": shapes.workspace(app.state, workspace)}))

    if _set_tokens(app, workspace, params["tokens"], params["ttl_ms"], changed):
        changed()
    return {"type": "ok"}


def _check(it: Pane | Workspace, params: dict[str, Any]) -> None:
    ttl_ms, tokens = params["ttl_ms"], params["tokens"] or {}
    if not re.fullmatch(r"[A-Za-z0-9:._-]{1,120}", params["source"]):
        raise ApiError("invalid_metadata_source", f"invalid metadata source {params['source']}")
    if ttl_ms is not None and ttl_ms < 1:
        raise ApiError("invalid_metadata_ttl", "metadata ttl_ms must be at least 1")
    if ttl_ms is not None and ttl_ms > LONGEST_TTL_MS:
        raise ApiError("invalid_metadata_ttl", f"metadata ttl_ms must be at most {LONGEST_TTL_MS}")
    if any(not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", name) for name in tokens):
        raise ApiError("invalid_metadata_token", "metadata token names are 1 to 32 letters, digits, _ and -")
    if len(tokens) > TOKENS_AT_ONCE or len(it.tokens.keys() | tokens.keys()) > TOKENS_OF_A_PANE:
        raise ApiError("metadata_token_limit", "too many metadata tokens")
    if wrong := [name for name in params.get("state_labels") or {} if name not in STATUSES]:
        raise ApiError("invalid_state_label", f"unknown status {wrong[0]}")


def _set_tokens(
    app: App,
    it: Pane | Workspace,
    tokens: dict[str, str | None],
    ttl_ms: int | None,
    ended: Callable[[], None],
) -> bool:
    before = dict(it.tokens)
    for name, value in tokens.items():
        it.token_ends.pop(name, None)
        if value is None:
            it.tokens.pop(name, None)
            continue
        it.tokens[name] = value[:TOKEN_LENGTH]
        if ttl_ms is not None:
            _expire_later(app, it, name, ttl_ms / 1000, ended)
    return it.tokens != before


def _expire_later(
    app: App, it: Pane | Workspace, name: str, seconds: float, ended: Callable[[], None]
) -> None:
    end = it.token_ends[name] = app.clock.now_s() + seconds

    def expire() -> None:
        if it.token_ends.get(name) == end:
            del it.token_ends[name]
            it.tokens.pop(name, None)
            ended()

    app.loop.after(seconds, expire)


def _set_presentation(pane: Pane, params: dict[str, Any]) -> bool:
    before = (dict(pane.metadata), dict(pane.state_labels))
    for name in ("title", "display_agent"):
        if params[f"clear_{name}"]:
            pane.metadata.pop(name, None)
        elif params[name]:
            pane.metadata[name] = params[name]
    if params["clear_state_labels"]:
        pane.state_labels = {}
    pane.state_labels = {**pane.state_labels, **(params["state_labels"] or {})}
    return (pane.metadata, pane.state_labels) != before


HANDLERS = {
    "pane.report_agent": report_agent,
    "pane.report_agent_session": report_session,
    "pane.report_metadata": report_metadata,
    "workspace.report_metadata": report_workspace_metadata,
}
