from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from attention_omp_keys.transports import MailboxSettings, OmpKeys, OmpMailbox, OmpPrompt
from pydantic import ValidationError

from attention_framework import DeliveryStatus, Pane, PauseRequest
from attention_framework.testing import (
    SESSION,
    AgentTransportContract,
    FakeAgent,
    FakeContext,
    FakeHost,
    Memory,
    hello,
    pane,
    request,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture
def agent(memory: Memory, context: FakeContext) -> FakeAgent:
    return FakeAgent(memory.process(), context.state, SESSION).start(memory.processes)


@pytest.fixture
def agent_pane(agent: FakeAgent) -> Pane:
    return pane(hello=agent.hello)


def mailbox(context: FakeContext, **settings: Any) -> OmpMailbox:
    return OmpMailbox(MailboxSettings(**settings), context)


class TestPrompt(AgentTransportContract):
    @pytest.fixture
    def transport(self, context: FakeContext) -> OmpPrompt:
        return OmpPrompt(None, context)


class TestKeys(AgentTransportContract):
    @pytest.fixture
    def transport(self, context: FakeContext) -> OmpKeys:
        return OmpKeys(None, context)


class TestMailbox(AgentTransportContract):
    @pytest.fixture
    def transport(self, context: FakeContext) -> OmpMailbox:
        return mailbox(context)


def test_the_prompt_types_the_pause_command(context: FakeContext, fake_host: FakeHost) -> None:
    OmpPrompt(None, context).request_pause(pane(), request("focus"))
    assert fake_host.panes["w1:p1"].prompts == ["/pause"]


def test_the_prompt_warns_of_the_draft_and_names_the_way_out() -> None:
    [warning] = OmpPrompt.warnings(None)
    assert "draft" in warning
    assert 'transport = ["omp-mailbox"]' in warning


def test_only_the_prompt_warns() -> None:
    assert not any(hasattr(transport, "warnings") for transport in (OmpKeys, OmpMailbox))


def test_a_command_that_would_undo_itself_is_not_typed_again_soon() -> None:
    """Enter on the pause screen resumes; OMP may take 2 s to draw it."""
    assert OmpPrompt.retry_after_s > 2


def test_the_key_pauses_and_touches_no_draft(context: FakeContext, fake_host: FakeHost) -> None:
    OmpKeys(None, context).request_pause(pane(), request("focus"))
    assert fake_host.panes["w1:p1"].keys == ["ctrl+alt+p"]
    assert fake_host.panes["w1:p1"].prompts == []


@pytest.mark.parametrize(("nudge", "pressed"), [("f12", ["f12"]), ("", [])])
def test_the_mailbox_nudges_as_the_settings_say(
    context: FakeContext, fake_host: FakeHost, agent_pane: Pane, nudge: str, pressed: Sequence[str]
) -> None:
    mailbox(context, nudge=nudge).request_pause(agent_pane, request("focus"))
    assert fake_host.panes["w1:p1"].keys == pressed


def test_the_request_is_there_before_the_nudge(
    context: FakeContext, fake_host: FakeHost, agent: FakeAgent, agent_pane: Pane
) -> None:
    fake_host.panes["w1:p1"].on_key = lambda key: agent.look()
    mailbox(context).request_pause(agent_pane, request("focus"))
    assert agent.paused


def test_a_lost_nudge_loses_no_request(
    context: FakeContext, fake_host: FakeHost, agent: FakeAgent, agent_pane: Pane
) -> None:
    fake_host.down = True
    delivery = mailbox(context).request_pause(agent_pane, request("focus"))
    assert delivery.status is DeliveryStatus.ACCEPTED
    assert "nudge failed" in delivery.reason
    agent.look()
    assert agent.paused


def test_the_request_names_the_count_and_the_deadlines(
    context: FakeContext, memory: Memory, agent: FakeAgent, agent_pane: Pane
) -> None:
    mailbox(context).request_pause(agent_pane, request("focus", "b-1", attended=7))
    document = json.loads(memory.files.read(agent.mailbox / "pending.json"))
    assert document["runs"]["focus"]["attended"] == 7
    assert "attended" not in document["runs"]["b-1"]


def test_an_empty_request_withdraws_what_is_still_there(
    context: FakeContext, agent: FakeAgent, agent_pane: Pane
) -> None:
    transport = mailbox(context)
    transport.request_pause(agent_pane, request("focus"))
    assert transport.request_pause(agent_pane, PauseRequest(())).status is DeliveryStatus.ACCEPTED
    agent.look()
    assert not agent.paused


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (pane(), "extension"),
        (pane(hello=hello(state="unsupported", problem="not-live: OMP 17.3.5")), "17.3.5"),
    ],
    ids=["without a hello", "unsupported"],
)
def test_an_agent_that_cannot_be_reached_is_refused_with_the_reason(
    context: FakeContext, target: Pane, reason: str
) -> None:
    delivery = mailbox(context).request_pause(target, request("focus"))
    assert delivery.status is DeliveryStatus.REFUSED
    assert reason in delivery.reason


def test_a_full_disk_refuses(context: FakeContext, memory: Memory, agent_pane: Pane) -> None:
    memory.disk.faults.full_disk()
    assert mailbox(context).request_pause(agent_pane, request("focus")).status is DeliveryStatus.REFUSED


@pytest.mark.parametrize(
    "settings", [{"nudge": "f11"}, {"report_unconfirmed_after_s": 0}, {"nugde": "f12"}], ids=str
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        MailboxSettings(**settings)


def test_the_time_until_a_report_is_the_one_of_the_settings(context: FakeContext) -> None:
    assert mailbox(context).report_unconfirmed_after_s == 10
    assert mailbox(context, report_unconfirmed_after_s=3).report_unconfirmed_after_s == 3


@pytest.mark.parametrize("show", ["overlay", "line"])
def test_the_request_says_how_the_pause_is_to_show(
    context: FakeContext, memory: Memory, agent: FakeAgent, agent_pane: Pane, show: str
) -> None:
    mailbox(context, show=show).request_pause(agent_pane, request("focus"))
    assert json.loads(memory.files.read(agent.mailbox / "pending.json"))["show"] == show
    agent.look()
    assert agent.hello.shown == show


def test_a_request_for_something_else_to_show_is_refused() -> None:
    with pytest.raises(ValidationError):
        MailboxSettings(show="lantern")


def test_nothing_is_asked_of_an_agent_whose_protocol_is_newer(
    context: FakeContext, memory: Memory, agent: FakeAgent
) -> None:
    agent.protocol = 2
    target, transport = pane(hello=agent.hello), mailbox(context)
    for delivery in (
        transport.request_pause(target, request("focus")),
        transport.request_resume(target, "1"),
    ):
        assert delivery.status is DeliveryStatus.REFUSED
        assert "protocol 2, and this version of attention knows 1" in delivery.reason
    assert memory.files.names(agent.mailbox) == []
