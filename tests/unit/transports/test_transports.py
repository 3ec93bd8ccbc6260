from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import (
    Delivery,
    DeliveryStatus,
    KeysTransport,
    MailboxTransport,
    PauseRequest,
    PromptTransport,
    Run,
)
from attention_framework.testing import (
    SESSION,
    AgentTransportContract,
    FakeAgent,
    FakeContext,
    FakeHost,
    Memory,
    pane,
    request,
)

if TYPE_CHECKING:
    from attention_framework import Pane


class Keys(KeysTransport):
    name = "fake-keys"
    keys = ("ctrl+alt+p",)


class Prompt(PromptTransport):
    name = "fake-prompt"
    text = "/pause"


class Mailbox(MailboxTransport):
    name = "fake-mailbox"
    nudge = "f12"


@pytest.fixture
def agent(memory: Memory) -> FakeAgent:
    return FakeAgent(memory.effects, Path("/state"), SESSION).start(memory.processes)


@pytest.fixture
def agent_pane(agent: FakeAgent) -> Pane:
    return pane(hello=agent.hello)


class TestKeysContract(AgentTransportContract):
    @pytest.fixture
    def transport(self, context: FakeContext) -> Keys:
        return Keys(None, context)


class TestPromptContract(AgentTransportContract):
    @pytest.fixture
    def transport(self, context: FakeContext) -> Prompt:
        return Prompt(None, context)


class TestMailboxContract(AgentTransportContract):
    @pytest.fixture
    def transport(self, context: FakeContext) -> Mailbox:
        return Mailbox(None, context)


def test_a_key_is_pressed_and_nothing_is_typed(
    context: FakeContext, fake_host: FakeHost, agent_pane: Pane
) -> None:
    assert Keys(None, context).request_pause(agent_pane, request("focus")) == Delivery.sent(
        "pressed ctrl+alt+p"
    )
    entry = fake_host.panes["w1:p1"]
    assert (entry.keys, entry.prompts) == (["ctrl+alt+p"], [])


def test_a_command_is_typed_into_the_editor(
    context: FakeContext, fake_host: FakeHost, agent_pane: Pane
) -> None:
    assert Prompt(None, context).request_pause(agent_pane, request("focus")) == Delivery.sent("typed /pause")
    assert fake_host.panes["w1:p1"].prompts == ["/pause"]


@pytest.mark.parametrize("kind", [Keys, Prompt])
def test_what_was_sent_can_be_neither_withdrawn_nor_resume(
    context: FakeContext, agent_pane: Pane, kind: Any
) -> None:
    transport = kind(None, context)
    assert transport.request_pause(agent_pane, PauseRequest(())).status is DeliveryStatus.REFUSED
    assert transport.request_resume(agent_pane, "100-1").status is DeliveryStatus.REFUSED


class TestMailbox:
    @pytest.fixture
    def transport(self, context: FakeContext) -> Mailbox:
        return Mailbox(None, context)

    def read(self, memory: Memory, agent: FakeAgent, name: str) -> Any:
        return json.loads(memory.files.read(agent.mailbox / name))

    def test_the_full_set_of_runs_lies_in_the_agents_own_mailbox(
        self, transport: Mailbox, memory: Memory, agent: FakeAgent, agent_pane: Pane
    ) -> None:
        runs = (Run("b-1", "break", 5), Run("focus", "no focus", attended=3))
        delivery = transport.request_pause(agent_pane, PauseRequest(runs))
        assert delivery == Delivery.accepted("left in its mailbox")
        document = self.read(memory, agent, "pending.json")
        assert document["runs"] == {
            "b-1": {"reason": "break", "deadline_ms": 5},
            "focus": {"reason": "no focus", "deadline_ms": None, "attended": 3},
        }
        assert (document["v"], document["written_ms"]) == (1, memory.clock.wall_ms())

    def test_a_newer_request_replaces_the_older_one(
        self, transport: Mailbox, memory: Memory, agent: FakeAgent, agent_pane: Pane
    ) -> None:
        transport.request_pause(agent_pane, request("focus"))
        transport.request_pause(agent_pane, request("b-1"))
        assert list(self.read(memory, agent, "pending.json")["runs"]) == ["b-1"]

    def test_the_nudge_is_pressed_after_the_request_is_there(
        self, transport: Mailbox, memory: Memory, fake_host: FakeHost, agent: FakeAgent, agent_pane: Pane
    ) -> None:
        found: list[bool] = []
        fake_host.panes["w1:p1"].on_key = lambda key: found.append(
            memory.files.exists(agent.mailbox / "pending.json")
        )
        transport.request_pause(agent_pane, request("focus"))
        assert found == [True]
        assert fake_host.panes["w1:p1"].keys == ["f12"]

    def test_a_nudge_that_is_lost_is_no_refusal(
        self, transport: Mailbox, fake_host: FakeHost, agent_pane: Pane
    ) -> None:
        fake_host.down = True
        delivery = transport.request_pause(agent_pane, request("focus"))
        assert delivery.status is DeliveryStatus.ACCEPTED
        assert "nudge failed: no fake host answers" in delivery.reason

    def test_without_a_nudge_no_key_is_pressed(
        self, transport: Mailbox, fake_host: FakeHost, agent_pane: Pane
    ) -> None:
        transport.nudge = ""
        transport.request_pause(agent_pane, request("focus"))
        assert fake_host.panes["w1:p1"].keys == []

    def test_a_full_disk_is_a_refusal_with_the_folder_and_the_reason(
        self, transport: Mailbox, memory: Memory, fake_host: FakeHost, agent_pane: Pane
    ) -> None:
        memory.disk.faults.fail("write", errno.ENOSPC)
        delivery = transport.request_pause(agent_pane, request("focus"))
        assert delivery.status is DeliveryStatus.REFUSED
        assert "w1%3Ap1.100 cannot be written: No space left on device" in delivery.reason
        assert fake_host.panes["w1:p1"].keys == []

    def test_a_resume_names_the_engagement(
        self, transport: Mailbox, memory: Memory, agent: FakeAgent, agent_pane: Pane
    ) -> None:
        transport.request_resume(agent_pane, "100-3")
        assert self.read(memory, agent, "resume.json")["engagement"] == "100-3"

    @pytest.mark.parametrize(
        ("name", "on_its_way"),
        [
            ("pending.json", True),
            ("pending.json.0b2e.claim", True),
            ("ack.json", True),
            ("resume.json", False),
            ("pending.json.broken", False),
            ("ack.json.broken", False),
            ("notes.txt", False),
            (".pending.json.1.tmp", False),
        ],
    )
    def test_only_what_is_of_the_protocol_is_on_its_way(
        self,
        transport: Mailbox,
        memory: Memory,
        agent: FakeAgent,
        agent_pane: Pane,
        name: str,
        on_its_way: bool,
    ) -> None:
        assert not transport.outstanding(agent_pane)
        memory.disk.put(agent.mailbox / name, b"{")
        assert transport.outstanding(agent_pane) is on_its_way

    def test_what_an_agent_that_says_it_is_paused_keeps_is_its_own(
        self, transport: Mailbox, memory: Memory, agent: FakeAgent
    ) -> None:
        transport.request_pause(pane(hello=agent.hello), request("focus"))
        agent.look()
        assert "ack.json" in memory.files.names(agent.mailbox)
        assert not transport.outstanding(pane(hello=agent.hello))

    def test_without_an_agent_nothing_is_on_its_way(self, transport: Mailbox) -> None:
        assert not transport.outstanding(pane())
