"""What a strategy and a command are given of their surroundings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..effects import Effects
    from ..model import AgentKind, HostEnvironment, Session
    from .hosts import PaneControl


class Logger(Protocol):
    """The part of loguru's logger that strategies use."""

    def debug(self, message: str, *args: Any, **kwargs: Any) -> None:
        """For who looks for a mistake."""
        ...

    def info(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What was done."""
        ...

    def warning(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What the person should know of."""
        ...

    def error(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What has failed. In all four, `{}` in the message is replaced by the arguments, as in `str.format`."""
        ...


class Context(Protocol):
    """What a strategy is given of its surroundings."""

    state: Path
    """The state folder."""
    config: Path | None
    """The settings file in use."""
    command: tuple[str, ...]
    """What starts `attention` from anywhere, with absolute paths,
    the state folder and the settings file: for hooks and schedulers.
    """
    effects: Effects
    """The disk, the clock, processes, sockets and the environment: reach the world through these only."""
    log: Logger
    """Named after the strategy. It takes no text of prompts or screens."""
    agents: Sequence[AgentKind]
    """The agent kinds that all loaded plugins announce."""
    hosts: Sequence[HostEnvironment]
    """How a process finds its pane, of every host that a loaded plugin announces."""

    def control(self, session: Session) -> PaneControl:
        """The pane control of the session's host.
        Raises HostUnavailable when no enabled plugin knows the host.
        """
        ...

    def settings(self, strategy: str) -> Any:
        """The checked settings of a strategy, by its name, whether it is selected or not: for installers and
        checks, which are made without any. None for a policy, for a strategy that has no settings or lacks
        those it needs, and for a name that no loaded plugin announces.
        """
        ...

    def has_break_source(self, name: str) -> bool:
        """Whether the settings select this break source."""
        ...


class BreakHold(Protocol):
    """A break that is held, by `Application.hold_break`."""

    run: str
    """The id of the break."""

    @property
    def in_force(self) -> bool:
        """False once the hold is past its deadline, or somebody has ended it."""
        ...

    def let_go(self, resume: str | None = None, why: str = "") -> list[str]:
        """End this break and no other, then wake every session. The ids of the panes that were resumed:
        `resume` is `none`, `own` or `last-active`, without it what the settings say. `why` is for people, in the
        log. A second call does nothing. Raises OSError if the hold is there and cannot be removed.
        """
        ...


class Application(Protocol):
    """What the command of a plugin is given besides its arguments: `run(arguments, application)`."""

    @property
    def context(self) -> Context:
        """As strategies get it, with a log named `attention`."""
        ...

    def hold_break(self, run: str, source: str, lasts_ms: int) -> BreakHold | None:
        """Begin a break: every agent pauses until it is let go, or for so long. None if a break with this id is
        going on already. `source` is for people, in the log. Raises OSError if the hold cannot be written;
        nothing is held then.
        """
        ...

    def warn(self, sentence: str) -> None:
        """Tell the person, on standard error, and the log. The same sentence once."""
        ...
