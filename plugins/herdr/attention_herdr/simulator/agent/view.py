"""The agent's screen while it is not paused."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TRANSCRIPT_ROWS = 20


def normal_screen(
    version: str, title: str, transcript: Sequence[str], draft: str, dialog: str | None
) -> list[str]:
    """What was said, and under it the editor with its draft, or the dialog that has taken its place."""
    *above, last = draft.split("\n")
    bottom = [f" π > {title}", *(f"│  {line}" for line in above), f"╰─ {last}"]
    if dialog is not None:
        bottom = [f" ? {dialog}", " enter to choose"]
    return [f"─── omp v{version} ───", *transcript[-_TRANSCRIPT_ROWS:], "", *bottom]
