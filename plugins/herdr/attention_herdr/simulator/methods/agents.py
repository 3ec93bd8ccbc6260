"""agent.*: only the id of today or a unique name finds an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import keys, panes, shapes
from ..errors import ApiError
from .panes import read_result

if TYPE_CHECKING:
    from ..app import App
    from ..programs import Program
    from ..state import Pane

ENTER_AFTER_S = 0.3
"""Enter follows the text of a prompt this much later,
so what the person types in between is merged (Herdr 0.8.2).
"""


def list_agents(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return {"type": "agent_list", "agents": [shapes.agent(app.state, pane) for pane in app.state.agents()]}


def get(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return _info(app, app.state.agent(params["target"]))


def focus(app: App, params: dict[str, Any]) -> dict[str, Any]:
    pane = app.state.agent(params["target"])
    panes.focus_pane(app, pane)
    return _info(app, pane)


def read(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return read_result(app.state.agent(params["target"]), params)


def send_keys(app: App, params: dict[str, Any]) -> dict[str, Any]:
    """One write for all keys; `ok` says that they are queued,
    not that anybody has read them. A blocked agent is not refused.
    """
    pane = app.state.agent(params["target"])
    data = b"".join(keys.encode_all(params["keys"]))
    if not _foreground(pane).send(data):
        raise ApiError("agent_send_keys_failed", f"agent {pane.id} does not take input")
    return {"type": "ok"}


def prompt(app: App, params: dict[str, Any]) -> dict[str, Any]:
    """Text, then Enter: it joins whatever stands in the program's editor."""
    if not params["text"]:
        raise ApiError("empty_agent_prompt", "agent prompt must not be empty")
    pane = app.state.agent(params["target"])
    if pane.state == "blocked":
        raise ApiError("agent_blocked", f"agent {pane.id} is blocked")
    program = _foreground(pane)
    text = params["text"].encode()
    if pane.screen.bracketed_paste:
        text = b"\x1b[200~" + text + b"\x1b[201~"
    if not program.send(text):
        raise ApiError("agent_prompt_failed", f"agent {pane.id} does not take input")
    app.loop.after(ENTER_AFTER_S, lambda: program.send(b"\r"))
    return {"type": "agent_prompted", "agent": shapes.agent(app.state, pane)}


def _foreground(pane: Pane) -> Program:
    """The agent's program, if it runs right now."""
    if pane.program is None or pane.program.kind != pane.agent or not pane.program.running:
        raise ApiError("agent_not_ready", f"agent {pane.id} is not ready")
    return pane.program


def _info(app: App, pane: Pane) -> dict[str, Any]:
    return {"type": "agent_info", "agent": shapes.agent(app.state, pane)}


HANDLERS = {
    "agent.list": list_agents,
    "agent.get": get,
    "agent.focus": focus,
    "agent.read": read,
    "agent.send_keys": send_keys,
    "agent.prompt": prompt,
}
