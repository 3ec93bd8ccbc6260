"""Shows beside panes and workspaces what is paused there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..kinds import ShowsBadges, ShowsWorkspaceBadges
from ..model import Badge

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..state.deliveries import PaneRecord
    from .seen import Look

BADGE_TTL_MS = 3_600_000
"""One-shot cycles come with the person's switches, so a badge must outlast a long look at one pane."""


def show_badges(
    look: Look,
    records: dict[str, PaneRecord],
    control: object,
    carry_out: Callable[[Callable[[], None]], bool],
) -> None:
    """Change what is shown where it is not what was seen, and note it in the records.

    Also where no agent is any more: what was shown of one that has ended must go.

    :param control: the host's control of the session; one that shows no badges is left alone.
    :param carry_out: does something with a host and tells whether it went well.
    """
    if not isinstance(control, ShowsBadges):
        return
    now_ms = look.view.now_ms
    held = {candidate.pane.id for candidate in look.candidates if candidate.seen.held}
    renewed: set[str] = set()
    for pane in look.view.snapshot.panes:
        record = records[pane.id]
        text = "paused" if pane.id in held else None
        fresh = 0 <= now_ms - record.badge_ms < BADGE_TTL_MS / 2
        # A host that was restarted has forgotten what it was to show.
        shown = record.badge if pane.badge is None else pane.badge or None
        if text == shown and (fresh or text is None):
            continue
        if carry_out(partial(control.show_badge, pane, _badge(text))):
            records[pane.id] = replace(record, badge=text, badge_ms=now_ms)
            renewed.add(pane.id)
    if isinstance(control, ShowsWorkspaceBadges):
        _show_counts(look, held, renewed, control, carry_out)


def _show_counts(
    look: Look,
    held: set[str],
    renewed: set[str],
    control: ShowsWorkspaceBadges,
    carry_out: Callable[[Callable[[], None]], bool],
) -> None:
    """How many agents are paused, beside each workspace. It lives as long as a badge of its panes, and is renewed with
    one.
    """
    for workspace in look.view.snapshot.workspaces:
        count = len(workspace.panes & held)
        text = f"{count} paused" if count else ""
        if text != workspace.badge or (text and workspace.panes & renewed):
            carry_out(partial(control.show_workspace_badge, workspace, _badge(text)))


def _badge(text: str | None) -> Badge | None:
    return Badge(text, BADGE_TTL_MS) if text else None
