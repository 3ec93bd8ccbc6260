"""pane.report_*: what programs tell of themselves, and badges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .. import agents
from ..errors import ApiError

if TYPE_CHECKING:
    from ..app import App
    from ..state import Pane

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
    if _set_tokens(app, pane, params["tokens"] or {}, params["ttl_ms"]):
        pane.revision += 1
        agents.tell_updated(app, pane)
    if _set_presentation(pane, params):
        pane.revision += 1
        agents.tell_status(app, pane)
    return {"type": "ok"}


def _check(pane: Pane, params: dict[str, Any]) -> None:
    ttl_ms, tokens = params["ttl_ms"], params["tokens"] or {}
    if not re.fullmatch(r"[A-Za-z0-9:._-]{1,120}", params["source"]):
        raise ApiError("invalid_metadata_source", f"invalid metadata source {params['source']}")
    if ttl_ms is not None and ttl_ms < 1:
        raise ApiError("invalid_metadata_ttl", "metadata ttl_ms must be at least 1")
    if ttl_ms is not None and ttl_ms > LONGEST_TTL_MS:
        raise ApiError("invalid_metadata_ttl", f"metadata ttl_ms must be at most {LONGEST_TTL_MS}")
    if any(not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", name) for name in tokens):
        raise ApiError("invalid_metadata_token", "metadata token names are 1 to 32 letters, digits, _ and -")
    if len(tokens) > TOKENS_AT_ONCE or len(pane.tokens.keys() | tokens.keys()) > TOKENS_OF_A_PANE:
        raise ApiError("metadata_token_limit", "too many metadata tokens")
    if wrong := [name for name in params["state_labels"] or {} if name not in STATUSES]:
        raise ApiError("invalid_state_label", f"unknown status {wrong[0]}")


def _set_tokens(app: App, pane: Pane, tokens: dict[str, str | None], ttl_ms: int | None) -> bool:
    before = dict(pane.tokens)
    for name, value in tokens.items():
        pane.token_ends.pop(name, None)
        if value is None:
            pane.tokens.pop(name, None)
            continue
        pane.tokens[name] = value[:TOKEN_LENGTH]
        if ttl_ms is not None:
            _expire_later(app, pane, name, ttl_ms / 1000)
    return pane.tokens != before


def _expire_later(app: App, pane: Pane, name: str, seconds: float) -> None:
    end = pane.token_ends[name] = app.clock.now_s() + seconds

    def expire() -> None:
        if pane.token_ends.get(name) == end:
            del pane.token_ends[name]
            pane.tokens.pop(name, None)
            agents.tell_updated(app, pane)

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
}
