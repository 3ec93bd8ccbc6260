"""The three ways to carry a request to an agent. An agent's plugin binds its values by subclassing."""

from __future__ import annotations

from .keys import KeysTransport
from .mailbox import MailboxTransport, newer_protocol
from .prompt import PromptTransport

__all__ = ["KeysTransport", "MailboxTransport", "PromptTransport", "newer_protocol"]
