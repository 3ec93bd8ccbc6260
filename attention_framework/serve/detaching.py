"""Starting the resident controller so that it outlives whoever starts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import Expected
from .client import NoServer, server_status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..app import App
    from ..effects import Detached, Processes
    from ..model import HostEnvironment

READY_WITHIN_MS = 20_000.0
LOOK_EVERY_MS = 20.0
FAILED = "cannot serve: "
"""What the child's line in the log begins with when it gives up."""


def start_detached(app: App, options: Sequence[str] = ()) -> dict[str, Any]:
    """The status of the new controller, once it answers. Raises Expected with what kept it from starting.

    Where several are started at once, one serves. Ours has then ended before this returns: one that were still on its way
    would take the place that a `stop` makes free.
    """
    clock, files = app.effects.clock, app.effects.files
    said_before = files.size(app.state.log)
    environment = own_environment(app.effects.environment, app.context.hosts)
    started = app.effects.processes.start_detached(
        (*app.context.command, "serve", *options), environment, app.state.root
    )
    end_ms = clock.monotonic_ms() + READY_WITHIN_MS
    status: dict[str, Any] | None = None
    while clock.monotonic_ms() < end_ms:
        try:
            status = server_status(app.state, app.effects)
            if started.ended() or _is(started, status, app.effects.processes):
                return status
        except NoServer:
            if problem := _failure(_said_since(app, said_before)):
                raise Expected(f"the controller could not start: {problem}") from None
        clock.sleep_ms(LOOK_EVERY_MS)
    if status is not None:
        return status
    said = _said_since(app, said_before).strip() or "nothing"
    raise Expected(
        f"the controller does not answer within {READY_WITHIN_MS / 1000:.0f} s. "
        f"In {app.state.log} it has said: {said[-2000:]}"
    )


def _is(started: Detached, status: Mapping[str, Any], processes: Processes) -> bool:
    return started.pid in (status["pid"], *processes.ancestors(int(status["pid"])))


def own_environment(environment: Mapping[str, str], hosts: Sequence[HostEnvironment]) -> dict[str, str]:
    """Without what names a pane or a session of a host, and what begins alike: whoever starts the controller may run
    in a pane, or be a hook of one session, and the controller is everybody's.
    """
    names = {name for host in hosts for name in (host.pane, host.address)}
    prefixes = tuple(filter(None, (_family(host) for host in hosts)))
    return {
        name: value
        for name, value in environment.items()
        if name not in names and not (prefixes and name.startswith(prefixes))
    }


def _family(host: HostEnvironment) -> str:
    """`HERDR_`, where the names of the two variables begin so; empty where they have no such word in common."""
    word, line, _ = host.pane.partition("_")
    return word + line if line and host.address.startswith(word + line) else ""


def _said_since(app: App, size: int) -> str:
    try:
        content = app.effects.files.read(app.state.log)
    except OSError:
        return ""
    return content[size if len(content) >= size else 0 :].decode(errors="replace")


def _failure(said: str) -> str:
    _, found, rest = said.partition(FAILED)
    return rest.strip() if found and rest.endswith("\n") else ""
