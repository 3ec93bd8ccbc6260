"""The contracts of transports and detectors."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ...model import AgentState, Delivery, DeliveryStatus, PauseRequest
from ..builders import pane, request, session
from .common import check_name, check_settings, within_bound

if TYPE_CHECKING:
    from ...kinds import AgentTransport, PauseDetector
    from ...model import Pane

UNREACHABLE = pane("w1:p1", session=session("/nowhere", host="no-such-host"))


class AgentTransportContract:
    """Needs two fixtures: `transport`, and `agent_pane`, a pane with a live agent in it.

    A mailbox transport finds the agent by `Pane.hello`. In the framework the cycle fills it in; here the fixture does:
    start `agent = FakeAgent(effects, context.state, SESSION).start(memory.processes)`, and return `pane(hello=agent.hello)`.
    """

    def test_it_can_be_chosen_and_set_by_a_settings_file(self, transport: AgentTransport) -> None:
        check_name(transport)
        check_settings(transport)

    def test_a_live_agent_is_reached(self, transport: AgentTransport, agent_pane: Pane) -> None:
        delivery = within_bound(lambda: transport.request_pause(agent_pane, request("focus", "b-1")))
        assert delivery.status in (DeliveryStatus.SENT, DeliveryStatus.ACCEPTED)

    def test_asking_again_is_no_error(self, transport: AgentTransport, agent_pane: Pane) -> None:
        first = transport.request_pause(agent_pane, request("focus"))
        assert transport.request_pause(agent_pane, request("focus")).status is first.status

    def test_handing_over_is_never_called_paused(self, transport: AgentTransport, agent_pane: Pane) -> None:
        assert "paused" not in transport.request_pause(agent_pane, request("focus")).reason

    def test_a_withdrawal_is_done_or_refused_with_the_reason(
        self, transport: AgentTransport, agent_pane: Pane
    ) -> None:
        transport.request_pause(agent_pane, request("focus"))
        _check_answer(transport.request_pause(agent_pane, PauseRequest(())))

    def test_a_withdrawal_of_nothing_is_answered(self, transport: AgentTransport, agent_pane: Pane) -> None:
        _check_answer(transport.request_pause(agent_pane, PauseRequest(())))

    def test_a_resume_is_done_or_refused_with_the_reason(
        self, transport: AgentTransport, agent_pane: Pane
    ) -> None:
        _check_answer(within_bound(lambda: transport.request_resume(agent_pane, "100-1")))

    def test_a_mailbox_refuses_where_nobody_has_said_hello(
        self, transport: AgentTransport, agent_pane: Pane
    ) -> None:
        if not getattr(transport, "mailbox", False):
            pytest.skip("it is no mailbox, and needs no hello")
        delivery = transport.request_pause(replace(agent_pane, hello=None), request("focus"))
        assert delivery.status is DeliveryStatus.REFUSED
        assert delivery.reason

    def test_an_unreachable_host_refuses_and_does_not_raise(self, transport: AgentTransport) -> None:
        delivery = within_bound(lambda: transport.request_pause(UNREACHABLE, request("focus")))
        assert delivery.status is DeliveryStatus.REFUSED
        assert delivery.reason
        assert transport.request_resume(UNREACHABLE, "100-1").status is DeliveryStatus.REFUSED


class PauseDetectorContract:
    """Needs four fixtures: `detector`; `running_pane`, whose agent runs; `paused_pane`, whose agent is paused; and
    `gone_pane`, which its host no longer has.

    For a detector that goes by the status file of the agent, that is `Pane.hello`, these panes are enough:
    `pane(hello=hello())` runs, `pane(hello=hello(state="paused", by="request", shown="overlay"))` is paused, and `pane()`
    is gone.
    """

    def test_it_can_be_chosen_and_set_by_a_settings_file(self, detector: PauseDetector) -> None:
        check_name(detector)
        check_settings(detector)

    def test_a_paused_agent_is_held(self, detector: PauseDetector, paused_pane: Pane) -> None:
        assert within_bound(lambda: detector.observe(paused_pane)).held

    def test_a_running_agent_is_not_held(self, detector: PauseDetector, running_pane: Pane) -> None:
        assert not within_bound(lambda: detector.observe(running_pane)).held

    def test_a_pane_that_is_gone_is_unknown(self, detector: PauseDetector, gone_pane: Pane) -> None:
        assert within_bound(lambda: detector.observe(gone_pane)).state is AgentState.UNKNOWN

    def test_an_unreachable_host_is_unknown(self, detector: PauseDetector) -> None:
        assert within_bound(lambda: detector.observe(UNREACHABLE)).state is AgentState.UNKNOWN

    def test_every_answer_has_its_evidence(
        self, detector: PauseDetector, running_pane: Pane, paused_pane: Pane, gone_pane: Pane
    ) -> None:
        for seen in (running_pane, paused_pane, gone_pane):
            assert detector.observe(seen).evidence

    def test_looking_changes_nothing(self, detector: PauseDetector, paused_pane: Pane) -> None:
        assert detector.observe(paused_pane) == detector.observe(paused_pane)


def _check_answer(delivery: Delivery) -> None:
    assert isinstance(delivery, Delivery)
    assert delivery.status is not DeliveryStatus.REFUSED or delivery.reason
