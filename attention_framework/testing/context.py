"""The surroundings of a strategy under test."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..kinds import HostUnavailable
from .memory import Memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..effects import Effects
    from ..kinds import Logger, PaneControl
    from ..model import AgentKind, HostEnvironment, Session


class FakeLog:
    """A `Logger` that keeps what was logged."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        """`(level, message)`, in order."""

    def debug(self, message: str, *args: Any, **kwargs: Any) -> None:
        self.lines.append(("debug", message.format(*args, **kwargs)))

    def info(self, message: str, *args: Any, **kwargs: Any) -> None:
        self.lines.append(("info", message.format(*args, **kwargs)))

    def warning(self, message: str, *args: Any, **kwargs: Any) -> None:
        self.lines.append(("warning", message.format(*args, **kwargs)))

    def error(self, message: str, *args: Any, **kwargs: Any) -> None:
        self.lines.append(("error", message.format(*args, **kwargs)))


@dataclass(slots=True)
class FakeContext:
    """A `Context`. Hosts are known by their name in `controls`."""

    effects: Effects = field(default_factory=lambda: Memory().effects)
    state: Path = Path("/state")
    config: Path | None = None
    command: tuple[str, ...] = ("/venv/bin/python", "-I", "-m", "attention_framework")
    log: Logger = field(default_factory=FakeLog)
    agents: Sequence[AgentKind] = ()
    hosts: Sequence[HostEnvironment] = ()
    controls: dict[str, PaneControl] = field(default_factory=dict)
    """What `control` gives, by the name of the host."""
    strategies: dict[str, Any] = field(default_factory=dict)
    """Settings of strategies, by name."""
    break_sources: Sequence[str] = ()
    """Names of those that the settings select."""

    @property
    def logged(self) -> list[tuple[str, str]]:
        """`(level, message)` of what went to the log."""
        return self.log.lines if isinstance(self.log, FakeLog) else []

    def control(self, session: Session) -> PaneControl:
        if session.host not in self.controls:
            raise HostUnavailable(f"no enabled plugin knows the host {session.host!r}")
        return self.controls[session.host]

    def settings(self, strategy: str) -> Any:
        return self.strategies.get(strategy)

    def has_break_source(self, name: str) -> bool:
        return name in self.break_sources
