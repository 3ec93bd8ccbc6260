from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from attention_framework import KeysTransport, MailboxTransport, PromptTransport
from attention_framework.cycle import AgentStrategies

if TYPE_CHECKING:
    from attention_framework.testing import FakeContext


class Letters(MailboxTransport):
    """A third party's, which is called as it likes."""

    name = "letters"


class Keys(KeysTransport):
    name = "no-mailbox"
    keys = ("f12",)


class Prompt(PromptTransport):
    name = "prompt"
    text = "/pause"


class Own:
    """Not a subclass of anything."""

    name = "own"
    mailbox = True


def strategies(*transports: Any) -> AgentStrategies:
    return AgentStrategies(frozenset(), transports, ())


@pytest.mark.parametrize("kind", [Letters, Keys, Prompt])
def test_the_class_says_whether_it_is_a_mailbox_and_its_name_does_not(
    kind: type[Any], context: FakeContext
) -> None:
    found = strategies(kind(None, context))

    assert found.need_hello == found.acknowledged == (kind is Letters)


def test_a_mailbox_need_be_no_subclass() -> None:
    assert strategies(Own()).acknowledged


def test_a_pause_is_acknowledged_as_the_first_transport_promises(context: FakeContext) -> None:
    keys, letters = Keys(None, context), Letters(None, context)

    assert strategies(letters, keys).acknowledged
    assert not strategies(keys, letters).acknowledged
    assert strategies(keys, letters).need_hello
    assert not strategies().acknowledged
