"""Typing a command into the agent's editor: the first version of this project, kept as a strategy.

The editor is not a control channel. A draft that stands
there is submitted together with the command, and lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..kinds import HostUnavailable
from ..model import Delivery

if TYPE_CHECKING:
    from ..kinds import Context
    from ..model import Pane, PauseRequest


class PromptTransport:
    """An `AgentTransport` that types a command. Subclasses set `name` and `text`."""

    name: str
    """By which the settings select it."""
    text: ClassVar[str]
    """The command that pauses the agent: `/pause`."""

    def __init__(self, settings: object, context: Context) -> None:
        self._context = context

    def request_pause(self, pane: Pane, request: PauseRequest) -> Delivery:
        if not request.runs:
            return Delivery.refused("a typed command cannot be withdrawn")
        try:
            self._context.control(pane.session).send_prompt(pane, self.text)
        except HostUnavailable as error:
            return Delivery.refused(str(error))
        return Delivery.sent(f"typed {self.text}")

    def request_resume(self, pane: Pane, engagement: str) -> Delivery:
        return Delivery.refused("a typed command cannot resume: the pause screen takes no text")
