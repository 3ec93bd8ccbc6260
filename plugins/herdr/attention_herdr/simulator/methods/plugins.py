"""plugin.*"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import ApiError
from ..plugins.context import context_of

if TYPE_CHECKING:
    from ..app import App
    from ..plugins.manifest import Command
    from ..plugins.registry import Plugin

DEFAULT_ROWS = 50


def link(app: App, params: dict[str, Any]) -> dict[str, Any]:
    plugin = app.registry.link(params["path"], enabled=params["enabled"], source=params["source"])
    return {"type": "plugin_linked", "plugin": plugin.shape()}


def unlink(app: App, params: dict[str, Any]) -> dict[str, Any]:
    removed = app.registry.unlink(params["plugin_id"])
    return {"type": "plugin_unlinked", "plugin_id": params["plugin_id"], "removed": removed}


def list_plugins(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return {"type": "plugin_list", "plugins": app.registry.shapes()}


def enable(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return {"type": "plugin_enabled", "plugin": app.registry.enable(params["plugin_id"], True).shape()}


def disable(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return {"type": "plugin_disabled", "plugin": app.registry.enable(params["plugin_id"], False).shape()}


def list_log(app: App, params: dict[str, Any]) -> dict[str, Any]:
    limit = DEFAULT_ROWS if params["limit"] is None else params["limit"]
    return {"type": "plugin_log_list", "logs": app.hooks.rows(params["plugin_id"], limit)}


def invoke(app: App, params: dict[str, Any]) -> dict[str, Any]:
    """Returns at the start of the command; what came of it is in the log alone."""
    plugin, command = _action(app, params["action_id"], params["plugin_id"])
    entry = next(entry for entry in plugin.shape()["actions"] if entry["id"] == command.key)
    context = context_of(app.state, None, "api", f"{plugin.id}.{command.key}")
    variables = app.registry.environment(plugin, None, context, None)
    log = app.hooks.run(
        plugin, None, command, {**variables, "HERDR_PLUGIN_ACTION_ID": command.key}, command.key
    )
    action = {
        "plugin_id": plugin.id,
        "action_id": command.key,
        "title": entry["title"],
        "command": list(command.argv),
    }
    return {"type": "plugin_action_invoked", "action": action, "context": context, "log": log}


def _action(app: App, action_id: str, plugin_id: str | None) -> tuple[Plugin, Command]:
    """By `<plugin>.<action>`, or by the bare id where only one plugin has it."""
    found = []
    for plugin in app.registry.all():
        bare = action_id.removeprefix(f"{plugin.id}.")
        command = plugin.action(bare)
        if command is not None and plugin_id in (None, plugin.id):
            found.append((plugin, command))
    if not found:
        raise ApiError("plugin_action_not_found", f"plugin action {action_id} not found")
    if len(found) > 1:
        raise ApiError("ambiguous_plugin_action", f"plugin action {action_id} is ambiguous")
    plugin, command = found[0]
    if not plugin.enabled:
        raise ApiError("plugin_disabled", f"plugin {plugin.id} is disabled")
    if not plugin.manifest.here or not command.here:
        raise ApiError("platform_unsupported", f"plugin action {action_id} does not support this platform")
    return plugin, command


HANDLERS = {
    "plugin.link": link,
    "plugin.unlink": unlink,
    "plugin.list": list_plugins,
    "plugin.enable": enable,
    "plugin.disable": disable,
    "plugin.log.list": list_log,
    "plugin.action.invoke": invoke,
}
