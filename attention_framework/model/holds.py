"""Screen breaks, and the holds that pause agents."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Break:
    """A screen break that is going on."""

    run: str
    """Its id: the same for the same break, also after a restart."""
    kind: str
    """What it is called, such as `mini`; for the person."""
    started_ms: int
    """Wall clock. Where the program does not tell it: when the break was first seen."""
    deadline_ms: int | None
    """Wall clock: when it is over, whoever has died. None: an hour after it began, as nobody holds agents for ever."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which panes a hold means: all of them, or those of `panes`, each `(session key, pane id)`."""

    everything: bool = True
    """All panes of all sessions."""
    panes: frozenset[tuple[str, str]] = frozenset()
    """`(session key, pane id)`, where not all are meant."""
    excluded: frozenset[tuple[str, str]] = frozenset()
    """`(session key, pane id)` that are not meant in any case."""

    def covers(self, key: str, names: frozenset[str]) -> bool:
        """Whether it means a pane of the session with this key that has one of these ids."""
        ids = {(key, name) for name in names}
        return not ids & self.excluded and (self.everything or bool(ids & self.panes))


@dataclass(frozen=True, slots=True)
class Hold:
    """A run that is a break or a manual pause: the content of its file."""

    run: str
    """Its id."""
    kind: str
    """`break` or `manual`."""
    source: str
    """Who has begun it, for the person."""
    scope: Scope
    """Which panes it means."""
    started_ms: int
    """When it began."""
    deadline_ms: int | None = None
    """When it is over, whoever has died. None: when it is ended."""
    last_active: tuple[str, str] | None = None
    """`(session key, pane id)` that was focused when the first of the overlapping holds began."""

    def in_force(self, now_ms: int) -> bool:
        """Whether its deadline is still to come."""
        return self.deadline_ms is None or now_ms < self.deadline_ms
