"""Pressing a key that pauses the agent: the second version of this project, kept as a strategy.

The draft is safe, but whatever has the keyboard may swallow the key: a dialog, an external editor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ..kinds import HostUnavailable
from ..model import Delivery

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..kinds import Context
    from ..model import Pane, PauseRequest


class KeysTransport:
    """An `AgentTransport` that presses keys. Subclasses set `name` and `keys`."""

    name: str
    """By which the settings select it."""
    keys: ClassVar[Sequence[str]]
    """Named host-neutrally: `ctrl+alt+p`. They must pause and never toggle."""

    def __init__(self, settings: object, context: Context) -> None:
        self._context = context

    def request_pause(self, pane: Pane, request: PauseRequest) -> Delivery:
        if not request.runs:
            return Delivery.refused("a key press cannot be withdrawn")
        try:
            self._context.control(pane.session).send_keys(pane, self.keys)
        except HostUnavailable as error:
            return Delivery.refused(str(error))
        return Delivery.sent("pressed " + " ".join(self.keys))

    def request_resume(self, pane: Pane, engagement: str) -> Delivery:
        return Delivery.refused("a key press cannot resume one engagement and no other")
