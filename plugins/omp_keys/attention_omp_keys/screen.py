"""The pause screen, read from the terminal.

OMP draws it over the whole terminal, every line centred (pi-coding-agent,
src/modes/components/pause-screen.ts):

    wide     [session name] bars, `P A U S E D`, two sentences, `paused for 0:07`, footer
    compact  [session name] `▌▌ P A U S E D`, `paused for 0:07`, footer

So the last five lines that are not empty are the title and what belongs to it, and nothing stands below.
The same words in a transcript or a draft have OMP's editor below them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attention_framework import AgentState, HostUnavailable, Observation

from .line import find_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Context, Pane

FOOTERS = {
    "17.2.15 to 18.2.9": ("esc · enter · space — resume", "esc to resume"),
    "18.3.4, unicode": ("⎋ · ⏎ · ␣ — resume", "⎋ to resume"),
    "18.3.4, ascii": ("Esc · Enter · Space — resume", "Esc to resume"),
}
"""The wide and the compact footer by version.

From 18.3.4 on it names the person's own keys, so others occur.
"""

LAST_LINES = 5
SENTENCES = 2
TITLE = re.compile(r"(?P<bars>[^\w\s]{1,3} )?P A U S E D")
CLOCK = re.compile(r"paused for (?:\d+:)?\d+:[0-5]\d")
FRAME = re.compile(r"[\u2500-\u257f]")
"""Box drawing: OMP's editor and status line, never its pause screen."""

OFF_CENTRE = 1.5
"""Cells by which centred lines may differ: half a cell from rounding, and a wide sign in an unknown footer.
"""

MARGIN = 2
"""Cells to the left of a centred line in any terminal that one works in; transcripts are indented by less."""


@dataclass(frozen=True, slots=True)
class PauseScreen:
    """What the screen says."""

    clock: str
    footer: str
    """Empty where the terminal is too low for it."""
    known: str | None
    """The versions whose footer it is; None for a footer that is not in the table."""


def find_pause(text: str) -> PauseScreen | None:
    """The pause screen at the end of this text, if it is one."""
    lines = [line.rstrip() for line in text.split("\n") if line.strip()][-LAST_LINES:]
    found = (_read(lines[at:]) for at in range(len(lines) - 1))
    return next((screen for screen in found if screen), None)


def _read(lines: Sequence[str]) -> PauseScreen | None:
    """What these lines say, if they are a title and all that belongs to it."""
    title = TITLE.fullmatch(lines[0].strip())
    clocks = [at for at, line in enumerate(lines) if CLOCK.fullmatch(line.strip())]
    if title is None or not clocks:
        return None
    compact = title["bars"] is not None
    below = [line.strip() for line in lines[clocks[-1] + 1 :]]
    if clocks[-1] != (1 if compact else 1 + SENTENCES) or len(below) > 1:
        return None
    clock, footer = lines[clocks[-1]].strip().rpartition(" ")[2], "".join(below)
    known = next((versions for versions, forms in FOOTERS.items() if footer == forms[compact]), None)
    if known is None and (FRAME.search(footer) or not _centred(lines)):
        return None
    return PauseScreen(clock, footer, known)


def _centred(lines: Sequence[str]) -> bool:
    """Whether the lines have one axis, off the margin, as a quotation has not. The terminal's width is not known here."""
    margins = [len(line) - len(line.lstrip()) for line in lines]
    centres = [(margin + len(line)) / 2 for margin, line in zip(margins, lines, strict=True)]
    return min(margins) >= MARGIN and max(centres) - min(centres) <= OFF_CENTRE


class OmpScreen:
    """Reads the screen: for an OMP without the extension, and as a second opinion."""

    name = "omp-screen"

    def __init__(self, settings: None, context: Context) -> None:
        self._context = context

    def observe(self, pane: Pane) -> Observation:
        try:
            text = self._context.control(pane.session).read_screen(pane)
        except HostUnavailable as error:
            return Observation(AgentState.UNKNOWN, f"its screen cannot be read: {error}")
        if not text.strip():
            return Observation(AgentState.UNKNOWN, "its screen is empty")
        if since := find_line(text):
            return Observation(AgentState.PAUSED, f"the line above the prompt editor, since {since}")
        found = find_pause(text)
        if found is None:
            return Observation(
                AgentState.RUNNING, "no pause screen at the end of its screen, and no line above its editor"
            )
        # Evidence goes into the journal, which quotes nothing of a screen.
        form = f"as OMP {found.known} draws it" if found.known else "with a footer of no known version"
        return Observation(AgentState.PAUSED, f"the pause screen, {form}, since {found.clock}")
