"""What the scripted Stretchly does of its own accord, and the files by which its processes know of each other."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT: Final = "script.json"
INSTANCE: Final = "instance.json"
"""Who is the first process, and how it is reached."""
CONTROL: Final = "control"
"""Comes before what the person does in the window."""


@dataclass(frozen=True, slots=True)
class Script:
    """What happens without anybody's doing. Times are milliseconds of a Stretchly at speed 1."""

    version: tuple[int, int] = (1, 22)
    speed: float = 1.0
    """How many times faster it lives. The stamps in its log are those of the real clock."""
    newline: str = "\n"
    mini_ms: float = 20_000
    long_ms: float = 300_000
    skip_after_ms: float | None = None
    """The person skips every break so long after its start; `postpone`, `quit` and `crash` likewise."""
    postpone_after_ms: float | None = None
    quit_after_ms: float | None = None
    starts_ms: float = 500
    """From the start of the program to its first line."""
    loads: bool = True
    """False: its windows never load, so no break starts."""
    silent: bool = False
    """It writes nothing."""
    hangs: bool = False
    """The program does nothing at all, and does not end."""
    log_full: int = 1 << 20


def log_of(folder: Path) -> Path:
    return folder / "logs" / "main.log"


def save_script(folder: Path, script: Script) -> None:
    (folder / SCRIPT).write_text(json.dumps(asdict(script)), encoding="utf-8")


def load_script(folder: Path) -> Script:
    """What the file says, else the defaults."""
    try:
        found = json.loads((folder / SCRIPT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Script()
    return Script(**{**found, "version": tuple(found["version"])})
