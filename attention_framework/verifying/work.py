"""Calls that tell by themselves when they ran: a program that the agent is asked to run again and again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

    from .absence import Span

NAME: Final = "step"
LASTS_S: Final = 1
SCRIPT: Final = """\
#!/bin/sh
# Leaves a file when it begins and one when it ends: their times are what `attention verify` looks at.
here=$(dirname "$0")
: > "$here/.began/$$"
sleep {lasts}
: > "$here/.ended/$$"
echo done
"""
PROMPT: Final = (
    "Run the command ./step with your shell tool, {times} times: one call after the other, never two at once, "
    "nothing else in the call, and no other tool. Say nothing in between. After the last one answer with the word done."
)
TIMES: Final = 60


@dataclass(frozen=True, slots=True)
class Work:
    """The folder that an agent works in."""

    folder: Path

    def prepare(self) -> None:
        for name in (".began", ".ended"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        script = self.folder / NAME
        script.write_text(SCRIPT.format(lasts=LASTS_S), encoding="utf-8")
        script.chmod(0o700)

    def calls(self) -> list[Span]:
        """In the order in which they began."""
        began, ended = (_times_ms(self.folder / name) for name in (".began", ".ended"))
        return sorted(((at_ms, ended.get(name)) for name, at_ms in began.items()), key=lambda span: span[0])


def _times_ms(folder: Path) -> dict[str, float]:
    """By the file's own time, which no start of another program delays."""
    with os.scandir(folder) as entries:
        return {entry.name: entry.stat().st_mtime_ns / 1e6 for entry in entries}
