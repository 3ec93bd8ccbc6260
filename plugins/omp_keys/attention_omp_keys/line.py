"""The line of a gentle pause, read from the terminal.

The extension puts it above OMP's prompt editor (omp_extension/src/gentle.ts), in one row or, in a narrow
terminal, in two:

     attention: paused since 10:48:50 - Ctrl+Alt+R resumes, your prompts wait
     π > model > folder ▶─────────12%─────────128K─
    ╰─ the draft

So the editor's two rows follow at once. The same words in a transcript have an empty row below them, and in a
draft no editor.
"""

from __future__ import annotations

import re

HEAD = r" ?attention: paused since (?P<since>[0-2]\d:[0-5]\d:[0-5]\d)"
WAY_OUT = r"\S+ resumes, your prompts wait"
ONE_ROW = re.compile(f"{HEAD} - {WAY_OUT}")
FIRST_OF_TWO = re.compile(HEAD)
SECOND_OF_TWO = re.compile(WAY_OUT)
EDITOR_TOP = re.compile("\u2500{3}")
EDITOR_LEFT = "\u2570"


def find_line(text: str) -> str | None:
    """Since when the agent is paused, `hh:mm:ss` as on its screen; None if no such line is there."""
    rows = [row.rstrip() for row in text.split("\n")]
    found = (_line_at(rows, at) for at in range(len(rows) - 1, -1, -1))
    return next((since for since in found if since), None)


def _line_at(rows: list[str], at: int) -> str | None:
    one, first = ONE_ROW.fullmatch(rows[at]), FIRST_OF_TWO.fullmatch(rows[at])
    below = rows[at + 1 :]
    if first and below and SECOND_OF_TWO.fullmatch(below[0]):
        del below[0]
    elif not one:
        return None
    editor = len(below) > 1 and EDITOR_TOP.search(below[0]) and below[1].startswith(EDITOR_LEFT)
    found = one or first
    return found["since"] if found and editor else None
