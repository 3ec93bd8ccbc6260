"""session.* and notification.*"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import shapes

if TYPE_CHECKING:
    from ..app import App

PONG = {
    "type": "pong",
    "version": shapes.VERSION,
    "protocol": shapes.PROTOCOL,
    "capabilities": {"live_handoff": True, "detached_server_daemon": True},
}


def snapshot(app: App, params: dict[str, Any]) -> dict[str, Any]:
    return {"type": "session_snapshot", "snapshot": shapes.snapshot(app.state)}


def show_notification(app: App, params: dict[str, Any]) -> dict[str, Any]:
    """Kept for tests to look at. `disabled` is what a fresh Herdr answers."""
    app.notifications.append(params)
    return {"type": "notification_show", "shown": app.notify_reason == "shown", "reason": app.notify_reason}


HANDLERS = {"session.snapshot": snapshot, "notification.show": show_notification}
