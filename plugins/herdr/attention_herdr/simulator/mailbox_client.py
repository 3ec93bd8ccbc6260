"""The agent's side of the mailbox, in full: a model for the extension of any agent that can be paused.

The files and the rules are in docs/reference/state-files.md. An extension does five things with this class:

- at its start `hello`, at its end `close`;
- `look` whenever the mailbox may have something: a watch on its folder, the nudge key, the end of a turn, a
  poll every 2 s;
- `came`, `left` and `pressed` for what shows that the person is there;
- `answered` for the answer to a question that it was told to ask, and `tend` now and then, also while nothing
  happens: a brake lasts no longer than it must;
- `person_paused` and `person_resumed` for what the person does to the gate;
- `calls_changed` when a call in flight begins or ends.

All of it on one thread, so that a check and the act that follows are one step. A
file system that fails raises OSError: an extension that must not take its agent
down with it wraps every call. A process in several hosts has one client for each.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from . import mailbox_files, mailbox_rules
from .brake import Brake, read_lease
from .mailbox_box import Box, Claim
from .mailbox_rules import View
from .names import encode, session_key

if TYPE_CHECKING:
    from collections.abc import Callable


PROTOCOL = 1
RETRY_MS = 2_000
"""How long a request rests that could not be carried out,
for instance because an external editor has the terminal.
"""


class Pausable(Protocol):
    """What the client needs of its agent."""

    def engage(self) -> None:
        """From here on nothing new starts; what is in flight goes on."""

    def show(self) -> str | None:
        """Bring up the native pause screen. None once it is seen painted, else why it is not."""

    def release(self) -> None:
        """Take the screen away and let go."""

    def describe(self) -> dict[str, Any]:
        """`agent`, `tty`, `session_file`, `versions` and `calls` of the status file."""


class MailboxClient:
    """`wake(trigger)` starts the controller. `step(name)` is told where the protocol stands; tests end the
    process there. `ask(question)` asks the resident controller and answers by `answered`; without it there is
    no reflex.
    """

    def __init__(
        self,
        state: Path,
        host: str,
        address: str,
        pane: str,
        agent: Pausable,
        wake: Callable[[str], None],
        step: Callable[[str], None] = lambda name: None,
        ask: Callable[[int], None] | None = None,
    ) -> None:
        self._place = (session_key(host, address), pane)
        self._agent = agent
        self._wake = wake
        self._step = step
        self._ask = ask
        self._pane = pane
        self._started = _process_start()
        file = f"{encode(pane)}.{os.getpid()}"
        session = state / "sessions" / self._place[0]
        self._holds = state / "holds"
        self._status = session / "agents" / f"{file}.json"
        self._box = Box(session / "mailbox" / file)
        self._by: str | None = None
        self._runs: list[str] = []
        self._waived: frozenset[str] = frozenset()
        self._attended = 0
        self._away: bool | None = None
        lease = state / "reflex.json"
        self._brake = Brake(lambda: read_lease(lease, _now_ms()) if ask else None)
        self._engagements = 0
        self._problem: dict[str, Any] | None = None
        self._retry_at_ms = 0

    @property
    def braked(self) -> bool:
        return self._brake.on and self._by is None

    def has_post(self) -> bool:
        """Whether a look would find something. For agents that cannot watch a folder."""
        return self._box.has_post()

    # --- the life of the process

    def hello(self) -> None:
        """An empty mailbox, then the status file, then the wake-up: whom it reaches must find the file."""
        self._box.make()
        self._status.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._announce("hello")

    def unsupported(self, why: str) -> None:
        """This agent cannot be paused: say so, and do nothing else."""
        self._problem = {"code": "not-live", "text": why, "since_ms": _now_ms()}
        self.hello()

    def close(self) -> None:
        mailbox_files.remove(self._status)
        self._box.remove()

    # --- what shows that the person is there

    def came(self) -> None:
        """The host reports that the pane has the focus."""
        self._away = False
        self._lets_go(self._brake.came())
        self._count()

    def left(self) -> None:
        """Nothing new starts from here on. It is told before it is asked: the answer may come at once."""
        self._away = True
        self._put_on(self._brake.lost(_now_ms()))

    def pressed(self) -> None:
        """A key of the person's; not the nudge, nor another key that the controller presses. Where the host
        reports the focus a key says nothing new, unless the report of the return was lost.
        """
        if self._away is not False:
            self._away = False if self._away else None
            self._lets_go(self._brake.came())
            self._count()

    # --- the reflex

    def answered(self, question: int, answer: str | None) -> None:
        """`run`, `pause` or `unknown`; None: nobody has answered."""
        self._off(self._brake.answered(question, answer, _now_ms()))

    def tend(self) -> None:
        due = self._brake.overdue(_now_ms())
        if due is True:
            self._off(True)
        elif due:
            self._put_on(due)

    def _put_on(self, question: int | None) -> None:
        """Also after a request that came to nothing and took the brake with it, if the focus is lost still."""
        if self._by is None and question is not None:
            self._agent.engage()
        self._publish()
        if self._ask is not None and question is not None:
            self._ask(question)

    def _off(self, lets_go: bool) -> None:
        if lets_go:
            self._lets_go(True)
            self._publish()

    def _lets_go(self, was_on: bool) -> None:
        """What has been paused meanwhile keeps the gate."""
        if was_on and self._by is None:
            self._agent.release()

    def _count(self) -> None:
        self._attended += 1
        self._publish()

    # --- what the person does

    def person_paused(self) -> None:
        """The gate is engaged and the screen up, by the person.
        A request that was on its way is dropped; nothing is taken over.
        """
        self._brake.let_go()
        self._by, self._runs = "person", []
        self._engagements += 1
        self._box.drop_request()
        self._announce("paused")

    def person_resumed(self) -> None:
        """The person is not asked again for the holds that are in force now."""
        view = self._view()
        self._waived = mailbox_rules.still_there(view) | frozenset(mailbox_rules.holding(view, self._runs))
        self._attended += 1
        self._brake.came()
        self._end()

    def calls_changed(self) -> None:
        """Kept up to date while paused and braked: the person sees what is still in flight."""
        if self._by or self._brake.on:
            self._publish()

    def conversation_changed(self) -> None:
        """The conversation is another one; the controller joins process and pane by it."""
        self._publish()

    # --- looking into the mailbox

    def look(self) -> None:
        """Act on what is there now. Any number of looks, at any time, do no harm."""
        if self._waived:
            self._waived = mailbox_rules.still_there(self._view())
        if self._by is None:
            self._take_request()
        else:
            self._box.drop_request()  # It asks for what is so already, or the pause is the person's own.
            self._take_resume()

    def _take_request(self) -> None:
        self._box.take_resume()  # There is nothing to end.
        if _now_ms() < self._retry_at_ms:
            return
        claim = self._box.claim()
        if claim is not None:
            self._carry_out(claim)
        elif self._problem is not None:
            self._problem = None  # Nobody asks any more.
            self._publish()

    def _carry_out(self, claim: Claim) -> None:
        times = {"claimed_ms": _now_ms()}
        self._step("claimed")
        if not mailbox_rules.standing(claim.request, self._view()):
            self._box.finish(claim)
            if claim.request.focus is not None:
                self._announce("overtaken")  # The controller must hear the count that has moved on.
            return
        self._agent.engage()
        times["engaged_ms"] = _now_ms()
        self._step("engaged")
        why_not = self._agent.show()
        if why_not is not None:
            self._give_back(claim, why_not)
            return
        times["shown_ms"] = _now_ms()
        self._step("shown")
        self._acknowledge(claim, times)
        self._step("acknowledged")
        self._recheck(claim)

    def _acknowledge(self, claim: Claim, times: dict[str, int]) -> None:
        self._engagements += 1
        runs = mailbox_rules.standing(claim.request, self._view())
        what = {"runs": runs, "engagement": self._engagement(), **times, "shown": "overlay"}
        self._box.acknowledge({**what, "versions": self._agent.describe()["versions"]})

    def _recheck(self, claim: Claim) -> None:
        """Once more, with a newer request if there is one, and with every hold in force.
        If nothing stands, the pause is taken back.
        """
        newer = self._box.claim()
        if newer is not None:
            self._box.finish(claim)
            claim = newer
        self._problem = None
        runs = mailbox_rules.kept(claim.request, self._view())
        if runs:
            self._brake.let_go()  # The overlay has the gate now; nothing has passed in between.
            self._by, self._runs = "request", runs
            self._publish()
            self._step("published")
            self._box.finish(claim)
            self._wake("paused")
        else:
            self._agent.release()
            self._box.remove_acknowledgement()
            self._box.finish(claim)
            self._brake.let_go()
            self._announce("taken-back")
            self._put_on(self._brake.put_on(_now_ms()))

    def _give_back(self, claim: Claim, why: str) -> None:
        """To be tried again later, unless a newer request is there."""
        self._agent.release()
        self._box.give_back(claim)
        self._retry_at_ms = _now_ms() + RETRY_MS
        self._problem = {"code": "not-painted", "text": why, "since_ms": _now_ms()}
        self._brake.let_go()
        self._put_on(self._brake.put_on(_now_ms()))

    def _take_resume(self) -> None:
        """Only for the engagement that it names, never for the
        person's own pause, and not while a hold is in force.
        """
        asked = self._box.take_resume() == self._engagement() and self._by == "request"
        if asked and not mailbox_rules.holding(self._view(), self._runs):
            self._agent.release()
            self._end()

    # --- telling

    def _end(self) -> None:
        self._by, self._runs = None, []
        self._box.remove_acknowledgement()
        self._announce("running")
        self.look()

    def _announce(self, trigger: str) -> None:
        self._publish()
        self._wake(trigger)

    def _publish(self) -> None:
        unsupported = self._problem is not None and self._problem["code"] == "not-live"
        document = {
            **self._agent.describe(),
            "pane": self._pane,
            "pid": os.getpid(),
            "started": self._started,
            "state": "unsupported" if unsupported else self._state(),
            "by": self._by,
            "shown": "overlay" if self._by else "line" if self.braked else None,
            "attended": self._attended,
            "runs": self._runs,
            "waived": sorted(self._waived),
            "engagement": self._engagement() if self._engagements else None,
            "problem": self._problem or self._without_request(),
            "reflex": self._reflex(),
            "written_ms": _now_ms(),
        }
        mailbox_files.write(self._status, document)

    def _state(self) -> str:
        return "paused" if self._by else "braked" if self._brake.on else "running"

    def _without_request(self) -> dict[str, Any] | None:
        if not self._brake.problem:
            return None
        return {"code": "error", "text": self._brake.problem, "since_ms": _now_ms()}

    def _reflex(self) -> dict[str, Any]:
        brake = self._brake
        since = {"since_ms": brake.since_ms} if self.braked else {}
        return {
            "mode": brake.mode,
            "reports": brake.reports,
            "away": brake.away,
            "silent": brake.silent,
            **since,
        }

    def _engagement(self) -> str:
        return f"{os.getpid()}-{self._engagements}"

    def _view(self) -> View:
        holds = mailbox_rules.holds_in(self._holds)
        return View(self._attended, self._waived, holds, self._place, _now_ms())


def _process_start() -> dict[str, int]:
    """Field 22 of proc(5) where there is one; the wall clock, which is right within 5 s when asked early."""
    start = {"ms": _now_ms()}
    if sys.platform == "linux":
        stat = Path("/proc/self/stat").read_bytes()
        start["ticks"] = int(stat[stat.rindex(b")") + 2 :].split()[19])
    return start


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
