"""What the settings have selected for a cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..kinds import AgentTransport, PauseDetector, Policy


@dataclass(frozen=True, slots=True)
class AgentStrategies:
    """How agents of one kind are observed and controlled, from the settings."""

    statuses: frozenset[str]
    transports: Sequence[AgentTransport]
    detectors: Sequence[PauseDetector]

    @property
    def need_hello(self) -> bool:
        """Whether one of the transports reaches an agent only by what the agent says of itself. A key needs none."""
        return any(transport.name.endswith("mailbox") for transport in self.transports)


@dataclass(frozen=True, slots=True)
class Strategies:
    """What the settings have selected."""

    policies: Sequence[Policy]
    agents: Mapping[str, AgentStrategies]
