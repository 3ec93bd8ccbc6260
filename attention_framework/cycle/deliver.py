"""Carrying out an intent: hand the request to the first transport that takes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ..model import Delivery, DeliveryStatus, Outcome, PauseRequest
from ..state.deliveries import Outstanding
from .answers import checked
from .plan import Deed, Intent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..bounded import Caller
    from ..kinds import AgentTransport
    from ..model import Pane


WAITING = "not asked again so soon"


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of an intent."""

    outcome: Outcome
    reason: str
    transport: str = ""
    outstanding: Outstanding | None = None


def deliver(
    pane: Pane,
    intent: Intent,
    transports: Sequence[AgentTransport],
    asked: Outstanding | None,
    now_ms: int,
    call: Caller,
) -> Delivered:
    if intent.deed is Deed.WITHDRAW:
        return _withdraw(pane, intent, transports, call)
    if intent.deed is Deed.RESUME:
        return _delivered(intent, ask_to_resume(pane, str(intent.engagement), transports, call), None)
    return _deliver_pause(pane, intent, transports, asked, now_ms, call)


def ask_to_resume(
    pane: Pane, engagement: str, transports: Sequence[AgentTransport], call: Caller
) -> Delivery:
    """Ask for the end of that engagement, by the first transport that takes the request."""
    return hand_over(transports, lambda transport: transport.request_resume(pane, engagement), call)


def _withdraw(pane: Pane, intent: Intent, transports: Sequence[AgentTransport], call: Caller) -> Delivered:
    """Only a transport that keeps requests can take one back; of the others nothing is left to take."""
    keeping = [transport for transport in transports if outstanding(transport, pane)]
    if not keeping:
        return Delivered(Outcome.RELEASED, f"{intent.reason}; nothing of the request is left")
    delivery = hand_over(keeping, lambda transport: transport.request_pause(pane, PauseRequest(())), call)
    return _delivered(intent, delivery, None)


def _deliver_pause(
    pane: Pane,
    intent: Intent,
    transports: Sequence[AgentTransport],
    asked: Outstanding | None,
    now_ms: int,
    call: Caller,
) -> Delivered:
    names = tuple(run.id for run in intent.runs)
    # A request dated in the future was made before the clock was set back: its ages mean nothing any more.
    again = asked if asked and asked.runs == names and asked.last_ms <= now_ms else None
    request = PauseRequest(intent.runs)

    def ask(transport: AgentTransport) -> Delivery:
        if again and again.transport == transport.name and not _due(transport, again, now_ms):
            return Delivery.sent(WAITING)
        return transport.request_pause(pane, request)

    delivery = hand_over(transports, ask, call)
    if delivery.status is DeliveryStatus.REFUSED:
        return _delivered(intent, delivery, None)
    present = _asked(names, delivery, again, now_ms)
    outcome, reason = _unconfirmed(present, transports, now_ms, intent)
    return Delivered(
        outcome, f"{reason}; {delivery.reason}" if delivery.reason else reason, delivery.transport, present
    )


def hand_over(
    transports: Sequence[AgentTransport], ask: Callable[[AgentTransport], Delivery], call: Caller
) -> Delivery:
    """The delivery of the first transport that does not refuse; else the refusals of all."""
    refusals = []
    for transport in transports:
        result = call.call(transport.name, partial(checked(ask, Delivery), transport))
        delivery = result.value or Delivery.refused(result.problem)
        if delivery.status is not DeliveryStatus.REFUSED:
            return replace(delivery, transport=transport.name)
        refusals.append(f"{transport.name}: {delivery.reason}")
    return Delivery.refused("; ".join(refusals) or "no transport is set for this agent")


def outstanding(transport: AgentTransport, pane: Pane) -> bool:
    """Whether the transport still keeps a request for this pane; one that cannot tell keeps none."""
    ask = getattr(transport, "outstanding", None)
    return bool(ask and ask(pane))


def _due(transport: AgentTransport, again: Outstanding, now_ms: int) -> bool:
    """A key or a command that was sent a moment ago may still be on its way:
    a second one would be one too many.
    """
    return now_ms - again.last_ms >= float(getattr(transport, "retry_after_s", 0.0)) * 1000


def _asked(names: tuple[str, ...], delivery: Delivery, again: Outstanding | None, now_ms: int) -> Outstanding:
    if again is None or again.transport != delivery.transport:
        return Outstanding(names, delivery.transport, again.first_ms if again else now_ms, now_ms)
    if delivery.reason == WAITING:
        return again
    return replace(again, last_ms=now_ms, attempts=again.attempts + 1)


def _unconfirmed(
    asked: Outstanding, transports: Sequence[AgentTransport], now_ms: int, intent: Intent
) -> tuple[Outcome, str]:
    limit_ms = _limit_ms(transports, asked.transport, "report_unconfirmed_after_s", 10.0)
    waited_ms = now_ms - asked.first_ms
    if limit_ms and waited_ms >= limit_ms:
        return (
            Outcome.NOT_CONFIRMED,
            f"asked {waited_ms / 1000:.0f} s ago and {asked.attempts} times, and no pause has been seen",
        )
    return Outcome.PAUSE_SENT, intent.reason


def _limit_ms(transports: Sequence[AgentTransport], name: str, attribute: str, default: float = 0.0) -> float:
    transport = next((transport for transport in transports if transport.name == name), None)
    return float(getattr(transport, attribute, default)) * 1000


def _delivered(intent: Intent, delivery: Delivery, outstanding: Outstanding | None) -> Delivered:
    if delivery.status is DeliveryStatus.REFUSED:
        return Delivered(Outcome.REFUSED, delivery.reason)
    return Delivered(intent.outcome, f"{intent.reason}; {delivery.reason}", delivery.transport, outstanding)
