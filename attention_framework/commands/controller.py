"""What a person is told of the resident controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .local_time import local_time

if TYPE_CHECKING:
    from ..app import App

NONE = "none is resident: every event runs a cycle of its own"


def controller_status(app: App) -> dict[str, Any] | None:
    """The part of its status that a person asks for; None if none answers."""
    from ..serve.client import NoServer, server_status

    try:
        status = server_status(app.state, app.effects)
        return {
            "pid": int(status["pid"]),
            "started_ms": int(status["started_ms"]),
            "sessions": len(status["sessions"]),
            "problems": list(_problems(status)),
        }
    except (NoServer, KeyError, TypeError, ValueError):
        return None


def in_a_line(status: dict[str, Any] | None) -> str:
    if status is None:
        return f"controller: {NONE}"
    since = local_time(status["started_ms"])
    found = "1 session" if status["sessions"] == 1 else f"{status['sessions']} sessions"
    problems = "".join(f"; {problem}" for problem in status["problems"])
    return f"controller: resident, pid {status['pid']} since {since}, {found}{problems}"


def _problems(status: dict[str, Any]) -> list[str]:
    settings = status["settings"]["problem"]
    found = [f"its settings are older ones, the present ones are wrong: {settings}"] if settings else []
    for session in status["sessions"]:
        if session["watch"] == "backing off":
            found.append(f"{session['address']} is not watched at the moment: {session['watch_problem']}")
        elif session["error"]:
            found.append(f"{session['address']}: {session['error']}")
    for source in status["breaks"]:
        if source["state"] == "backing off":
            found.append(f"{source['name']} is not followed at the moment: {source['problem']}")
    return found + [f"{name} {reason}" for name, reason in status["given_up"].items()]
