"""The reflex of an agent: when its terminal says that the focus is lost, nothing new starts until the resident
controller has said whether it may go on (docs/reference/state-files.md). The boundaries of `strict` are not in
it: that mode brakes here as `brake` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import mailbox_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SILENT_AT_MOST = 3
"""So many questions in a row without an answer, and the reflex is off until the lease has been renewed."""
RENEWED_MS = 5_000
REQUEST_WITHIN_MS = 2_000
"""After the answer `pause` a request is on its way."""
ASKED_AGAIN_AT_MOST = 3
LEASE_AHEAD_MS = 60_000


@dataclass(frozen=True, slots=True)
class Lease:
    """What `reflex.json` permits."""

    mode: str
    ask_ms: int
    until_ms: int


def read_lease(path: Path, now_ms: int) -> Lease | None:
    """None: it is not there, is nonsense, has run out, or is from another time."""
    try:
        document: dict[str, Any] = mailbox_files.read(path) or {}
        lease = Lease(str(document["mode"]), int(document["ask_ms"]), int(document["until_ms"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    valid = now_ms < lease.until_ms <= now_ms + LEASE_AHEAD_MS and lease.mode in ("brake", "strict")
    return lease if valid else None


@dataclass(slots=True)
class Brake:
    """When it is on, and which question is open. What is said of it elsewhere is the caller's business:
    each method says whether the brake is to go on or off, or which question is to be asked.
    """

    lease: Callable[[], Lease | None]
    on: bool = False
    reports: bool = False
    away: bool = False
    silent: int = 0
    since_ms: int | None = None
    problem: str = ""
    question: int = 0
    _open: bool = False
    _until_ms: int = 0
    """When the answer, or after it the request, must be there."""
    _again: int = 0
    _off_from_ms: int = 0
    """The end of the lease at which it fell silent; 0: it has not."""

    @property
    def mode(self) -> str:
        lease = self._lease()
        return lease.mode if lease else "off"

    def lost(self, now_ms: int) -> int | None:
        """The terminal says that the focus is lost. The question to ask, once the brake is on and told."""
        self.reports = self.away = True
        self._again = 0
        return self.put_on(now_ms)

    def put_on(self, now_ms: int) -> int | None:
        """Every loss asks anew, also while a question is open. None: there is no reflex now."""
        lease = self._lease()
        if not self.away or lease is None:
            return None
        self.since_ms = self.since_ms if self.on else now_ms
        self.on = self._open = True
        self.question += 1
        self._until_ms = now_ms + lease.ask_ms
        return self.question

    def let_go(self) -> bool:
        """Whether it was on. An answer that comes now is to a question of before."""
        was_on, self.on = self.on, False
        self._open, self.since_ms = False, None
        self.question += 1
        return was_on

    def came(self) -> bool:
        """The person is there: whether the brake is to go off."""
        self.away = False
        self.problem = ""
        return self.let_go()

    def answered(self, question: int, answer: str | None, now_ms: int) -> bool:
        """Whether the brake is to go off. None: nobody answered."""
        if not self._open or question != self.question:
            return False
        self._open = False
        if answer is None:
            return self._fell_silent()
        self.silent = 0
        self._off_from_ms = 0
        if answer == "pause":
            self._until_ms = now_ms + REQUEST_WITHIN_MS
            return False
        return self.let_go()

    def overdue(self, now_ms: int) -> int | bool:
        """True: the brake is to go off. A number: to be asked again. False: nothing is due."""
        if not self.on:
            return False
        if self._lease() is None:
            return self.let_go()
        if now_ms < self._until_ms:
            return False
        if self._open:
            return self._fell_silent()
        self._again += 1
        if self._again > ASKED_AGAIN_AT_MOST:
            self.problem = "it was told to pause, and no request came"
            return self.let_go()
        return self.put_on(now_ms) or False

    def _fell_silent(self) -> bool:
        self.silent += 1
        lease = self._lease()
        if self.silent >= SILENT_AT_MOST and lease is not None:
            self._off_from_ms = lease.until_ms
        return self.let_go()

    def _lease(self) -> Lease | None:
        lease = self.lease()
        if lease is None or not self._off_from_ms:
            return lease
        if lease.until_ms < self._off_from_ms + RENEWED_MS:
            return None
        self.silent = self._off_from_ms = 0
        return lease
