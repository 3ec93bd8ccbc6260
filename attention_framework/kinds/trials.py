"""Panes of their own in a host, in which `attention verify` starts agents and measures how they are paused."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from ..model import Session


class Trial(Protocol):
    """A temporary place in a host, with panes that nobody else uses: a session, or a part of one. `attention verify` starts
    agents there and measures how they are paused.
    """

    moves: str
    """How this trial moves the focus, for people: `by keys of a client on a terminal`."""
    own_session: bool
    """True: the session was made for this trial and ends with it. False: the panes are in a session of the person's."""

    @property
    def session(self) -> Session:
        """The session that the panes are in. May be asked for only after the first `open`."""
        ...

    def open(self, command: str, folder: Path, environment: Mapping[str, str]) -> str:
        """Open a pane, start this command line in it, and give it the focus. `folder` is the working folder of the command;
        `environment` has variables to add to those of every new pane. Returns the id of the pane. Raises HostUnavailable.
        """
        ...

    def focus(self, pane: str) -> None:
        """Move the focus to this pane, if possible in the way a person does it (by keys). May return before the focus has
        moved.
        """
        ...

    def type(self, pane: str, text: str) -> None:
        """Send this text to the pane as if the person had typed it. It may contain control characters, such as those that a
        terminal sends for special keys. The pane has the focus.
        """
        ...

    def close(self) -> None:
        """Close the panes and end what runs in them, so that nothing is left. A second call does nothing."""
        ...


@runtime_checkable
class OffersTrials(Protocol):
    """A focus source that can make a `Trial` in its host."""

    def trial(self) -> Trial:
        """A new trial, without panes. Raises HostUnavailable."""
        ...


class Simulation(Protocol):
    """A simulated host with simulated agents and the real controller, for `attention verify --simulated`.

    The hook `attention_simulations` announces the class. It is constructed with the name of one of its sabotages, or with
    `""` for none. Use it as a context manager: entering it starts everything, leaving it ends and removes everything.
    """

    sabotages: ClassVar[Sequence[str]]
    """Names of the faults that it can have on purpose, so that a person can see `attention verify` find them."""
    config: Path
    """The settings file of its controller."""
    state: Path
    """The state folder of its controller."""

    def __init__(self, sabotage: str) -> None: ...

    def __enter__(self) -> Simulation: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def trial(self) -> Trial:
        """A trial in the simulated host. Whatever command line is given to its `open`, a simulated agent is started."""
        ...

    def calls(self, pane: str) -> Sequence[tuple[float, float | None]]:
        """The tool calls of the agent in this pane, in order: `(began, ended)`, both in milliseconds since the epoch. `ended`
        is None for a call that still runs.
        """
        ...
