"""What the program that acts like Stretchly does by itself, and the files by which its processes find each other."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT: Final = "script.json"
"""The file with the `Script`."""
INSTANCE: Final = "instance.json"
"""The file in which the first process writes its pid and its port on 127.0.0.1, for the processes that come later."""
CONTROL: Final = "control"
"""The word on the command line before what the person does in the window, such as `control skip`. The real program does not
know it.
"""


@dataclass(frozen=True, slots=True)
class Script:
    """How the program behaves, and what happens by itself. All times are divided by `speed`."""

    version: tuple[int, int] = (1, 22)
    """The version of Stretchly in whose words it writes its log."""
    speed: float = 1.0
    """How many times faster than the real program it acts. The time stamps in its log are real ones."""
    newline: str = "\n"
    """The line end in its log."""
    mini_ms: float = 20_000
    """The duration of a mini break."""
    long_ms: float = 300_000
    """The duration of a long break."""
    skip_after_ms: float | None = None
    """So long after the start of each break, the person skips it. None: never."""
    postpone_after_ms: float | None = None
    """So long after the start of each break, the person postpones it. None: never."""
    quit_after_ms: float | None = None
    """So long after the start of each break, the person quits Stretchly. None: never."""
    starts_ms: float = 500
    """The time from the start of the program to its first line in the log."""
    loads: bool = True
    """False: the window of a break never opens, so no break starts."""
    silent: bool = False
    """True: it writes no log."""
    hangs: bool = False
    """True: the program does nothing at all, and does not end."""
    log_full: int = 1 << 20
    """The size in bytes above which it renames its log."""


def log_of(folder: Path) -> Path:
    """The log of the program whose files are in this folder."""
    return folder / "logs" / "main.log"


def save_script(folder: Path, script: Script) -> None:
    (folder / SCRIPT).write_text(json.dumps(asdict(script)), encoding="utf-8")


def load_script(folder: Path) -> Script:
    """The script in this folder; the defaults if there is none."""
    try:
        found = json.loads((folder / SCRIPT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Script()
    return Script(**{**found, "version": tuple(found["version"])})
