"""The fakes keep the contracts themselves, and the fake agent follows the mailbox protocol step by step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attention_framework import MailboxTransport, PauseRequest, Session
from attention_framework.holds import Holds
from attention_framework.state.folder import StateFolder
from attention_framework.testing import (
    SESSION,
    AgentTransportContract,
    FakeAgent,
    FakeContext,
    FakeHost,
    FocusSourceContract,
    Memory,
    PaneControlContract,
    hold,
    pane,
    request,
)

if TYPE_CHECKING:
    from attention_framework import Hello, Pane


class Mail(MailboxTransport):
    name = "fake-mail"
    nudge = "f12"


class TestFakeHost(FocusSourceContract, PaneControlContract):
    @pytest.fixture
    def source(self, fake_host: FakeHost) -> FakeHost:
        return fake_host

    @pytest.fixture
    def control(self, fake_host: FakeHost) -> FakeHost:
        return fake_host

    @pytest.fixture
    def live_session(self, fake_host: FakeHost) -> Session:
        return fake_host.session

    @pytest.fixture
    def dead_session(self) -> Session:
        return Session("fake", "/run/dead.sock")

    @pytest.fixture
    def agent_pane(self, fake_host: FakeHost) -> Pane:
        return fake_host.panes["w1:p1"].pane

    @pytest.fixture
    def gone_pane(self) -> Pane:
        return pane("w9:p9")


class TestMailbox(AgentTransportContract):
    @pytest.fixture
    def transport(self, context: FakeContext) -> Mail:
        return Mail(None, context)

    @pytest.fixture
    def agent_pane(self, agent: FakeAgent) -> Pane:
        return pane(hello=agent.hello)


@pytest.fixture
def wakes() -> list[str]:
    return []


@pytest.fixture
def agent(memory: Memory, context: FakeContext, wakes: list[str]) -> FakeAgent:
    return FakeAgent(memory.process(), context.state, SESSION, wake=wakes.append).start(memory.processes)


@pytest.fixture
def mail(context: FakeContext) -> Mail:
    return Mail(None, context)


@pytest.fixture
def holds(memory: Memory, context: FakeContext) -> Holds:
    return Holds(StateFolder(context.state), memory.files, pytest.fail)


def said(agent: FakeAgent, memory: Memory, state: Path = Path("/state")) -> Hello:
    from attention_framework.state.hellos import read_hello

    hello = read_hello(StateFolder(state).session(SESSION), memory.files, agent.file)
    assert hello is not None
    return hello


def ask(mail: Mail, agent: FakeAgent, *runs: str, attended: int = 0) -> None:
    mail.request_pause(pane(hello=agent.hello), request(*runs, attended=attended))


def test_a_lost_focus_pauses_is_acknowledged_and_published(
    mail: Mail, agent: FakeAgent, memory: Memory, wakes: list[str]
) -> None:
    ask(mail, agent, "focus")
    assert list(agent.looking()) == ["claimed", "gate engaged", "acknowledged", "rechecked"]
    assert said(agent, memory).runs == {"focus"}
    assert memory.files.names(agent.mailbox) == ["ack.json"]
    assert wakes == ["hello", "paused"]


def test_a_request_that_the_person_has_overtaken_is_dropped(
    mail: Mail, agent: FakeAgent, memory: Memory, wakes: list[str]
) -> None:
    ask(mail, agent, "focus")
    agent.attend()
    assert list(agent.looking()) == ["claimed", "dropped"]
    assert not said(agent, memory).paused
    assert wakes == ["hello", "dropped"]


def test_a_person_who_comes_back_before_the_recheck_gets_the_agent_back(
    mail: Mail, agent: FakeAgent, memory: Memory
) -> None:
    ask(mail, agent, "focus")
    for step in agent.looking():
        if step == "acknowledged":
            agent.attend()
    assert not agent.paused
    assert memory.files.names(agent.mailbox) == []


def test_a_withdrawal_that_comes_before_the_recheck_is_obeyed(mail: Mail, agent: FakeAgent) -> None:
    ask(mail, agent, "focus")
    for step in agent.looking():
        if step == "acknowledged":
            mail.request_pause(pane(hello=agent.hello), PauseRequest(()))
    assert not agent.paused


def test_a_hold_that_began_meanwhile_keeps_what_the_focus_gave_up(
    mail: Mail, agent: FakeAgent, holds: Holds
) -> None:
    ask(mail, agent, "focus")
    for step in agent.looking():
        if step == "acknowledged":
            holds.take(hold("b-1"))
            agent.attend()
    assert agent.paused
    assert "b-1" in agent.runs


def test_a_hold_without_its_file_does_not_stand(mail: Mail, agent: FakeAgent) -> None:
    ask(mail, agent, "b-1")
    agent.look()
    assert not agent.paused


def test_what_cannot_be_painted_goes_back_to_pending(mail: Mail, agent: FakeAgent, memory: Memory) -> None:
    agent.can_paint = False
    ask(mail, agent, "focus")
    agent.look()
    assert memory.files.names(agent.mailbox) == ["pending.json"]
    assert "not-painted" in str(said(agent, memory).problem)
    agent.can_paint = True
    agent.look()
    assert agent.paused


def test_a_person_who_resumes_is_not_asked_again_for_that_hold(
    mail: Mail, agent: FakeAgent, holds: Holds
) -> None:
    holds.take(hold("b-1"))
    ask(mail, agent, "b-1")
    agent.look()
    assert agent.paused
    agent.resume_by_hand()
    ask(mail, agent, "b-1")
    agent.look()
    assert not agent.paused
    assert agent.waived == ("b-1",)


def test_a_pause_of_the_persons_is_not_taken_over(mail: Mail, agent: FakeAgent, memory: Memory) -> None:
    ask(mail, agent, "focus")
    for step in agent.looking():
        if step == "claimed":
            agent.pause_by_hand()
            break
    agent.look()
    assert said(agent, memory).by == "person"
    assert memory.files.names(agent.mailbox) == []


@pytest.mark.parametrize(
    ("engagement", "held", "resumes"), [("own", False, True), ("old", False, False), ("own", True, False)]
)
def test_a_resume_ends_its_own_engagement_and_only_without_a_hold(
    mail: Mail, agent: FakeAgent, holds: Holds, engagement: str, held: bool, resumes: bool
) -> None:
    ask(mail, agent, "focus")
    agent.look()
    if held:
        holds.take(hold("b-1"))
    mail.request_resume(pane(hello=agent.hello), agent.engagement if engagement == "own" else "100-0")
    agent.look()
    assert agent.paused is not resumes
