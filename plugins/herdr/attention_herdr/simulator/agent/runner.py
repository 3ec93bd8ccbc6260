"""Starting the controller, detached: publish first, then wake."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .record import Record

AT_ONCE = 2


class Runner:
    """At most two at once; a wake-up that comes while both run
    is kept for one more afterwards, so that none is lost.
    """

    def __init__(
        self, argv: Sequence[str] | None, host: str, address: str, agent: str, record: Record
    ) -> None:
        self._argv = argv
        self._about = ["--host", host, "--address", address, "--trigger"]
        self._agent = agent
        self._record = record
        self._running: list[subprocess.Popen[bytes]] = []
        self._owed: str | None = None

    def wake(self, trigger: str) -> None:
        self._record.event("wake", trigger=trigger)
        if self._argv:
            self._owed = f"{self._agent}:{trigger}"
            self.catch_up()

    def catch_up(self) -> None:
        """Called now and then: forget the runners that have ended, start what is owed."""
        self._running = [runner for runner in self._running if runner.poll() is None]
        if self._owed is None or not self._argv or len(self._running) >= AT_ONCE:
            return
        trigger, self._owed = self._owed, None
        try:
            self._running.append(_detached([*self._argv, *self._about, trigger]))
        except OSError as error:
            self._record.event("runner-failed", error=str(error))

    def close(self) -> None:
        """Runners go on without this process, which has only to forget them without a warning."""
        for runner in self._running:
            if runner.poll() is None:
                runner.returncode = 0


def _detached(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    own: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        own = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    nothing = subprocess.DEVNULL
    return subprocess.Popen(list(argv), stdin=nothing, stdout=nothing, stderr=nothing, **own)
