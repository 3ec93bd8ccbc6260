"""What holds for each agent that runs now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state.names import session_key
from .guarantees import Facts, Standing, standing

if TYPE_CHECKING:
    from ..app import App
    from ..model import Pane, Session


def standings(app: App, only: Session | None = None) -> list[tuple[str, Standing]]:
    """With the name of the agent for people, such as `tmux %1 omp`."""
    app.require_sources()
    resident = is_resident(app)
    found = []
    for session, look in app.looks():
        if only is None or session_key(session) == session_key(only):
            for candidate in look.candidates:
                pane = candidate.pane
                found.append(
                    (f"{session.host} {pane.id} {pane.agent}", standing(_facts(app, pane, resident)))
                )
    return found


def is_resident(app: App) -> bool:
    from ..serve.client import NoServer, server_status

    try:
        server_status(app.state, app.effects)
    except NoServer:
        return False
    return True


def _facts(app: App, pane: Pane, resident: bool) -> Facts:
    settings = app.configuration.settings.reflex
    acknowledged = app.strategies.agents[str(pane.agent)].acknowledged
    return Facts(resident, settings.mode, settings.fail, acknowledged, pane.hello)
