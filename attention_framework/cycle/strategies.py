"""What the settings have selected for a cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..kinds import AgentTransport, PauseDetector, Policy


def is_mailbox(transport: AgentTransport) -> bool:
    """As the transport says itself (`kinds.AgentTransport`), whatever it is called."""
    return bool(getattr(transport, "mailbox", False))


@dataclass(frozen=True, slots=True)
class AgentStrategies:
    """How agents of one kind are observed and controlled, from the settings."""

    statuses: frozenset[str]
    transports: Sequence[AgentTransport]
    detectors: Sequence[PauseDetector]

    @property
    def need_hello(self) -> bool:
        """Whether one of the transports reaches an agent only by what the agent says of itself. A key needs none."""
        return any(map(is_mailbox, self.transports))

    @property
    def acknowledged(self) -> bool:
        """Whether the agent says itself that it has paused: the first transport is the one that is used as long as
        it does not refuse.
        """
        return bool(self.transports) and is_mailbox(self.transports[0])


@dataclass(frozen=True, slots=True)
class Strategies:
    """What the settings have selected."""

    policies: Sequence[Policy]
    agents: Mapping[str, AgentStrategies]
