"""One of many real processes: wakes a session again and again, and writes down what it did.

    woken.py FOLDER NUMBER EVENTS [--dies]

An event is a file in `events`, there before the wake-up. A cycle writes which events it saw when it began, works a moment, and
writes that it has ended. With `--dies` the process kills itself in the middle of its second cycle.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from attention_framework.effects import real_effects
from attention_framework.single_flight import Flown, fly, line_up, mark
from attention_framework.state.folder import SessionFolder
from attention_framework.testing import until

if TYPE_CHECKING:
    from collections.abc import Sequence

WORK_MS = 2
READY_S = 180
"""More than the test waits until all are: the first one has waited for the last one's start."""


class Process:
    def __init__(self, root: Path, number: str, dies: bool) -> None:
        self.root = root
        self.number = number
        self.dies = dies
        self.effects = real_effects()
        self.folder = SessionFolder(root / "session")
        self.flown = 0

    def write(self, what: str, **more: object) -> None:
        line = json.dumps({"what": what, "who": self.number, **more}) + "\n"
        self.effects.files.append(self.root / "log", line.encode())

    def wake(self, event: str) -> None:
        files, clock = self.effects.files, self.effects.clock
        files.create(self.root / "events" / event)
        marker = mark(self.folder, files, event)
        place = line_up(self.folder, marker, files, clock)
        if place is not None:

            def cycle(triggers: Sequence[str]) -> tuple[None, bool]:
                place.release()  # As the runner does: the next one prepares while this one flies.
                return self.cycle(triggers)

            try:
                if isinstance(fly(self.folder, marker, files, clock, cycle), Flown):
                    self.flown += 1
            finally:
                place.release()
        self.write("ended", event=event, left=files.exists(marker))

    def cycle(self, triggers: Sequence[str]) -> tuple[None, bool]:
        # The lock shows who is inside; the log's order alone would not show two that overlap.
        self.write("begin", saw=self.effects.files.names(self.root / "events"), told=list(triggers))
        self.effects.clock.sleep_ms(WORK_MS)
        if self.dies and self.flown:
            self.write("dies")
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        self.write("end")
        return None, True


def main(root: str, number: str, events: str, *flags: str) -> None:
    process = Process(Path(root), number, "--dies" in flags)
    process.write("ready")
    until((Path(root) / "go").exists, READY_S)
    for event in range(int(events)):
        process.wake(f"{number}-{event}")


if __name__ == "__main__":
    main(*sys.argv[1:])
