"""An agent in memory that follows the mailbox protocol of docs/reference/state-files.md.

It takes the same steps as the extension of a real agent, in the same order, but has no terminal and paints nothing. With
`looking()` a test can stop it between any two steps.
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
    """One agent process in a pane. It takes requests from its mailbox, pauses, acknowledges, and writes its status file (its
    "hello"), all on the disk of `effects`. A test may set its attributes, such as `calls` and `can_paint`, at any time.

    `state` is the state folder, `pane` the id that the process inherited, and `wake(reason)` is called where a real agent
    wakes the controller.
    """

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
        """The effects of its process: of these it uses the files and the clock."""
        self.pane = pane
        """The pane id that the process inherited. When the pane moves, the host has another one."""
        self.pid = pid
        """The id of the process."""
        self.state = "running"
        """What it does: `running`, `braked` or `paused`."""
        self.by: str | None = None
        """Who began its pause: `person` or `request`. None while it is not paused."""
        self.attended = 0
        """How many proofs it has had that the person is there (`Hello.attended`)."""
        self.runs: tuple[str, ...] = ()
        """The ids of the runs for which it is paused."""
        self.waived: tuple[str, ...] = ()
        """The ids of holds that do not pause it again, because the person has resumed it."""
        self.engagements = 0
        """How many times it has stopped itself for a pause, counted from its start. `engagement` names the last time."""
        self.calls: list[dict[str, Any]] = []
        """The tool calls that it says are still running, each `{"name": ..., "since_ms": ...}`."""
        self.problem: dict[str, Any] | None = None
        """What it says it could not do: `{"code": ..., "text": ..., "since_ms": ...}`, or None."""
        self.reflex: dict[str, Any] = {"mode": "brake", "reports": False, "away": False, "silent": 0}
        """What its status file says of the reflex; the keys are the fields of `Reflex`."""
        self.can_paint = True
        """False: it cannot show its pause screen. It then puts each request back into the mailbox, with a `problem`."""
        self.show = "overlay"
        """How its pause is shown, or the last one was: `overlay` or `line`. The request says which."""
        self.protocol = 1
        """The version of the mailbox protocol that it says it follows."""
        self.conversation: str | None = None
        """The file of its conversation, as in `Hello.conversation`; None if it has none."""
        self.agent = "omp"
        """The kind of agent that it says it is."""
        self.extension = __version__
        """The version that it says its extension has."""
        self.file = f"{encode(pane)}.{pid}"
        """The name of its status file without `.json`; its mailbox folder has the same name."""
        self._key = StateFolder(state).session(session).key
        self._folder = StateFolder(state).session(session)
        self._holds = Holds(StateFolder(state), effects.files, lambda _: None)
        self._wake = wake or (lambda _: None)
        self._claimed: tuple[Path, Runs] | None = None

    @property
    def mailbox(self) -> Path:
        """The folder from which it takes its requests."""
        return self._folder.mailbox(self.file)

    @property
    def paused(self) -> bool:
        """Whether it is paused."""
        return self.state == "paused"

    @property
    def engagement(self) -> str:
        """The id of its present pause, or of the last one. `request_resume` names it."""
        return f"{self.pid}-{self.engagements}"

    @property
    def hello(self) -> Hello:
        """Its status file as it would be written now. For `pane(hello=agent.hello)`."""
        return parse_hello(self.file, self._document())

    def start(self, processes: MemoryProcesses, parent: int = 1) -> FakeAgent:
        """Add its process to `processes` (`parent` is the pid of its parent), make its mailbox, write its status file, and
        call `wake`. Returns the agent.
        """
        processes.start(self.pid, parent=parent)
        self.effects.files.make_folder(self.mailbox)
        self._publish("hello")
        return self

    def look(self) -> None:
        """Look into the mailbox once, and do all that follows from what is there. A real agent does this on F12, when the
        mailbox changes, and every 2 s.
        """
        for _ in self.looking():
            pass

    def looking(self) -> Iterator[str]:
        """Do the same as `look`, one step at each `next`, and give the name of the step that was done. A request leads to
        `claimed`, `dropped`; or to `claimed`, `gate engaged`, `restored`; or to `claimed`, `gate engaged`, `acknowledged`,
        `rechecked`. While the agent is paused, a request to resume leads to `resume decided`.
        """
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
        """Its terminal reports that the focus is lost. It starts nothing new (`braked`), and says so in its status file,
        until `let_go` or a pause. It does not call `wake`: a real agent asks the controller a question now, and a test
        does that itself.
        """
        self.reflex |= {"reports": True, "away": True, "since_ms": self._now()}
        if self.state == "running":
            self.state = "braked"
        self._publish(None)

    def let_go(self) -> None:
        """It goes on after a brake: the controller has said that it may, or nobody has answered."""
        if self.state == "braked":
            self.state = "running"
        self._publish(None)

    def attend(self) -> None:
        """It sees that the person is there: the focus came back, or the person pressed a key. Ends a brake, not a pause."""
        self.attended += 1
        self.reflex["away"] = False
        self.let_go()

    def resume_by_hand(self) -> None:
        """The person ends the pause. The holds that are in force now do not pause it again: they are `waived`."""
        self.waived = tuple(sorted({*self.waived, *self._covering()}))
        self.attended += 1
        self.reflex["away"] = False
        self._end_pause("resumed")

    def pause_by_hand(self) -> None:
        """The person pauses it, as by typing /pause. A request that it is just working on is dropped."""
        if self._claimed:
            self._let_go()
        self.state, self.by, self.runs, self.show = "paused", "person", (), "overlay"
        self.attended += 1
        self.engagements += 1
        self._publish("paused")

    # The steps from a request to a pause, in this order.

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
        """Put the request back into the mailbox, unless a newer one is there."""
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

    # What it reads from the state folder, and what it writes there.

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
