"""A model of the extension's reflex: brake, boundaries, questions, the bounds."""

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
BOUNDARY_LINE_MS = 100
ASK_AGAIN_MS = 1_000
GRACE_MS = 10
UNANSWERED = "unanswered"
AHEAD_MS = 60_000


class Lease(NamedTuple):
    mode: str
    fail: str
    ask_ms: int
    until_ms: int
    controller: str | None


class Hold:
    """The gate is held by the reflex, and one question about it is open or answered `pause`."""

    def __init__(self, owner: str, event: str, since_ms: float, in_vain: int = 0) -> None:
        self.owner = owner
        """brake, boundary."""
        self.event = event
        self.since_ms = since_ms
        self.question = 0
        self.said = "nothing"
        """Or pause, silence."""
        self.in_vain = in_vain
        self.shown = False


class Reflex:
    def __init__(self, extension: Extension, path: Path, ask: Callable[[int, str], None]) -> None:
        self._extension = extension
        self._path = path
        self._put = ask
        self.hold: Hold | None = None
        self.question = 0
        self.silent = 0
        self.problem = ""
        self._silent_hold: Hold | None = None
        """The last one that ended for want of an answer, while one may still come."""
        self._step_waits = False
        """At a boundary, while a request has the gate."""
        self._asked_for: dict[int, Hold] = {}
        self._off: tuple[Lease, int] | None = None
        """The end of the lease at which it fell silent, and when that was."""
        self._checking = False
        self._said_mode = "off"
        self.allowed: Callable[[str], None] = lambda _: None
        """Called with why the gate may be opened: answer, silence, lease, no-request, present."""

    @property
    def braked(self) -> bool:
        """Held, with a line that says so."""
        return self.hold is not None and self.hold.shown

    # What the terminal and the mailbox tell.

    def focus_out(self) -> None:
        news = not self._extension.away
        self._extension.reports = self._extension.away = True
        if self._brake("focus-out") or not news:
            return
        self._extension.publish()
        if self._away_counts():
            self._extension.wake("away")

    def focus_in(self) -> None:
        self._extension.reports = True
        self._present(counts=True)

    def key(self) -> None:
        extension = self._extension
        self._present(counts=self.hold is not None or not extension.reports or extension.away)

    def _present(self, counts: bool) -> None:
        if counts or self._step_waits:
            self.allowed("present")
        released = self._release()
        self._silent_hold, self._step_waits = None, False
        over = self.problem not in ("", UNANSWERED)
        if over:
            self.problem = ""
        if counts:
            self._extension.prove()
        if released or over:
            self._extension.publish()

    def boundary(self, event: str) -> bool:
        """Before a step of the agent. Whether the gate is held."""
        lease = self.lease()
        if self._extension.overlay or lease is None or lease.mode != "strict":
            return False
        if self.hold is None:
            self._engage("boundary", event)
        elif self.hold.said == "nothing":
            self._ask(self.hold, event)
        return self.hold is not None

    def request_ended(self) -> None:
        if self.hold is not None:
            if self.hold.said == "pause" and not self._extension.requested:
                self._ask(self.hold, "request-ended")
            return
        again = self._brake if self._extension.away else self.boundary if self._step_waits else None
        if again is not None and not again("request-ended"):
            self.allowed("lease")

    def taken(self) -> None:
        """The overlay or the person has the gate now."""
        if self.hold is not None:
            self._step_waits = self.hold.owner == "boundary"
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

    def _brake(self, event: str) -> bool:
        return self.lease() is not None and self._engage("brake", event)

    def _engage(self, owner: str, event: str) -> bool:
        if self._extension.overlay:
            if self._extension.requested:
                self.question += 1
                self._put(self.question, event)
            return False
        since_ms = self.hold.since_ms if self.hold else self._extension.at_ms()
        hold = self.hold = Hold(owner, event, since_ms)
        again, self._step_waits = self._step_waits, False
        if owner == "brake" or again:
            self._show(hold)
        else:
            self._extension.later(BOUNDARY_LINE_MS, lambda: self._show(hold))
        self._check()
        self._ask(hold, event)
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

    def _ask(self, hold: Hold, event: str) -> None:
        lease = self.lease()
        if lease is None:
            self._lease_is_over()
            return
        self._silent_hold = None
        hold.said = "nothing"
        self.question += 1
        question = hold.question = self.question
        self._asked_for[question] = hold

        def end() -> None:
            self._extension.later(GRACE_MS, over)

        def over() -> None:
            if self.hold is hold and hold.question == question and hold.said == "nothing":
                self._silence(hold)

        self._extension.later(lease.ask_ms, end)
        self._put(question, event)

    def answered(self, question: int, verdict: str | None) -> None:
        """None: no answer will come."""
        if verdict is not None:
            self._controller_is_there(verdict)
        hold = self._asked_for.get(question)
        if hold is None or hold.question != question:
            return
        if self.hold is not hold:
            self._answered_late(hold, verdict)
        elif verdict is None:
            if hold.said == "nothing":
                self._silence(hold)
        elif verdict == "pause":
            self._may_not_go_on(hold)
        else:
            self._let_go(f"answer {verdict} {question}")

    def _controller_is_there(self, verdict: str) -> None:
        self.silent, self._off = 0, None
        if self.problem and not (self.problem == "no-request" and verdict == "pause"):
            self.problem = ""
            self._extension.publish()

    def _answered_late(self, hold: Hold, verdict: str | None) -> None:
        extension = self._extension
        late = self._silent_hold is hold and verdict == "pause" and extension.away
        if not late or self.lease() is None or extension.overlay:
            return
        again = self.hold = Hold("brake", hold.event, hold.since_ms, hold.in_vain)
        again.question = hold.question
        self._check()
        self._may_not_go_on(again)

    def _may_not_go_on(self, hold: Hold) -> None:
        self._silent_hold = None
        hold.said = "pause"
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
                self._ask(hold, hold.event)
            else:
                self._give_up("no-request", "no-request")

        self._extension.later(REQUEST_MS, look)

    def _silence(self, hold: Hold) -> None:
        self.silent += 1
        lease = self.lease()
        if lease is not None and lease.mode == "strict" and lease.fail == "closed":
            self._stay_closed(hold)
        else:
            if lease is not None and self.silent >= SILENT_AT_MOST:
                self._off = (lease, self._extension.now_ms())
            self._give_up("silence", UNANSWERED)
            self._silent_hold = hold
        self._extension.wake("unanswered")

    def _stay_closed(self, hold: Hold) -> None:
        hold.said = "silence"
        if hold.shown:
            self._extension.publish()
        else:
            self._show(hold)
        question = hold.question

        def again() -> None:
            if self.hold is hold and hold.question == question and hold.said == "silence":
                self._ask(hold, hold.event)

        self._extension.later(ASK_AGAIN_MS * min(self.silent, 5), again)

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
        silent, at_ms = self._off
        if self._extension.now_ms() < at_ms:  # The clock was set back.
            return lease
        if lease.controller != silent.controller:  # It has not been asked yet.
            return lease
        if lease.until_ms <= silent.until_ms or self._extension.now_ms() < at_ms + REST_MS:
            return None
        self._off = None
        return lease

    def _read(self) -> Lease | None:
        found = self._valid()
        if found is None or found["mode"] == "off":
            return None
        return Lease(
            found["mode"], found["fail"], found["ask_ms"], found["until_ms"], found.get("controller")
        )

    def _away_counts(self) -> bool:
        """Also where the mode is off."""
        found = self._valid()
        return found is not None and found["away"] == "pause"

    def _valid(self) -> dict[str, Any] | None:
        try:
            found: dict[str, Any] = json.loads(self._extension.files.read(self._path))
        except FileNotFoundError:
            return None
        now_ms = self._extension.now_ms()
        return found if now_ms < found["until_ms"] <= now_ms + AHEAD_MS else None

    def document(self) -> dict[str, Any]:
        lease = self.lease()
        extension = self._extension
        mode = lease.mode if lease else "off"
        return {"mode": mode, "reports": extension.reports, "away": extension.away, "silent": self.silent}
