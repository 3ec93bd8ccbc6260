"""An agent in memory that speaks the mailbox protocol of docs/reference/state-files.md.

Not the extension: it has no terminal and paints nothing. It takes the same steps in the same order, and
`looking()` stops between any two of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from .. import __version__
from ..holds import Holds
from ..model import FOCUS_RUN
from ..state.documents import Broken, load, save
from ..state.folder import StateFolder
from ..state.hellos import parse_hello
from ..state.names import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ..effects import Effects
    from ..model import Hello, Session
    from .memory import MemoryProcesses

Runs = dict[str, dict[str, Any]]


class FakeAgent:
    """One agent process in a pane. `wake` is called where the extension starts the runner."""

    def __init__(
        self,
        effects: Effects,
        state: Path,
        session: Session,
        pane: str = "w1:p1",
        pid: int = 100,
        wake: Callable[[str], None] | None = None,
    ) -> None:
        self.effects = effects
        """How its process sees the world."""
        self.pane = pane
        """The id that it inherited."""
        self.pid = pid
        """Of its process."""
        self.state = "running"
        """As in `Hello.state`."""
        self.by: str | None = None
        """As in `Hello.by`."""
        self.attended = 0
        """As in `Hello.attended`."""
        self.runs: tuple[str, ...] = ()
        """As in `Hello.runs`."""
        self.waived: tuple[str, ...] = ()
        """As in `Hello.waived`."""
        self.engagements = 0
        """How often its gate was engaged."""
        self.calls: list[dict[str, Any]] = []
        """What it says is in flight: `{"name", "since_ms"}`."""
        self.problem: dict[str, Any] | None = None
        """What it could not do: `{"code", "text", "since_ms"}`."""
        self.reflex: dict[str, Any] = {"mode": "brake", "reports": False, "away": False, "silent": 0}
        """As its status file has it."""
        self.can_paint = True
        """False: its screen is taken, and no request can be carried out."""
        self.show = "overlay"
        """How its pause shows, or the last one did: as the request says."""
        self.protocol = 1
        """Of the mailbox, as it says."""
        self.conversation: str | None = None
        """As in `Hello.conversation`."""
        self.agent = "omp"
        """Kind of the agent that it says it is."""
        self.extension = __version__
        """Version that it says it has."""
        self.file = f"{encode(pane)}.{pid}"
        """As in `Hello.file`."""
        self._key = StateFolder(state).session(session).key
        self._folder = StateFolder(state).session(session)
        self._holds = Holds(StateFolder(state), effects.files, lambda _: None)
        self._wake = wake or (lambda _: None)
        self._claimed: tuple[Path, Runs] | None = None

    @property
    def mailbox(self) -> Path:
        """Its folder."""
        return self._folder.mailbox(self.file)

    @property
    def paused(self) -> bool:
        """Whether it is."""
        return self.state == "paused"

    @property
    def engagement(self) -> str:
        """Of its gate now, or the last one."""
        return f"{self.pid}-{self.engagements}"

    @property
    def hello(self) -> Hello:
        """What its status file says, or will say."""
        return parse_hello(self.file, self._document())

    def start(self, processes: MemoryProcesses, parent: int = 1) -> FakeAgent:
        """Begin to live: process, mailbox, hello."""
        processes.start(self.pid, parent=parent)
        self.effects.files.make_folder(self.mailbox)
        self._publish("hello")
        return self

    def look(self) -> None:
        """What it does on F12, a change of the mailbox, and every 2 s."""
        for _ in self.looking():
            pass

    def looking(self) -> Iterator[str]:
        """The same, stopping after each step with its name."""
        if self.paused:
            yield from self._answer_resume()
            self._drop_pending()
            return
        self.effects.files.remove(self.mailbox / "resume.json")
        if not self._claim():
            return
        yield "claimed"
        if not self._stands(everything=False):
            self._let_go()
            self._wake("dropped")
            yield "dropped"
            return
        self.engagements += 1
        yield "gate engaged"
        if not self.can_paint:
            self._restore()
            yield "restored"
            return
        self._acknowledge()
        yield "acknowledged"
        self._recheck()
        yield "rechecked"

    def brake(self) -> None:
        """Its terminal reports that the focus is lost: nothing new starts until it is told whether it may go
        on. What is published wakes nobody; the question that it asks now does.
        """
        self.reflex |= {"reports": True, "away": True, "since_ms": self._now()}
        if self.state == "running":
            self.state = "braked"
        self._publish(None)

    def let_go(self) -> None:
        """It was told that it may go on, or nobody answered."""
        if self.state == "braked":
            self.state = "running"
        self._publish(None)

    def attend(self) -> None:
        """The person is here: the focus came back, or a key was pressed."""
        self.attended += 1
        self.reflex["away"] = False
        self.let_go()

    def resume_by_hand(self) -> None:
        """The person ends the pause, and is not asked again by what is in force now."""
        self.waived = tuple(sorted({*self.waived, *self._covering()}))
        self.attended += 1
        self.reflex["away"] = False
        self._end_pause("resumed")

    def pause_by_hand(self) -> None:
        """The person types /pause. A request that is being worked on is dropped."""
        if self._claimed:
            self._let_go()
        self.state, self.by, self.runs, self.show = "paused", "person", (), "overlay"
        self.attended += 1
        self.engagements += 1
        self._publish("paused")

    # The steps of a request, in their order.

    def _claim(self) -> bool:
        pending = self.mailbox / "pending.json"
        claim = pending.with_name(f"pending.json.{uuid4()}.claim")
        try:
            self.effects.files.rename(pending, claim)
        except FileNotFoundError:
            return False
        self._claimed = (claim, self._read_runs(claim))
        return True

    def _stands(self, *, everything: bool) -> bool:
        self._take_newer()
        runs = self._claimed[1] if self._claimed else {}
        covering = self._covering() - set(self.waived)
        if everything and covering:
            return True
        focus = runs.get(FOCUS_RUN)
        return bool(covering & set(runs)) or bool(focus and focus.get("attended") == self.attended)

    def _take_newer(self) -> None:
        before = self._claimed
        if self._claim() and before:
            self.effects.files.remove(before[0])

    def _restore(self) -> None:
        """Put the request back, unless a newer one is there."""
        assert self._claimed is not None
        claim, pending = self._claimed[0], self.mailbox / "pending.json"
        if not self.effects.files.exists(pending):
            self.effects.files.rename(claim, pending)
        self._let_go()
        self.problem = {"code": "not-painted", "text": "the overlay was not painted", "since_ms": self._now()}
        self._publish(None)

    def _acknowledge(self) -> None:
        assert self._claimed is not None
        now_ms = self._now()
        acknowledgement = {
            "runs": sorted(self._claimed[1]),
            "engagement": self.engagement,
            "claimed_ms": now_ms,
            "engaged_ms": now_ms,
            "shown_ms": now_ms,
            "shown": self.show,
            "versions": self._versions(),
        }
        save(self.effects.files, self.mailbox / "ack.json", acknowledgement)

    def _recheck(self) -> None:
        stands = self._stands(everything=True)
        runs = set(self._claimed[1] if self._claimed else ()) | (self._covering() - set(self.waived))
        if not stands:
            self._let_go()
            self._end_pause("taken back")
            if self.reflex["away"]:
                self.brake()
            return
        self.state, self.by, self.runs, self.problem = "paused", "request", tuple(sorted(runs)), None
        self._publish(None)
        self._let_go()
        self._wake("paused")

    def _answer_resume(self) -> Iterator[str]:
        path = self.mailbox / "resume.json"
        request = load(self.effects.files, path)
        if request is None:
            return
        self.effects.files.remove(path)
        held = self._covering() - set(self.waived)
        if self.by == "request" and request.get("engagement") == self.engagement and not held:
            self._end_pause("resumed")
        yield "resume decided"

    def _drop_pending(self) -> None:
        self.effects.files.remove(self.mailbox / "pending.json")

    def _end_pause(self, why: str) -> None:
        self.effects.files.remove(self.mailbox / "ack.json")
        self.state, self.by, self.runs = "running", None, ()
        self._publish(why)

    def _let_go(self) -> None:
        if self._claimed is not None:
            self.effects.files.remove(self._claimed[0])
            self._claimed = None

    # What it knows and says.

    def _covering(self) -> set[str]:
        names = frozenset((self.pane,))
        return {hold.run for hold in self._holds.in_force(self._now()) if hold.scope.covers(self._key, names)}

    def _read_runs(self, claim: Path) -> Runs:
        try:
            request = load(self.effects.files, claim) or {}
            self.show = "line" if request.get("show") == "line" else "overlay"
            return dict(request.get("runs") or {})
        except (Broken, TypeError, ValueError):
            return {}

    def _publish(self, wake: str | None) -> None:
        self.waived = tuple(run for run in self.waived if run in {hold.run for hold in self._holds.all()})
        save(self.effects.files, self._folder.agent(self.file), self._document())
        if wake is not None:
            self._wake(wake)

    def _document(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "pane": self.pane,
            "pid": self.pid,
            "started": {"ticks": self.pid * 10, "ms": 0},
            "tty": None,
            "session_file": self.conversation,
            "versions": self._versions(),
            "state": self.state,
            "by": self.by,
            "shown": {"paused": self.show, "braked": "line"}.get(self.state),
            "attended": self.attended,
            "runs": list(self.runs),
            "waived": list(self.waived),
            "engagement": self.engagement,
            "calls": self.calls,
            "problem": self.problem,
            "reflex": self.reflex,
            "written_ms": self._now(),
        }

    def _versions(self) -> dict[str, Any]:
        return {"agent": "18.2.3", "extension": self.extension, "protocol": self.protocol}

    def _now(self) -> int:
        return self.effects.clock.wall_ms()
