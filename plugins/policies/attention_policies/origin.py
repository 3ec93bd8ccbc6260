"""Agents that have just been started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import Verdict, agent_identity

if TYPE_CHECKING:
    from attention_framework import Context, Pane, View


class Origin:
    """Spares an agent that started after the last focus change, until the next one:
    the person, or a program of the person's, has just wanted it.

    Counts changes instead of comparing times: no clock that is set back can make an old agent new.
    """

    name = "origin"

    def __init__(self, settings: None, context: Context) -> None:
        pass

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        if pane.agent is None or agent_identity(pane) in view.focus.agents:
            return None
        if _identities(pane) & view.focus.agents:
            return None
        return Verdict.run("it started after the last focus change")


def _identities(pane: Pane) -> frozenset[str]:
    """As what it may have been remembered:
    an agent that was there before its hello is not new when the hello comes.
    """
    return frozenset((agent_identity(pane), *(f"{name}:{pane.agent}" for name in pane.names)))
