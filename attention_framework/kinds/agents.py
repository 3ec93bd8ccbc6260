"""How an agent is asked to pause, and seen to have paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..model import Delivery, Observation, Pane, PauseRequest


class AgentTransport(Protocol):
    """A way to carry a request to an agent. Three to subclass: `MailboxTransport`, `KeysTransport`, `PromptTransport`.

    It may have more, and is treated accordingly:

    - `mailbox = True`, in the class: it leaves requests in the mailbox of the agent process, so it reaches only an agent
      that has said hello, and the agent acknowledges. Without it no hello is asked for, and no acknowledgement promised.
    - `outstanding(pane) -> bool`: whether a request to this pane is still on its way. Without it none can be withdrawn.
    - `retry_after_s`: a request is handed over again after so many seconds at the earliest, 0 without it.
    - `report_unconfirmed_after_s`: how many seconds after the first one a pause that was not seen is reported as not
      confirmed; 10 without it, 0 for never.
    """

    name: str
    """By which the settings select it."""

    def request_pause(self, pane: Pane, request: PauseRequest) -> Delivery:
        """Ask for a pause by the full set of runs; an empty set withdraws."""
        ...

    def request_resume(self, pane: Pane, engagement: str) -> Delivery:
        """Ask to end that engagement and no other."""
        ...


class PauseDetector(Protocol):
    """A way to see what an agent does. In the order of the settings the first that knows decides."""

    name: str
    """By which the settings select it."""

    def observe(self, pane: Pane) -> Observation:
        """What this agent does now, with the evidence. Whatever cannot be told, such as of a host that gives no
        answer, is `UNKNOWN` with the reason, and no error.
        """
        ...
