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


@dataclass(frozen=True, slots=True)
class Strategies:
    """What the settings have selected."""

    policies: Sequence[Policy]
    agents: Mapping[str, AgentStrategies]
