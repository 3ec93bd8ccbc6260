"""What each method does. A handler runs on the loop
and returns the `result` of the reply, or raises ApiError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import ApiError
from . import agents, panes, plugins, reports, server, tabs

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..app import App

HANDLERS: dict[str, Callable[[App, dict[str, Any]], dict[str, Any]]] = {
    **server.HANDLERS,
    **tabs.HANDLERS,
    **panes.HANDLERS,
    **reports.HANDLERS,
    **agents.HANDLERS,
    **plugins.HANDLERS,
}


def answer(app: App, method: str, params: dict[str, Any]) -> dict[str, Any]:
    handler = HANDLERS.get(method)
    if handler is None:
        raise ApiError("not_implemented", f"the simulator does not know what {method} does")
    return handler(app, params)
