"""Carrying out an intent: hand the request to the first transport that takes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ..model import Delivery, DeliveryStatus, Outcome, PauseRequest
from ..state.deliveries import Outstanding
from .plan import Intent, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..bounded import Caller
    from ..kinds import AgentTransport
    from ..model import Pane


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of an intent."""

    outcome: Outcome
    reason: str
    transport: str = ""
    outstanding: Outstanding | None = None


def deliver(pane: Pane, intent: Intent, transports: Sequence[AgentTransport], asked: Outstanding | None, now_ms: int, call: Caller) -> Delivered:
    if intent.step is Step.RESUME:
        delivery = hand_over(pane, transports, lambda transport: transport.request_resume(pane, str(intent.engagement)), call)
        return _delivered(intent, delivery, None)
    if intent.step is Step.WITHDRAW:
        delivery = hand_over(pane, transports, lambda transport: transport.request_pause(pane, PauseRequest(())), call)
        return Delivered(Outcome.RELEASED, f"{intent.reason}; {delivery.reason}", delivery.transport)
    return _deliver_pause(pane, intent, transports, asked, now_ms, call)


def _deliver_pause(pane: Pane, intent: Intent, transports: Sequence[AgentTransport], asked: Outstanding | None, now_ms: int, call: Caller) -> Delivered:
    names = tuple(run.id for run in intent.runs)
    # A request dated in the future was made before the clock was set back: its ages mean nothing any more.
    again = asked if asked and asked.runs == names and asked.last_ms <= now_ms else None
    if again and now_ms - again.last_ms < _limit_ms(transports, again.transport, "retry_after_s"):
        return Delivered(*_unconfirmed(again, transports, now_ms, intent), again.transport, again)
    request = PauseRequest(intent.runs)
    delivery = hand_over(pane, transports, lambda transport: transport.request_pause(pane, request), call)
    if delivery.status is DeliveryStatus.REFUSED:
        return _delivered(intent, delivery, None)
    outstanding = replace(again, last_ms=now_ms, attempts=again.attempts + 1) if again else Outstanding(names, delivery.transport, now_ms, now_ms)
    outcome, reason = _unconfirmed(outstanding, transports, now_ms, intent)
    return Delivered(outcome, f"{reason}; {delivery.reason}" if delivery.reason else reason, delivery.transport, outstanding)


def hand_over(pane: Pane, transports: Sequence[AgentTransport], ask: Callable[[AgentTransport], Delivery], call: Caller) -> Delivery:
    """The delivery of the first transport that does not refuse; else the refusals of all."""
    refusals = []
    for transport in transports:
        result = call.call(transport.name, partial(ask, transport))
        delivery = result.value or Delivery.refused(result.problem)
        if delivery.status is not DeliveryStatus.REFUSED:
            return replace(delivery, transport=transport.name)
        refusals.append(f"{transport.name}: {delivery.reason}")
    return Delivery.refused("; ".join(refusals) or "no transport is set for this agent")


def _unconfirmed(asked: Outstanding, transports: Sequence[AgentTransport], now_ms: int, intent: Intent) -> tuple[Outcome, str]:
    limit_ms = _limit_ms(transports, asked.transport, "report_unconfirmed_after_s", 10.0)
    waited_ms = now_ms - asked.first_ms
    if limit_ms and waited_ms >= limit_ms:
        return Outcome.NOT_CONFIRMED, f"asked {waited_ms / 1000:.0f} s ago and {asked.attempts} times, and no pause has been seen"
    return Outcome.PAUSE_SENT, intent.reason


def _limit_ms(transports: Sequence[AgentTransport], name: str, attribute: str, default: float = 0.0) -> float:
    transport = next((transport for transport in transports if transport.name == name), None)
    return float(getattr(transport, attribute, default)) * 1000


def _delivered(intent: Intent, delivery: Delivery, outstanding: Outstanding | None) -> Delivered:
    if delivery.status is DeliveryStatus.REFUSED:
        return Delivered(Outcome.REFUSED, delivery.reason)
    return Delivered(intent.outcome, f"{intent.reason}; {delivery.reason}", delivery.transport, outstanding)
