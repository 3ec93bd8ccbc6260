"""A model of the extension's reflex: brake, questions, the bounds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .extension import Extension

REQUEST_MS = 2_000
IN_VAIN_AT_MOST = 3
SILENT_AT_MOST = 3
REST_MS = 5_000
CHECK_MS = 500
GRACE_MS = 10
UNANSWERED = "unanswered"
AHEAD_MS = 60_000


class Lease(NamedTuple):
    mode: str
    ask_ms: int
    until_ms: int


class Hold:
    """The gate is held by the reflex, and one question about it is open or answered `pause`."""

    def __init__(self, in_vain: int = 0) -> None:
        self.question = 0
        self.told = False
        self.in_vain = in_vain
        self.shown = False


class Reflex:
    def __init__(self, extension: Extension, path: Path, ask: Callable[[int, str], None]) -> None:
        self._extension = extension
        self._path = path
        self._put = ask
        self.hold: Hold | None = None
        self.owner = "brake"
        self.question = 0
        self.silent = 0
        self.problem = ""
        self._silent_hold: Hold | None = None
        """The last one that ended for want of an answer, while one may still come."""
        self._asked_for: dict[int, Hold] = {}
        self._off: tuple[int, int] | None = None
        """The end of the lease at which it fell silent, and when that was."""
        self._checking = False
        self._said_mode = "off"
        self.allowed: Callable[[str], None] = lambda _: None
        """Called with why the gate may be opened: answer, silence, lease, no-request, present."""

    # What the terminal and the mailbox tell.

    def focus_out(self) -> None:
        news = not self._extension.away
        self._extension.reports = self._extension.away = True
        if not self._brake() and news:
            self._extension.publish()

    def focus_in(self) -> None:
        self._extension.reports = True
        self._present(counts=True)

    def key(self) -> None:
        extension = self._extension
        self._present(counts=self.hold is not None or not extension.reports or extension.away)

    def _present(self, counts: bool) -> None:
        if counts:
            self.allowed("present")
        released = self._release()
        self._silent_hold = None
        over = self.problem not in ("", UNANSWERED)
        if over:
            self.problem = ""
        if counts:
            self._extension.prove()
        if released or over:
            self._extension.publish()

    def request_ended(self) -> None:
        if self.hold is None:
            if self._extension.away and not self._brake():
                self.allowed("lease")
        elif self.hold.told and not self._extension.requested:
            self._ask(self.hold)

    def taken(self) -> None:
        """The overlay or the person has the gate now."""
        if self.hold is not None:
            self.hold, self.problem = None, ""

    def poll(self) -> None:
        """Who reads the status file shall see what the lease has become."""
        if not self._extension.reports:
            return
        lease = self.lease()
        mode = lease.mode if lease else "off"
        if mode != self._said_mode:
            self._extension.publish()
        self._said_mode = mode

    # The brake.

    def _brake(self) -> bool:
        if self.lease() is None:
            return False
        if self._extension.overlay:
            if self._extension.requested:
                self.question += 1
                self._put(self.question, "focus-out")
            return False
        hold = self.hold = Hold()
        self._show(hold)
        self._check()
        self._ask(hold)
        return True

    def _show(self, hold: Hold) -> None:
        if self.hold is hold and not hold.shown:
            hold.shown = True
            self._extension.publish()

    def _release(self) -> bool:
        held, self.hold = self.hold, None
        return held is not None and held.shown

    def _let_go(self, why: str) -> None:
        self.allowed(why)
        if self._release():
            self._extension.publish()

    def _give_up(self, why: str, problem: str) -> None:
        self.allowed(why)
        self.problem = problem
        self._release()
        self._extension.publish()

    def _lease_is_over(self) -> None:
        self._give_up("lease", "lease-over")
        self._extension.wake("lease-over")

    def _ask(self, hold: Hold) -> None:
        lease = self.lease()
        if lease is None:
            self._lease_is_over()
            return
        self._silent_hold = None
        hold.told = False
        self.question += 1
        question = hold.question = self.question
        self._asked_for[question] = hold

        def end() -> None:
            self._extension.later(GRACE_MS, lambda: self._silence(hold, question))

        self._extension.later(lease.ask_ms, end)
        self._put(question, "focus-out")

    def answered(self, question: int, verdict: str) -> None:
        self.silent, self._off = 0, None
        if self.problem and not (self.problem == "no-request" and verdict == "pause"):
            self.problem = ""
            self._extension.publish()
        hold = self._asked_for.get(question)
        if hold is None or hold.question != question:
            return
        if self.hold is not hold:
            self._answered_late(hold, verdict)
        elif verdict == "pause":
            self._may_not_go_on(hold)
        else:
            self._let_go(f"answer {verdict} {question}")

    def _answered_late(self, hold: Hold, verdict: str) -> None:
        extension = self._extension
        late = self._silent_hold is hold and verdict == "pause" and extension.away
        if not late or self.lease() is None or extension.overlay:
            return
        again = self.hold = Hold(hold.in_vain)
        again.question = hold.question
        self._check()
        self._may_not_go_on(again)

    def _may_not_go_on(self, hold: Hold) -> None:
        self._silent_hold = None
        hold.told = True
        self._show(hold)
        self._await_request(hold, hold.question)

    def _await_request(self, hold: Hold, question: int) -> None:
        def look() -> None:
            if self.hold is not hold or hold.question != question:
                return
            if self._extension.requested:
                self._await_request(hold, question)
                return
            hold.in_vain += 1
            if hold.in_vain < IN_VAIN_AT_MOST:
                self._ask(hold)
            else:
                self._give_up("no-request", "no-request")

        self._extension.later(REQUEST_MS, look)

    def _silence(self, hold: Hold, question: int) -> None:
        if self.hold is not hold or hold.question != question or hold.told:
            return
        self.silent += 1
        lease = self.lease()
        if lease is not None and self.silent >= SILENT_AT_MOST:
            self._off = (lease.until_ms, self._extension.now_ms())
        self._give_up("silence", UNANSWERED)
        self._silent_hold = hold
        self._extension.wake("unanswered")

    def _check(self) -> None:
        if self._checking:
            return
        self._checking = True

        def look() -> None:
            self._checking = False
            if self.hold is None:
                return
            if self.lease() is None:
                self._lease_is_over()
            else:
                self._check()

        self._extension.later(CHECK_MS, look)

    # The lease.

    def lease(self) -> Lease | None:
        lease = self._read()
        if lease is None or self._off is None:
            return lease
        until_ms, at_ms = self._off
        if self._extension.now_ms() < at_ms:  # The clock was set back.
            return lease
        if lease.until_ms <= until_ms or self._extension.now_ms() < at_ms + REST_MS:
            return None
        self._off = None
        return lease

    def _read(self) -> Lease | None:
        try:
            found = json.loads(self._extension.files.read(self._path))
        except FileNotFoundError:
            return None
        lease = Lease(found["mode"], found["ask_ms"], found["until_ms"])
        now_ms = self._extension.now_ms()
        valid = lease.mode != "off" and now_ms < lease.until_ms <= now_ms + AHEAD_MS
        return lease if valid else None

    def document(self) -> dict[str, Any]:
        lease = self.lease()
        extension = self._extension
        mode = lease.mode if lease else "off"
        return {"mode": mode, "reports": extension.reports, "away": extension.away, "silent": self.silent}
