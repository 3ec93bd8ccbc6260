"""Transports ask an agent to pause or to resume; detectors see whether it is paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ..model import Delivery, Observation, Pane, PauseRequest


class AgentTransport(Protocol):
    """A way to carry a request to an agent. Often a subclass of `MailboxTransport`, `KeysTransport` or `PromptTransport`
    is enough.

    A transport may also have these attributes. Each of them is optional:

    - `mailbox = True`, set in the class: the transport leaves requests in the mailbox folder of the agent process. It then
      reaches only an agent that has written its status file (its "hello"), and the agent acknowledges each pause. Without
      it, the agent needs no status file, and no acknowledgement is expected.
    - `outstanding(pane) -> bool`: whether the agent in this pane may still act on a request that was handed over before.
      Only then is the transport asked to withdraw the request. Without it, the transport is never asked to withdraw any.
    - `retry_after_s`: the shortest time, in seconds, before the same request is handed over again. Without it: 0.
    - `report_unconfirmed_after_s`: if no detector has seen the pause this many seconds after the first request, the pause is
      reported as not confirmed. 0: never. Without it: 10.
    """

    name: str
    """The name by which the settings select it: `agents.<agent>.transport`."""

    def request_pause(self, pane: Pane, request: PauseRequest) -> Delivery:
        """Ask the agent to pause. The request names all runs (reasons to pause) that hold now, and replaces any request
        before it. A request without runs withdraws what was asked before. What the transport cannot do, it refuses with
        the reason (`Delivery.refused`); it does not raise.
        """
        ...

    def request_resume(self, pane: Pane, engagement: str) -> Delivery:
        """Ask the agent to end one pause: the one that has this engagement (`Observation.engagement`). A pause that
        began later has another engagement and must not end. A transport that cannot name one pause refuses.
        """
        ...


class PauseDetector(Protocol):
    """A way to see what an agent does. The settings list detectors in an order; the first one that does not answer
    `UNKNOWN` decides.
    """

    name: str
    """The name by which the settings select it: `agents.<agent>.detector`."""

    def observe(self, pane: Pane) -> Observation:
        """What the agent in this pane does now, and what shows it (`evidence`). Does not raise: if this cannot be found
        out, for instance because the host does not answer, the state is `UNKNOWN` and the evidence says why.
        """
        ...
