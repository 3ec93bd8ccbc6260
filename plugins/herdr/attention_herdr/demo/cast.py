"""Who is on the stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Sabotage(Enum):
    """What is broken on purpose."""

    NONE = ""
    NO_CONTROLLER = "no-controller"
    """Nothing is set up: nobody pauses anybody."""
    DEAF_AGENT = "deaf-agent"
    """One agent says hello and never looks into its mailbox."""
    TYPED_PAUSE = "typed-pause"
    """The controller types `/pause` into the editor, where a draft stands."""


@dataclass(slots=True)
class Actor:
    """An agent with the pane that it is in."""

    name: str
    draft: str
    """What the person has typed and not sent. It has to be there at the end, byte for byte."""
    folder: Path
    """Where it writes down what it does."""
    pane: str = ""
    """Today's id."""
    inherited: str = ""
    """The id that its process was born with."""
    options: tuple[str, ...] = ()
    visits: list[tuple[float, float | None]] = field(default_factory=list)
    """When it had the focus, from and to, in milliseconds since the epoch; no end: it has it still."""


CAST = (
    ("builder", "fix the build,\nbut keep the cache \U0001f9f1"),
    ("reviewer", "look at the diff once more \U0001f50d\n\n  (the second file)"),
    ("tester", "run it with seed 7\n\u4e09 times"),
)
