"""What is known of a plugin, and of a strategy that it announces."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ..errors import Expected

if TYPE_CHECKING:
    from pydantic import BaseModel


class Kind(StrEnum):
    """Kinds of strategy, by the word that messages use."""

    FOCUS_SOURCE = "focus source"
    TRANSPORT = "transport"
    DETECTOR = "detector"
    BREAK_SOURCE = "break source"
    POLICY = "policy"
    OBSERVER = "observer"


class PluginState(StrEnum):
    INSTALLED = "installed"
    """There, but not enabled by the settings."""
    LOADED = "loaded"
    MISSING = "missing"
    """Enabled, but not installed."""
    BROKEN = "broken"
    """Enabled and installed, but unfit: `reason` and `fix` say more."""


@dataclass(frozen=True, slots=True)
class PluginStatus:
    """One plugin, installed or asked for."""

    name: str
    state: PluginState
    target: str = ""
    """The module that its entry point names."""
    distribution: str = ""
    version: str = ""
    reason: str = ""
    fix: str = ""
    announces: tuple[tuple[str, str], ...] = ()
    """`(kind, name)` of its strategies, agents and hosts."""

    @property
    def enabled(self) -> bool:
        return self.state is not PluginState.INSTALLED

    @property
    def installed(self) -> bool:
        return self.state is not PluginState.MISSING

    @property
    def problem(self) -> str:
        """What is wrong, as a sentence without its full stop; empty if nothing is."""
        return f"the plugin {self.name} {self.reason}" if self.reason else ""

    def __str__(self) -> str:
        return f"{self.problem}. To mend it: {self.fix}" if self.reason else self.name


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy class and who announced it."""

    kind: Kind
    name: str
    plugin: str
    cls: type[Any]

    @property
    def settings(self) -> type[BaseModel] | None:
        """The pydantic model of its own settings."""
        model: type[BaseModel] | None = getattr(self.cls, "Settings", None)
        return model


class Unfit(Expected):
    """A plugin cannot be used. The message completes `the plugin x …`; `fix` is what to do."""

    state = PluginState.BROKEN

    def __init__(self, reason: str, fix: str) -> None:
        super().__init__(reason)
        self.fix = fix


class Missing(Unfit):
    """A plugin is not installed."""

    state = PluginState.MISSING
