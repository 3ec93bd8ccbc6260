"""events.subscribe and events.wait: polled every 100 ms, one event for each subscription and look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import requests
from .errors import ApiError
from .hub import Event

if TYPE_CHECKING:
    from .requests import Request
    from .server import Server
    from .transport import Connection

POLL_S = 0.1
STATUS = "pane.agent_status_changed"
PER_PANE = (STATUS, "pane.scroll_changed", "pane.output_matched")
TYPES = (
    "workspace.created", "workspace.updated", "workspace.metadata_updated", "workspace.closed", "workspace.renamed",
    "workspace.moved", "workspace.reordered", "workspace.focused", "worktree.created", "worktree.opened", "worktree.removed",
    "tab.created", "tab.closed", "tab.renamed", "tab.moved", "tab.focused", "pane.created", "pane.updated", "pane.closed",
    "pane.focused", "pane.moved", "pane.exited", "pane.agent_detected", "layout.updated", *PER_PANE,
)  # fmt: skip


@dataclass(slots=True)
class Subscription:
    """One entry of a request, with a cursor of its own.
    All start at the oldest event that is kept, only status at now.
    """

    name: str
    pane_id: str | None = None
    wanted: str | None = None
    cursor: int = 0
    status: str = ""
    first: bool = True

    def poll(self, server: Server) -> Event | None:
        if self.name == STATUS:
            return self._poll_status(server)
        found = server.app.hub.after(self.cursor, self.name, self.pane_id)
        if found is None:
            return None
        self.cursor, event = found
        return event

    def _poll_status(self, server: Server) -> Event | None:
        """Looks at the pane itself, so it also sees `done` become
        `idle` when somebody looks, which is no event.
        """
        now = server.app.loop.request(lambda: _status(server, self.pane_id), server.stopping)
        changed = now.data["agent_status"] != self.status and not self.first
        fits = self.wanted in (None, now.data["agent_status"])
        initial = self.first and self.wanted is not None and fits
        self.first, self.status = False, now.data["agent_status"]
        return now if (changed and fits) or initial else None


def stream(server: Server, connection: Connection, request: Request, *, spoken: bool) -> None:
    """`spoken`: the subscriber has sent more than its line already, which ends the stream at once."""
    try:
        subscriptions = [_subscription(server, entry) for entry in request.params["subscriptions"]]
    except ApiError as error:
        connection.write(requests.failure(request.id, error))
        connection.write(b"\n")
        return
    _write(connection, {"id": request.id, "result": {"type": "subscription_started"}})
    while not spoken and not connection.ended():
        for subscription in subscriptions:
            event = subscription.poll(server)
            if event is not None:
                _write(connection, event.streamed())
        if not server.app.clock.sleep(POLL_S, server.stopping):
            return


def wait(server: Server, connection: Connection, params: dict[str, Any]) -> dict[str, Any]:
    """Only a change of status can be waited for."""
    match, timeout_ms = params["match_event"], params["timeout_ms"]
    if match.get("event") != STATUS.replace(".", "_"):
        raise ApiError("unsupported_event_wait_match", "only pane_agent_status_changed can be waited for")
    entry = Subscription(STATUS, match.get("pane_id"), match.get("agent_status"))
    clock = server.app.clock
    end = None if timeout_ms is None else clock.now_s() + timeout_ms / 1000
    while not connection.ended():
        event = entry.poll(server)
        if event is not None:
            return {"type": "wait_matched", "event": event.envelope()}
        if end is not None and clock.now_s() >= end:
            raise ApiError("timeout", "timed out waiting for event")
        if not clock.sleep(POLL_S, server.stopping):
            break
    raise ApiError("server_unavailable", "server is shutting down")


def _subscription(server: Server, entry: object) -> Subscription:
    name = entry.get("type") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or name not in TYPES:
        raise ApiError("invalid_params", f"unknown subscription type {name}")
    if name not in PER_PANE:
        return Subscription(name)
    if name != STATUS:
        raise ApiError("not_implemented", f"the simulator has no {name}")
    pane_id = entry.get("pane_id")
    server.app.loop.request(lambda: server.app.state.pane(str(pane_id)), server.stopping)
    return Subscription(STATUS, pane_id, entry.get("agent_status"))


def _status(server: Server, pane_id: str | None) -> Event:
    pane = server.app.state.pane(str(pane_id))
    agent = {"agent": pane.agent} if pane.agent else {}
    where = {"pane_id": pane.id, "workspace_id": pane.workspace.id}
    return Event(STATUS, {**where, "agent_status": pane.status, **agent})


def _write(connection: Connection, document: dict[str, Any]) -> None:
    connection.write(requests.encoded(document, alphabetical=True))
    connection.write(b"\n")
