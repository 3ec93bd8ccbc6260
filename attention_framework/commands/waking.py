"""Waking sessions from a command: by the resident controller where one runs, else by this process."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .reconcile import tell

if TYPE_CHECKING:
    from ..app import App
    from ..model import Session
    from ..serve.client import Answer

WRONG_USAGE = 2


@dataclass(frozen=True, slots=True)
class Told:
    """What has been printed of wake-ups."""

    code: int
    """1 if one of them failed, or if none is known because a host gave no answer."""
    sessions: int


def wake_and_tell(app: App, trigger: str, session: Session | None = None) -> Told:
    """Have a cycle of this session, or of every one, that begins after this call, and print its decisions."""
    from ..serve.client import CYCLE_WITHIN_S, NoServer, ask_server

    where = {"host": session.host, "address": session.address} if session else {}
    try:
        answer = ask_server(
            app.state, app.effects, "wake", CYCLE_WITHIN_S, **where, trigger=trigger, count="yes"
        )
    except NoServer:
        return _alone(app, trigger, session)
    if answer.code == WRONG_USAGE:  # Its settings are others than ours.
        return _alone(app, trigger, session)
    return _told(answer)


def _alone(app: App, trigger: str, session: Session | None) -> Told:
    from ..runner import wake, wake_all

    woken = [wake(app, session, trigger)] if session else wake_all(app, trigger)
    unheard = not session and not woken and app.unanswered  # Which has been reported.
    return Told(1 if unheard else tell(woken), len(woken))


def _told(answer: Answer) -> Told:
    for line in answer.of("err"):
        print(line, file=sys.stderr)
    for line in answer.of("out"):
        print(line)
    return Told(answer.code, sum(map(int, answer.of("sessions"))))
