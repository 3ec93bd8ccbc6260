"""Places of a host in which `attention verify` tries agents out."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from ..model import Session


class Trial(Protocol):
    """A disposable place of a host with panes of its own, in which `attention verify` tries agents out."""

    moves: str
    """How the focus is moved there, for people: `by keys of a client on a terminal`."""
    own_session: bool
    """Whether the session is the trial's own and ends with it; else it has a place in a session of the person's."""

    @property
    def session(self) -> Session:
        """Known from the first pane on."""
        ...

    def open(self, command: str, folder: Path, environment: Mapping[str, str]) -> str:
        """Open a pane, start this command line in it, and have it focused; the pane's id. The environment comes
        on top of what a new pane has. Raises HostUnavailable.
        """
        ...

    def focus(self, pane: str) -> None:
        """Move the focus there as nearly as a person would. Need not wait for it."""
        ...

    def type(self, pane: str, text: str) -> None:
        """What a person's terminal sends, control characters included, to this pane, which has the focus."""
        ...

    def close(self) -> None:
        """End the panes and what runs in them, and leave nothing. A second call does nothing."""
        ...


@runtime_checkable
class OffersTrials(Protocol):
    """A focus source whose host can be tried out in a place that nobody else uses."""

    def trial(self) -> Trial:
        """A new one, empty. Raises HostUnavailable."""
        ...


class Simulation(Protocol):
    """A simulated host that is set up with the real controller, on which `attention verify` can try itself.

    Announced by `attention_simulations` as a class that is constructed with one of its sabotages, or with `""`.
    A context manager: entering it starts everything, leaving it ends and removes everything.
    """

    sabotages: ClassVar[Sequence[str]]
    """What can be broken on purpose."""
    config: Path
    """Its settings file."""
    state: Path
    """Its state folder."""

    def __init__(self, sabotage: str) -> None: ...

    def __enter__(self) -> Simulation: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def trial(self) -> Trial:
        """Its command lines are not looked at: a simulated agent is started."""
        ...

    def calls(self, pane: str) -> Sequence[tuple[float, float | None]]:
        """When the tool calls of the agent in this pane began and ended, in ms since the epoch, in order."""
        ...
