"""What the framework gives to a strategy, and to the command of a plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..effects import Effects
    from ..model import AgentKind, HostEnvironment, Session
    from .hosts import PaneControl


class Logger(Protocol):
    """The part of loguru's logger that strategies use. In every message `{}` is replaced by the arguments, as in
    `str.format`.
    """

    def debug(self, message: str, *args: Any, **kwargs: Any) -> None:
        """Details that help to find a mistake."""
        ...

    def info(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What the strategy has done."""
        ...

    def warning(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What the person should know, though nothing has failed."""
        ...

    def error(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What has failed."""
        ...


class Context(Protocol):
    """What a strategy gets as the second argument of its constructor."""

    state: Path
    """The state folder, where the framework keeps its files. A strategy may keep files of its own there."""
    config: Path | None
    """The settings file in use; None if there is none."""
    command: tuple[str, ...]
    """A command line that starts `attention` from any folder, with this state folder and these settings; all paths in it
    are absolute. Put the sub-command behind it. For hooks and schedulers.
    """
    effects: Effects
    """The disk, the clock, processes, sockets and environment variables. A strategy uses these only, so that a test can
    replace them.
    """
    log: Logger
    """The log; its lines carry the name of the strategy. Never log the text of a prompt or of a screen: it is private."""
    agents: Sequence[AgentKind]
    """The agent kinds that all loaded plugins announce."""
    hosts: Sequence[HostEnvironment]
    """The hosts that all loaded plugins announce, with the environment variables by which a process finds its pane."""

    def control(self, session: Session) -> PaneControl:
        """The pane control of the session's host. Raises HostUnavailable when `focus.sources` in the settings selects no
        focus source for this host.
        """
        ...

    def settings(self, strategy: str) -> Any:
        """The validated settings of the strategy with this name, also when the settings file does not select it. For
        installers and checks, which are constructed without settings. None for a policy, for a strategy without
        `Settings`, for one whose required settings are missing, and for a name that no loaded plugin announces.
        """
        ...

    def has_break_source(self, name: str) -> bool:
        """Whether the settings select this break source."""
        ...


class BreakHold(Protocol):
    """A break during which every agent is paused. `Application.hold_break` begins it."""

    run: str
    """The id of the break, as given to `hold_break`."""

    @property
    def in_force(self) -> bool:
        """Whether the break still pauses agents. False once its time is over, or somebody has ended it."""
        ...

    def let_go(self, resume: str | None = None, why: str = "") -> list[str]:
        """End this break and no other, then wake the controller for every session. Raises OSError if the file of the hold
        cannot be removed. A second call does nothing.

        `resume` says which agents to resume: `none`; `own`, those that only breaks have paused and that may run now; or
        `last-active`, of those only the one that had the focus when the break began. None stands for `breaks.resume` of
        the settings. While another break or a manual pause goes on, no agent is resumed. `why` is for people, in the
        journal.

        Returns the ids of the panes whose agents were asked to resume.
        """
        ...


class Application(Protocol):
    """What the command of a plugin gets as its second argument: `run(arguments, application)`."""

    @property
    def context(self) -> Context:
        """The same as strategies get. The lines of its log carry the name `attention`."""
        ...

    def hold_break(self, run: str, source: str, lasts_ms: int) -> BreakHold | None:
        """Begin a break: every agent is asked to pause until `BreakHold.let_go` is called, or until the time is over.
        Returns None if a break with this id is going on already. Raises OSError if the file of the hold cannot be
        written, and Expected for wrong settings or an id that cannot be used. After an error no agent is held.

        `run` is the id of the break, `source` says for people who has begun it, and `lasts_ms` is the longest time that it
        may take, in milliseconds.
        """
        ...

    def warn(self, sentence: str) -> None:
        """Write a sentence for the person to standard error and to the log. A sentence that was written before is not
        written again.
        """
        ...
