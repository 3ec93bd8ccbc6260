"""A context to construct a strategy with in a test, and its log."""

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
    """A `Logger` that keeps what was logged, for the test to look at."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        """`(level, message)` of each call, in order; the level is the name of the method, such as `warning`."""

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
    """A `Context` whose answers the test gives: pane controls in `controls`, settings in `strategies`."""

    effects: Effects = field(default_factory=lambda: Memory().effects)
    state: Path = Path("/state")
    config: Path | None = None
    command: tuple[str, ...] = ("/venv/bin/python", "-I", "-m", "attention_framework")
    log: Logger = field(default_factory=FakeLog)
    agents: Sequence[AgentKind] = ()
    hosts: Sequence[HostEnvironment] = ()
    controls: dict[str, PaneControl] = field(default_factory=dict)
    """What `control(session)` returns, by the name of the session's host. For any other host it raises HostUnavailable."""
    strategies: dict[str, Any] = field(default_factory=dict)
    """What `settings(name)` returns, by the name of the strategy. For any other name it returns None."""
    break_sources: Sequence[str] = ()
    """The names for which `has_break_source` is true."""

    @property
    def logged(self) -> list[tuple[str, str]]:
        """The `lines` of the log: `(level, message)`. Empty if `log` is not a `FakeLog`."""
        return self.log.lines if isinstance(self.log, FakeLog) else []

    def control(self, session: Session) -> PaneControl:
        if session.host not in self.controls:
            raise HostUnavailable(f"no enabled plugin knows the host {session.host!r}")
        return self.controls[session.host]

    def settings(self, strategy: str) -> Any:
        return self.strategies.get(strategy)

    def has_break_source(self, name: str) -> bool:
        return name in self.break_sources
