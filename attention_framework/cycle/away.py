"""The focus with `reflex.away = "pause"`: a pane that nobody can see, because
the window around it is not in front, has none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..model import Pane, Snapshot


def away_panes(panes: Iterable[Pane], focused: frozenset[str] | None) -> frozenset[str]:
    """Ids of panes that the host calls focused, and whose agent says that its last focus report was of a loss."""
    return frozenset(
        pane.id for pane in panes if pane.id in (focused or ()) and pane.hello and pane.hello.reflex.away
    )


def without(snapshot: Snapshot, away: frozenset[str]) -> Snapshot:
    """The snapshot as if these panes were not focused."""
    if snapshot.focused is None or not away:
        return snapshot
    panes = tuple(replace(pane, focused=pane.focused and pane.id not in away) for pane in snapshot.panes)
    return replace(snapshot, panes=panes, focused=snapshot.focused - away)
