"""What all parts of the world share: the disk, the clock, the host, and how chance has set them up."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attention_framework.holds import Holds
from attention_framework.state.folder import StateFolder
from attention_framework.testing import SESSION, FakeHost, Memory, pane

from .controller import mailbox_alone
from .outside import HostEvents, ScriptedBreaks
from .recorder import Recorder
from .scheduler import SharedClock, Turns
from .ways import Ways, thrown

if TYPE_CHECKING:
    from collections.abc import Callable

    from .errands import Errand
    from .player import Player
    from .questions import Question
    from .serving import Server

STATE = StateFolder(Path("/state"))
FOLDER = STATE.session(SESSION)
LEASE, HOLDS, FOCUS, WAKE = STATE.root / "reflex.json", STATE.holds, FOLDER.focus, FOLDER.wake
PANES = ("a", "b", "c")
LEASE_MS = 15_000

Act = tuple[str, "Callable[[], object]"]
"""One thing that may happen next, with its name for the trace."""


class Stage:
    """The parts of `World` are subclasses of it. They call each other's methods: all of them are one object."""

    def __init__(
        self, seed: int, crashes: bool = True, ways: Ways | None = None, mode: str = "", record: bool = False
    ) -> None:
        self.dice = random.Random(seed)
        self.mode = mode
        """Of all settings that there will be; empty for any."""
        self.ways = ways or thrown(self.dice, mode)
        self.turns = Turns()
        self.clock = SharedClock(self.turns)
        self.memory = Memory(clock=self.clock)
        self.crashes = crashes
        self.losses = crashes and self.dice.random() < 0.5
        """Whether wake-ups may be lost with whoever carries them; a later look finds what they would have told."""
        self.trace: list[str] = [str(self.ways)]
        self.pids = 100
        self.breaks = 0
        self.looked_after = True
        """Nothing was lost that only a later look can find."""
        self.wrong: list[str] = []
        """What a process of the controller has said or done that must not be."""
        self.server: Server | None = None
        self.errands: list[Errand] = []
        self.questions: list[Question] = []
        self.events = HostEvents(self.clock)
        self.source = ScriptedBreaks(self.clock)
        self.settings_changed_ms = float("-inf")
        self.settled_ms = float("inf")
        """Since when nobody is stopped, and nothing happens but what must follow."""
        self.ended: set[str] = set()
        """Runs of the break source that somebody else has ended."""
        self.stood: set[str] = set()
        """What was in force when the break source fell silent, and need not end before its deadline."""
        self.polled_ms = 0.0
        self.window = True
        """The outer window is in front."""
        self.seen_focused_ms: dict[str, float] = {}
        """When the last cycle that saw a pane focused was over."""
        self.remembered = b""
        self.set_back_ms = float("-inf")
        self.transports: Callable[[Any], list[Any]] = mailbox_alone
        self.acting = "extension"
        self.known: dict[bytes, dict[str, Any]] = {}
        self.held: tuple[object, list[str]] = (None, [])
        self.ids = {name: name for name in PANES}
        self.host = FakeHost(*(pane(name, status="working") for name in PANES))
        self.host.focus("a")
        self.holds = Holds(STATE, self.memory.files, self.said)
        self.recorder = Recorder(self.memory, STATE) if record else None
        self.leased: bytes | None = None
        self.lease_mode = ""
        self.lease_over_ms = 0.0
        self.players: dict[str, Player] = {}

    @property
    def now_ms(self) -> float:
        return self.memory.clock.monotonic_ms()

    def said(self, sentence: str) -> None:
        if "Crash" in sentence or "is killed" in sentence:  # A strategy in which the process has died.
            return
        if "no fake host answers" in sentence or "other cycles have held" in sentence:
            return
        if sentence.startswith(self.source.name) or "the settings have changed and are wrong" in sentence:
            return
        # Told to stop, or with other settings now.
        if "no cycle has come" in sentence or "the resident controller is ending" in sentence:
            return
        self.wrong.append(f"nothing is broken here: {sentence}")

    @property
    def front(self) -> str:
        today = next(iter(self.host.focused))
        return next(name for name, id in self.ids.items() if id == today)
