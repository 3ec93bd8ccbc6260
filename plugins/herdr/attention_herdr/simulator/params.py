"""What each method takes. Unknown fields are ignored; a wrong or missing one makes the whole request invalid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import InvalidRequest

_TYPES: dict[str, tuple[type, ...]] = {
    "a string": (str,), "a boolean": (bool,), "u64": (int,), "f32": (int, float), "a sequence": (list,), "a map": (dict,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """`expected` is the word that Herdr's error uses for the type."""

    expected: str
    required: bool = False
    choices: tuple[str, ...] = ()
    default: object = None


TEXT, NEEDED = Field("a string"), Field("a string", required=True)
FLAG, NUMBER, FRACTION = Field("a boolean", default=False), Field("u64"), Field("f32")
LIST, MAP = Field("a sequence", required=True), Field("a map")
READ_SOURCE = Field("a string", required=True, choices=("visible", "recent", "recent_unwrapped", "detection"))
AGENT_STATE = Field("a string", required=True, choices=("idle", "working", "blocked", "unknown"))
SPLIT_DIRECTION = Field("a string", required=True, choices=("right", "down"))
DIRECTION = Field("a string", required=True, choices=("left", "right", "up", "down"))

_TARGET, _PANE = {"target": NEEDED}, {"pane_id": NEEDED}
_WORKSPACE, _TAB = {"workspace_id": NEEDED}, {"tab_id": NEEDED}
_READ = {"source": READ_SOURCE, "lines": NUMBER, "format": TEXT, "strip_ansi": FLAG}
_REPORT = {
    **_PANE,
    "source": NEEDED,
    "agent": NEEDED,
    "seq": NUMBER,
    "agent_session_id": TEXT,
    "agent_session_path": TEXT,
}
_NEW = {"cwd": TEXT, "label": TEXT, "env": MAP, "focus": FLAG}
_PLUGIN = {"plugin_id": NEEDED}

FIELDS: dict[str, dict[str, Field]] = {
    "ping": {},
    "server.stop": {},
    "session.snapshot": {},
    "agent.list": {},
    "agent.get": _TARGET,
    "agent.focus": _TARGET,
    "agent.read": {**_TARGET, **_READ},
    "agent.send_keys": {**_TARGET, "keys": LIST},
    "agent.prompt": {**_TARGET, "text": NEEDED, "wait": MAP},
    "pane.list": {"workspace_id": TEXT},
    "pane.current": {"caller_pane_id": TEXT},
    "pane.get": _PANE,
    "pane.focus": _PANE,
    "pane.close": _PANE,
    "pane.read": {**_PANE, **_READ},
    "pane.send_keys": {**_PANE, "keys": LIST},
    "pane.send_text": {**_PANE, "text": NEEDED},
    "pane.focus_direction": {"pane_id": TEXT, "direction": DIRECTION},
    "pane.split": {
        "workspace_id": TEXT, "target_pane_id": TEXT, "direction": SPLIT_DIRECTION, "ratio": FRACTION, "cwd": TEXT, "focus": FLAG,
        "right_click": TEXT, "env": MAP,
    },
    "pane.move": {**_PANE, "destination": Field("a map", required=True), "focus": FLAG},
    "pane.report_agent": {**_REPORT, "state": AGENT_STATE, "message": TEXT},
    "pane.report_agent_session": {**_REPORT, "session_start_source": TEXT},
    "pane.report_metadata": {
        **_PANE, "source": NEEDED, "agent": TEXT, "applies_to_source": TEXT, "title": TEXT, "display_agent": TEXT,
        "state_labels": MAP, "tokens": MAP, "clear_title": FLAG, "clear_display_agent": FLAG, "clear_state_labels": FLAG,
        "seq": NUMBER, "ttl_ms": NUMBER,
    },
    "workspace.create": _NEW,
    "workspace.list": {},
    "workspace.focus": _WORKSPACE,
    "workspace.close": _WORKSPACE,
    "workspace.report_metadata": {
        **_WORKSPACE, "source": NEEDED, "tokens": Field("a map", required=True), "seq": NUMBER, "ttl_ms": NUMBER,
    },
    "tab.create": {"workspace_id": TEXT, **_NEW},
    "tab.focus": _TAB,
    "tab.close": _TAB,
    "notification.show": {"title": NEEDED, "body": TEXT, "sound": TEXT, "position": TEXT},
    "events.subscribe": {"subscriptions": LIST},
    "events.wait": {"match_event": Field("a map", required=True), "timeout_ms": NUMBER},
    "plugin.link": {"path": NEEDED, "enabled": Field("a boolean", default=True), "source": MAP},
    "plugin.list": {},
    "plugin.unlink": _PLUGIN,
    "plugin.enable": _PLUGIN,
    "plugin.disable": _PLUGIN,
    "plugin.log.list": {"plugin_id": TEXT, "limit": NUMBER},
    "plugin.action.invoke": {"action_id": NEEDED, "plugin_id": TEXT, "context": MAP},
}  # fmt: skip


def checked(method: str, given: object, where: str) -> dict[str, Any]:
    """The known parameters with their defaults. `where` ends the message, as Herdr's reader puts it."""
    if not isinstance(given, dict):
        raise InvalidRequest(f"invalid type: {_told(given)}, expected struct{where}")
    return {name: _value(name, field, given, where) for name, field in FIELDS[method].items()}


def _value(name: str, field: Field, given: dict[str, Any], where: str) -> Any:
    value = given.get(name)
    if name not in given or (value is None and not field.required):
        if field.required:
            raise InvalidRequest(f"missing field `{name}`{where}")
        return field.default
    wanted = _TYPES[field.expected]
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        raise InvalidRequest(f"invalid type: {_told(value)}, expected {field.expected}{where}")
    if field.choices and value not in field.choices:
        raise InvalidRequest(
            f"unknown variant `{value}`, expected one of {', '.join(f'`{c}`' for c in field.choices)}{where}"
        )
    return value


def _told(value: object) -> str:
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if isinstance(value, str):
        return f'string "{value}"'
    if isinstance(value, int):
        return f"integer `{value}`"
    if isinstance(value, float):
        return f"floating point `{value}`"
    return {type(None): "null", list: "sequence"}.get(type(value), "map")
