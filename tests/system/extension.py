"""A model of the agent's extension: mailbox, terminal, timers. It takes the ticks that the real one takes, in the same
milliseconds, so that what happens to it here can be replayed through the real one (`omp_extension/tests/replay.test.ts`).
"""

from __future__ import annotations

import heapq
import itertools
import json
from typing import TYPE_CHECKING, Any

from attention_framework.holds import Holds
from attention_framework.model import FOCUS_RUN
from attention_framework.state.documents import load, save
from attention_framework.state.folder import StateFolder
from attention_framework.state.names import encode

from .reflex import Reflex

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attention_framework.effects import Effects
    from attention_framework.model import Session

PAINT_MS = 10
PAINT_POLL_MS = 5
PAINT_POLLS = 200
RETRY_MS = 2_000
SOON_MS = 250
NOT_PAINTED = "not-painted"
PAUSE_SCREEN, EDITOR = "P A U S E D", "editor"

Runs = dict[str, dict[str, Any]]
Claim = tuple["Path", Runs]


class Extension:
    """One agent process. `wake` and `ask` are what it does to the controller."""

    def __init__(
        self,
        effects: Effects,
        root: Path,
        session: Session,
        pane: str,
        pid: int,
        wake: Callable[[str], None],
        ask: Callable[[int, str], None],
    ) -> None:
        self.effects, self.files, self.pane, self.pid = effects, effects.files, pane, pid
        self.file = f"{encode(pane)}.{pid}"
        state = StateFolder(root)
        folder = state.session(session)
        self.mailbox, self.status_file = folder.mailbox(self.file), folder.agent(self.file)
        self._key = folder.key
        self._holds = Holds(state, effects.files, lambda _: None)
        self._tell = wake
        self.phase, self.by, self.shown = "running", "", ""
        self.runs: list[str] = []
        self.waived: set[str] = set()
        self.engagements = 0
        self.engagement: str | None = None
        self.problem = ""
        self.count, self.reports, self.away = 0, False, False
        self.overlay = ""
        """Whose pause screen is up: overlay, or person."""
        self.ending = False
        """The person's key for the end of it has been read, and the gate is not open yet."""
        self.screen = EDITOR
        """What is painted on the terminal."""
        self.terminal_ours = True
        self.claim: Claim | None = None
        self.paused_now: Callable[[str], None] = lambda _: None
        """Called with `acknowledged`, `final` and `said` when that is about to be written."""
        self._retry_at_ms = 0
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._uuids = itertools.count(1)
        self._owed = self._soon_waits = False
        self._afterwards: list[Callable[[], None]] = []
        self.reflex = Reflex(self, root / "reflex.json", ask)

    # What drives it.

    def start(self) -> None:
        self.files.remove_tree(self.mailbox)
        self.files.make_folder(self.mailbox)
        self.publish()
        self._tell("hello")
        self.look()

    def read(self, what: str) -> None:
        """One piece of terminal input: I, O (focus reports), K (a key), R (one that ends a pause screen), look (the nudge)."""
        self.ending = self.ending or (what == "R" and bool(self.overlay))
        {
            "I": self.reflex.focus_in,
            "O": self.reflex.focus_out,
            "K": self.reflex.key,
            "R": self.reflex.key,
            "look": self.look,
        }[what]()
        self._finish()

    def poll(self) -> None:
        self.reflex.poll()
        if self._owed:
            self.publish()
        self.look()
        self._finish()

    def run_timers(self) -> None:
        """All that are due, each with what it sets off at once."""
        while self._timers and self._timers[0][0] <= self.effects.clock.monotonic_ms():
            _, _, act = heapq.heappop(self._timers)
            act()
            self._finish()

    def boundary(self) -> None:
        """Before a tool call."""
        self.reflex.boundary("tool")
        self._finish()

    def pause_by_hand(self) -> None:
        """The agent's own pause command, by the person."""
        self.reflex.taken()
        self._show("person")
        self._paused_by_person()
        self._finish()

    def resume_by_hand(self) -> None:
        """What a key on the pause screen leads to. Of a pause command that is not the extension's nobody tells it the end."""
        if self.overlay == "overlay":
            self._afterwards.append(self.look)
        self._hide()
        self._end(by_person=True)
        self._finish()

    @property
    def next_timer_ms(self) -> float | None:
        return self._timers[0][0] if self._timers else None

    @property
    def gate(self) -> str:
        return self.overlay or (self.reflex.hold.owner if self.reflex.hold else "")

    @property
    def requested(self) -> bool:
        return self.phase == "showing" or self.files.exists(self.mailbox / "pending.json")

    def later(self, ms: float, act: Callable[[], None]) -> None:
        at_ms = self.effects.clock.monotonic_ms() + ms
        heapq.heappush(self._timers, (at_ms, next(self._numbers), act))

    def now_ms(self) -> int:
        return self.effects.clock.wall_ms()

    def at_ms(self) -> float:
        return self.effects.clock.monotonic_ms()

    # The mailbox.

    def look(self) -> None:
        if self.waived:
            self.waived &= {hold.run for hold in self._holds.all()}
        if self.phase == "running":
            self._take_request()
        elif self.phase == "paused":
            self._settle()

    def _take_request(self) -> None:
        self._take_resume()
        if 0 < self._retry_at_ms - self.now_ms() <= RETRY_MS:
            return
        claim = self._claim()
        if claim is not None:
            self._carry_out(claim)
        elif self.problem:
            self.problem = ""
            self.publish()

    def _carry_out(self, claim: Claim) -> None:
        if not self._standing(claim[1]):
            self._drop(claim)
            return
        self.reflex.taken()
        self.phase, self.claim = "showing", claim
        self._show("overlay")
        self._await_paint(lambda: self._acknowledge(claim), lambda: self._retract(claim))

    def _drop(self, claim: Claim) -> None:
        self.files.remove(claim[0])
        if self.problem:
            self.problem = ""
            self.publish()
        focus = claim[1].get(FOCUS_RUN)
        if focus is not None and focus["attended"] != self.count:
            self._announce("overtaken")
        self.reflex.request_ended()

    def _await_paint(
        self, then: Callable[[], None], otherwise: Callable[[], None], polls: int = PAINT_POLLS
    ) -> None:
        phase, claim, engagement = self.phase, self.claim, self.engagement

        def poll() -> None:
            if (phase, claim, engagement) != (self.phase, self.claim, self.engagement) or not self.overlay:
                return
            if self.screen == PAUSE_SCREEN:
                then()
            elif polls > 1:
                self._await_paint(then, otherwise, polls - 1)
            else:
                otherwise()

        self.later(PAINT_POLL_MS, poll)

    def _acknowledge(self, claim: Claim) -> None:
        self.engagement = self._new_engagement()
        self.paused_now("acknowledged")
        document = {
            "runs": sorted(self._standing(claim[1])),
            "engagement": self.engagement,
            "shown": "overlay",
        }
        save(self.files, self.mailbox / "ack.json", document)
        self._recheck(claim)

    def _recheck(self, claim: Claim) -> None:
        newer = self._claim()
        if newer is not None:
            self.files.remove(claim[0])
            claim = self.claim = newer
        kept = [*self._standing(claim[1]), *self._covering()]
        if not kept:
            self._take_back(claim)
            return
        self.paused_now("final")
        self.phase, self.by, self.shown, self.problem = "paused", "request", "overlay", ""
        self.runs = list(dict.fromkeys(kept))
        self.claim = None
        self.publish()
        self.files.remove(claim[0])
        self._tell("paused")

    def _take_back(self, claim: Claim) -> None:
        self._close()
        self.phase, self.claim, self.problem = "running", None, ""
        self.files.remove(self.mailbox / "ack.json")
        self.files.remove(claim[0])
        self._announce("taken-back")
        self.reflex.request_ended()

    def _retract(self, claim: Claim) -> None:
        self._close()
        self.phase, self.claim = "running", None
        self.files.remove(self.mailbox / "ack.json")
        pending = self.mailbox / "pending.json"
        if self.files.exists(pending):
            self.files.remove(claim[0])
        else:
            self.files.rename(claim[0], pending)
        self._failed()
        self.reflex.request_ended()

    def _failed(self) -> None:
        self._retry_at_ms = self.now_ms() + RETRY_MS
        if self.problem != NOT_PAINTED:
            self.problem = NOT_PAINTED
            self.publish()

    def _settle(self) -> None:
        claim = self._claim()
        if claim is not None:
            self.files.remove(claim[0])
        asked = self._take_resume()
        held = self._covering()
        if asked is not None and self.by == "request" and asked == self.engagement and not held:
            self._close()
            self._end(by_person=False)
            self.reflex.request_ended()

    def _paused_by_person(self) -> None:
        if self.claim is not None:
            self.files.remove(self.claim[0])
            self.claim = None
        self.phase, self.by, self.shown, self.runs = "paused", "person", "", []
        self.engagement = self._new_engagement()
        self._announce("paused")
        self._await_paint(self._person_sees_it, lambda: None)

    def _person_sees_it(self) -> None:
        self.shown, self.problem = "overlay", ""
        self.publish()

    def _end(self, by_person: bool) -> None:
        claim, self.claim = self.claim, None
        self.phase, self.by, self.shown, self.runs = "running", "", "", []
        if by_person:
            there = {hold.run for hold in self._holds.all()}
            self.waived = (self.waived & there) | set(self._covering())
            self.resumed()
        self.files.remove(self.mailbox / "ack.json")
        if claim is not None:
            self.files.remove(claim[0])
        self._announce("running")
        self.later(0, self.look)
        if by_person and self.away:
            self.reflex.request_ended()

    # The screen.

    def _show(self, owner: str) -> None:
        self.overlay = owner
        self._render()

    def _close(self) -> None:
        """What ends the agent's pause command; after that another one may begin."""
        self._hide()
        self._afterwards.append(self.look)

    def _hide(self) -> None:
        self.overlay, self.ending = "", False
        self._render()

    def _render(self) -> None:
        def paint() -> None:
            if self.terminal_ours:
                self.screen = PAUSE_SCREEN if self.overlay else EDITOR

        self.later(PAINT_MS, paint)

    def terminal_away(self) -> None:
        """Another program has the terminal: nothing is painted."""
        self.terminal_ours = False

    def terminal_back(self) -> None:
        self.terminal_ours = True
        self._render()

    # What is known, and what is said.

    def prove(self) -> None:
        """The person has shown to be here."""
        self.away = False
        self.resumed()

    def resumed(self) -> None:
        """Of the key that led to it the person was here; a report read since says more about where the focus is."""
        self.count += 1
        self._publish_soon()

    def _standing(self, runs: Runs) -> list[str]:
        focus = runs.get(FOCUS_RUN)
        stands = [FOCUS_RUN] if focus is not None and focus["attended"] == self.count else []
        return [*stands, *(run for run in self._covering() if run in runs)]

    def _covering(self) -> list[str]:
        """Holds in force that the person has not overruled; every hold here is for all panes."""
        held = self._holds.in_force(self.now_ms())
        return [hold.run for hold in held if hold.run not in self.waived]

    def _claim(self) -> Claim | None:
        pending = self.mailbox / "pending.json"
        file = pending.with_name(f"pending.json.{next(self._uuids)}.claim")
        try:
            self.files.rename(pending, file)
        except FileNotFoundError:
            return None
        return file, dict(json.loads(self.files.read(file))["runs"])

    def _take_resume(self) -> str | None:
        path = self.mailbox / "resume.json"
        found = load(self.files, path)
        if found is None:
            return None
        self.files.remove(path)
        return str(found["engagement"])

    def _new_engagement(self) -> str:
        self.engagements += 1
        return f"{self.pid}-{self.engagements}"

    def _announce(self, trigger: str) -> None:
        """The file first: whom the wake-up reaches must find it."""
        self.publish()
        self._tell(trigger)

    def publish(self) -> None:
        self._owed = False
        if self.phase == "paused" and self.shown:
            self.paused_now("said")
        save(self.files, self.status_file, self.document())

    def _publish_soon(self) -> None:
        self._owed = True
        if self._soon_waits:
            return
        self.publish()
        self._soon_waits = True

        def end() -> None:
            self._soon_waits = False
            if self._owed:
                self._publish_soon()

        self.later(SOON_MS, end)

    def wake(self, trigger: str) -> None:
        self._tell(trigger)

    def document(self) -> dict[str, Any]:
        problem = self.problem or ("" if self.phase == "paused" else self.reflex.problem)
        paused, braked = self.phase == "paused", self.phase != "paused" and self.reflex.braked
        return {
            "agent": "omp",
            "pane": self.pane,
            "pid": self.pid,
            "started": {"ticks": self.pid * 10, "ms": 0},
            "state": "paused" if paused else "braked" if braked else "running",
            "by": self.by or None,
            "shown": self.shown or ("line" if braked else None),
            "attended": self.count,
            "runs": self.runs,
            "waived": sorted(self.waived),
            "engagement": self.engagement,
            "problem": {"code": problem, "text": problem, "since_ms": 0} if problem else None,
            "reflex": self.reflex.document(),
        }

    def _finish(self) -> None:
        """What the end of a tick sets off."""
        while self._afterwards:
            self._afterwards.pop(0)()
