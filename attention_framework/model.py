"""The values that hosts, agents, policies and the cycle exchange.

Plain frozen data without behaviour that touches the world. Times named `_ms` are milliseconds since the
epoch unless the docstring says a duration.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

FOCUS_RUN: Final = "focus"
"""The run of a pane that has lost the focus. No hold file goes by this name."""
MAILBOX_PROTOCOL: Final = 1
"""The newest that is known here (docs/reference/state-files.md, "Versions")."""


@dataclass(frozen=True, slots=True)
class Session:
    """One running server of a host. Pane ids repeat between sessions."""

    host: str
    """Name of the host, as in `HostEnvironment.host` and in the settings."""
    address: str
    """What a process in a pane can also tell from its environment: a socket path, or `socket,pid` for tmux."""
    name: str = ""
    """How the host calls it, for people."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of an agent that is still in flight."""

    name: str
    """Of the tool, as the agent calls it."""
    since_ms: int
    """When it began."""


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process beyond its pid, which the system gives out again."""

    pid: int
    """Its number."""
    ticks: int | None = None
    """Start in clock ticks since boot (field 22 of /proc/PID/stat):
    no change of the wall clock moves it. Linux only.
    """
    started_ms: int = 0
    """Start by the wall clock; compared with a tolerance, and only where there are no ticks."""


class AgentState(StrEnum):
    """What an agent does, as a detector sees it."""

    RUNNING = "running"
    """It may start new work."""
    BRAKED = "braked"
    """It starts nothing new, by its own reaction to the lost focus, and says so on screen."""
    PAUSING = "pausing"
    """Its gate is engaged and on screen; a call that had started before is still in flight."""
    PAUSED = "paused"
    """It starts nothing new, nothing is in flight, and its screen says so."""
    UNKNOWN = "unknown"
    """Nothing tells."""


@dataclass(frozen=True, slots=True)
class Reflex:
    """What an agent says of its reflex in its status file."""

    mode: str = "off"
    """`off`, `brake` or `strict`: what is in effect, not what is set."""
    reports: bool = False
    """Its terminal has reported the focus at least once."""
    away: bool = False
    """The last report said that the focus was lost, and nothing has shown the person since."""
    silent: int = 0
    """How many of its last questions were not answered, in a row."""
    since_ms: int | None = None
    """While it is braked: since when, where it says so."""


@dataclass(frozen=True, slots=True)
class Hello:
    """The status file of one agent process (docs/reference/state-files.md), as last read."""

    file: str
    """Name without `.json`: `<encoded inherited pane id>.<pid>`; its mailbox has the same name."""
    agent: str
    """Kind of the agent."""
    pane: str
    """The pane id that the process inherited; stale when the pane has moved."""
    process: ProcessIdentity
    """Whose file it is."""
    tty: str | None = None
    """Its terminal, such as `/dev/pts/3`; None where there is none to be told."""
    conversation: str | None = None
    """The file of the agent's conversation: `session_file` in the status file."""
    state: str = "running"
    """`running`, `braked`, `paused`, or `unsupported`: it cannot be paused, and `problem` says why."""
    by: str | None = None
    """While it is paused: `person` or `request`."""
    shown: str | None = None
    """How the pause shows: `overlay` or `line`. None while nothing does."""
    attended: int = 0
    """How many proofs it has had that the person is there."""
    runs: frozenset[str] = frozenset()
    """Those that it is paused for."""
    waived: frozenset[str] = frozenset()
    """Runs that do not pause it again, because the person has resumed it."""
    engagement: str | None = None
    """Of its gate now, or the last one; a resume names it."""
    calls: tuple[Call, ...] = ()
    """In flight, as it says."""
    problem: str | None = None
    """`code: text` of what it could not do."""
    versions: tuple[tuple[str, str], ...] = ()
    """`(of what, version)`, sorted: `agent`, `extension`, `protocol`."""
    reflex: Reflex = Reflex()
    """What it does on its own when the focus is lost."""
    written_ms: int = 0
    """When the file was written; 0 if it does not say."""

    @property
    def paused(self) -> bool:
        """Whether it says that it is paused."""
        return self.state == "paused"

    @property
    def protocol(self) -> str:
        """Of the mailbox, as it says; the first one where it says nothing."""
        return dict(self.versions).get("protocol", "1")

    @property
    def speaks_newer(self) -> bool:
        """Whether its words may mean something that is not known here, so that nothing of them is to be believed."""
        return not self.protocol.isdecimal() or int(self.protocol) > MAILBOX_PROTOCOL


@dataclass(frozen=True, slots=True)
class Pane:
    """A terminal in a session, with the agent found in it."""

    session: Session
    """The one that it is in."""
    id: str
    """The id by which the host knows it now. Opaque, case-sensitive."""
    focused: bool = False
    """Whether it has the focus, as in `Snapshot.focused`."""
    agent: str | None = None
    """Kind of the agent in it, as announced by `attention_agents`."""
    status: str | None = None
    """What the host says the agent does; None where the host tells no status."""
    label: str = ""
    """What the person calls it; empty if nothing."""
    title: str = ""
    """Of the terminal, as programs set it; empty if none."""
    cwd: str = ""
    """Working folder; empty where the host does not tell."""
    tty: str | None = None
    """Its terminal, such as `/dev/pts/3`; None where the host does not tell."""
    conversation: str | None = None
    """The file of the agent's conversation, where the host tells it: the host's side of `Hello.conversation`."""
    aliases: tuple[str, ...] = ()
    """Earlier ids of the same pane that the host still accepts."""
    badge: str | None = None
    """Text of the badge that the host shows now; empty: it shows none. None where the host does not say."""
    hello: Hello | None = None
    """The process that speaks for this pane; the cycle fills it in."""

    @property
    def names(self) -> frozenset[str]:
        """Every id by which a hold or an allowance may mean this pane."""
        inherited = (self.hello.pane,) if self.hello else ()
        return frozenset((self.id, *self.aliases, *inherited))

    def spoken_for(self, hello: Hello | None) -> Pane:
        """With this process as the one that speaks for it. Spelled out: a cycle does it for every pane."""
        return Pane(
            session=self.session,
            id=self.id,
            focused=self.focused,
            agent=self.agent or (hello.agent if hello else None),
            status=self.status,
            label=self.label,
            title=self.title,
            cwd=self.cwd,
            tty=self.tty,
            conversation=self.conversation,
            aliases=self.aliases,
            badge=self.badge,
            hello=hello,
        )


@dataclass(frozen=True, slots=True)
class Workspace:
    """Panes that a host shows under one entry of its own, as Herdr's sidebar does."""

    id: str
    """As the host calls it."""
    panes: frozenset[str]
    """Their ids."""
    badge: str = ""
    """What is shown of ours beside the entry; empty if nothing is."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One authoritative read of a session."""

    session: Session
    """The one that was read."""
    panes: tuple[Pane, ...]
    """All of its panes, those without an agent too, in any order; no id twice."""
    focused: frozenset[str] | None
    """Ids of the focused panes. Empty is an answer: nobody looks at any. None: the host cannot tell."""
    warnings: tuple[str, ...] = ()
    """For the person, such as a protocol version that nobody has tried."""
    workspaces: tuple[Workspace, ...] = ()
    """Empty where the host shows its panes under no entries, or nothing beside them."""


@dataclass(frozen=True, slots=True)
class Run:
    """One reason to keep a pane paused, as asked of its agent."""

    id: str
    """Of the hold, or `FOCUS_RUN`."""
    reason: str
    """For the person, and for the agent to show."""
    deadline_ms: int | None = None
    """When it is over by itself; None: never."""
    attended: int | None = None
    """For the focus run: the agent's count as read before the snapshot.
    It stands only while the count is the same.
    """


@dataclass(frozen=True, slots=True)
class PauseRequest:
    """The full set of runs that want one pane paused now. Without runs it withdraws what was asked before."""

    runs: tuple[Run, ...]
    """None of them twice."""


class DeliveryStatus(StrEnum):
    """How far a request has come."""

    SENT = "sent"
    """Handed to the terminal; nobody promises that it arrives."""
    ACCEPTED = "accepted"
    """Left where the agent finds it, whatever happens meanwhile."""
    REFUSED = "refused"
    """Not handed over: the next transport of the settings is tried."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """What became of handing over a request. Never a claim that the agent has paused."""

    status: DeliveryStatus
    """How far it has come."""
    reason: str = ""
    """For the person: what was done, or why not. Needed where it was refused."""
    transport: str = ""
    """The transport's name; the cycle fills it in."""

    @classmethod
    def sent(cls, reason: str = "") -> Delivery:
        """Handed to the terminal."""
        return cls(DeliveryStatus.SENT, reason)

    @classmethod
    def accepted(cls, reason: str = "") -> Delivery:
        """Left where the agent finds it."""
        return cls(DeliveryStatus.ACCEPTED, reason)

    @classmethod
    def refused(cls, reason: str) -> Delivery:
        """Not handed over, with the reason."""
        return cls(DeliveryStatus.REFUSED, reason)


@dataclass(frozen=True, slots=True)
class Observation:
    """What a detector saw of one agent, with its evidence."""

    state: AgentState
    """What the agent does."""
    evidence: str = ""
    """What was seen, for the person; no text of the screen."""
    by_person: bool = False
    """The person paused it: nobody else may resume it."""
    engagement: str | None = None
    """Of its gate, where the agent tells; what `request_resume` is given."""
    runs: frozenset[str] = frozenset()
    """Those that it is paused for, where the agent tells."""
    calls: tuple[Call, ...] = ()
    """In flight, where the agent tells."""
    detector: str = ""
    """The detector's name; the cycle fills it in."""
    since_ms: int | None = None
    """Since when it is in this state; None where nothing tells."""

    def of(self, detector: str) -> Observation:
        """With the name of who has seen it. Spelled out: a cycle does it for every agent."""
        return Observation(
            *(self.state, self.evidence, self.by_person, self.engagement, self.runs, self.calls),
            *(detector, self.since_ms),
        )

    @property
    def held(self) -> bool:
        """Its gate is engaged and says so on screen; nothing new starts."""
        return self.state in (AgentState.PAUSED, AgentState.PAUSING)


UNKNOWN: Final = Observation(AgentState.UNKNOWN, "no detector knows")
"""What stands where no detector knows."""


class Action(StrEnum):
    """What a policy wants of a pane."""

    RUN = "run"
    """It may run."""
    PAUSE = "pause"
    """It is to be paused."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A policy's opinion on one pane."""

    action: Action
    """What is wanted."""
    reason: str
    """For the person; never empty."""
    runs: tuple[Run, ...] = ()
    """With PAUSE: the runs that want it, at least one; each is `FOCUS_RUN` or a hold in force."""
    give_back: frozenset[str] = frozenset()
    """With RUN: resume the agent if it is paused for none but these runs (and not by the person)."""
    policy: str = ""
    """The policy's name; the cycle fills it in."""

    def of(self, policy: str) -> Verdict:
        """With the name of whose it is. Spelled out: a cycle does it for every pane."""
        return Verdict(self.action, self.reason, self.runs, self.give_back, policy)

    @classmethod
    def run(cls, reason: str, give_back: frozenset[str] = frozenset()) -> Verdict:
        """It may run."""
        return cls(Action.RUN, reason, give_back=give_back)

    @classmethod
    def pause(cls, reason: str, *runs: Run) -> Verdict:
        """It is to be paused for these runs."""
        return cls(Action.PAUSE, reason, runs=runs)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which panes a hold means: all of them, or those of `panes`, each `(session key, pane id)`."""

    everything: bool = True
    """All panes of all sessions."""
    panes: frozenset[tuple[str, str]] = frozenset()
    """`(session key, pane id)`, where not all are meant."""
    excluded: frozenset[tuple[str, str]] = frozenset()
    """`(session key, pane id)` that are not meant in any case."""

    def covers(self, key: str, names: frozenset[str]) -> bool:
        """Whether it means a pane of the session with this key that has one of these ids."""
        ids = {(key, name) for name in names}
        return not ids & self.excluded and (self.everything or bool(ids & self.panes))


@dataclass(frozen=True, slots=True)
class Hold:
    """A run that is a break or a manual pause: the content of its file."""

    run: str
    """Its id."""
    kind: str
    """`break` or `manual`."""
    source: str
    """Who has begun it, for the person."""
    scope: Scope
    """Which panes it means."""
    started_ms: int
    """When it began."""
    deadline_ms: int | None = None
    """When it is over, whoever has died. None: when it is ended."""
    last_active: tuple[str, str] | None = None
    """`(session key, pane id)` that was focused when the first of the overlapping holds began."""

    def in_force(self, now_ms: int) -> bool:
        """Whether its deadline is still to come."""
        return self.deadline_ms is None or now_ms < self.deadline_ms


@dataclass(frozen=True, slots=True)
class Allowance:
    """`attention allow`: a pane may run in the background until
    `until_ms`, or until it has been focused and left again.
    """

    pane: str
    """Its id."""
    until_ms: int | None
    """When it is over at the latest; None: no such time."""
    granted_at: int
    """Number of the focus change (`FocusMemory.changes`) at which it was granted."""

    def over(self, names: frozenset[str], focus: FocusMemory, now_ms: int) -> bool:
        """Whether it has ended for a pane with these names. One that was focused when
        it was granted has only been left once. A number that is still to come is from
        before the memory was lost: then all that is remembered came after it.
        """
        if self.until_ms is not None and now_ms >= self.until_ms:
            return True
        granted_at = self.granted_at if self.granted_at <= focus.changes else -1
        focused_since = any(changes > granted_at and names & focused for changes, focused in focus.history)
        return focused_since and not names & focus.focused


@dataclass(frozen=True, slots=True)
class FocusMemory:
    """What the last cycle of a session saw; the memory of the policies."""

    focused: frozenset[str] = frozenset()
    """Ids of the focused panes."""
    changes: int = 0
    """How often the set of focused panes has changed. Clocks are set back; this is not."""
    changed_ms: int = 0
    """When they changed last."""
    history: tuple[tuple[int, frozenset[str]], ...] = ()
    """`(changes, focused)`, the newest first, the present one included."""
    agents: frozenset[str] = frozenset()
    """Agents that were there at the last change, as `agent_identity` names them."""
    left: tuple[tuple[str, int], ...] = ()
    """`(pane id, when it lost the focus)` of the panes that have had it and have it no more."""
    again_at_ms: int | None = None
    """When to look again at a pane whose absence was too short yet; None: nothing waits."""

    def left_ms(self, names: frozenset[str]) -> int | None:
        """When the pane with these names lost the focus; None if it has it, or is not known to have had it."""
        if names & self.focused:
            return None
        return max((left_ms for name, left_ms in self.left if name in names), default=None)


@dataclass(frozen=True, slots=True)
class View:
    """All that a policy may look at, besides the pane."""

    snapshot: Snapshot
    """The session as it was read."""
    key: str
    """The session's key, as in hold scopes."""
    now_ms: int
    """The time of this cycle."""
    holds: tuple[Hold, ...] = ()
    """Those in force."""
    allowances: tuple[Allowance, ...] = ()
    """What `attention allow` has granted and is not over."""
    focus: FocusMemory = field(default_factory=FocusMemory)
    """Already updated with this snapshot."""
    away: frozenset[str] = frozenset()
    """Panes that have the focus in the host and count as not focused, because the window around them is not
    in front. Empty unless `reflex.away` is `pause`.
    """


class Outcome(StrEnum):
    """How a cycle left one candidate. The names are part of the journal's interface."""

    PAUSE_SENT = "pause-sent"
    """It was asked for; nothing is known yet."""
    PAUSED = "paused"
    """What was asked for earlier is confirmed: the agent says so, or its screen does."""
    ALREADY_PAUSED = "already-paused"
    """It is paused, and nothing had to be done."""
    NOW_FOCUSED = "now-focused"
    """It was about to be asked, and the second look at the focus said no."""
    READ_FAILED = "read-failed"
    """Something was about to be done, and the second look failed: nothing was done."""
    COALESCED = "coalesced"
    """Of a wake-up: the cycle of another process, begun later, has covered it."""
    REFUSED = "refused"
    """No transport took the request, or two processes claim the pane; the reason has every refusal."""
    NOT_CONFIRMED = "not-confirmed"
    """Asked repeatedly, for longer than `report_unconfirmed_after_s`, and no pause was seen."""
    WAIVED = "waived"
    """A hold covers it, and the person resumed it in spite of that."""
    EXPIRED = "expired"
    """Of a hold: its deadline is past."""
    RELEASED = "released"
    """A request that had not been carried out yet was withdrawn."""
    RESUMED = "resumed"
    """It was asked to resume."""
    LEFT_RUNNING = "left-running"
    """It may run, or its absence is too short yet."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What one cycle decided for one candidate, and what came of it."""

    session: str
    """The session's key."""
    pane: str
    """Its id."""
    agent: str
    """Kind of the agent."""
    outcome: Outcome
    """What came of it."""
    reason: str
    """For the person."""
    action: Action | None = None
    """What the policy wanted; None where none was asked."""
    policy: str = ""
    """Whose verdict it was; empty: no policy had an opinion."""
    runs: tuple[str, ...] = ()
    """Ids of the runs that want it paused."""
    observed: Observation = UNKNOWN
    """What the detector saw."""
    transport: str = ""
    """By which it was asked; empty if it was not."""
    label: str = ""
    """What the person calls the pane."""
    steps: tuple[tuple[str, float], ...] = ()
    """Milliseconds of the steps that were this pane's alone, such as `deliver` and `confirm`."""


@dataclass(frozen=True, slots=True)
class CycleReport:
    """One pass over one session."""

    cycle: str
    """Its id."""
    trigger: str
    """Which wake-up it came of."""
    session: Session
    """The one that was looked at."""
    key: str
    """The session's key."""
    started_ms: int
    """When it began."""
    decisions: tuple[Decision, ...] = ()
    """One for each pane with an agent that is controlled."""
    steps: tuple[tuple[str, float], ...] = ()
    """`(step, milliseconds)` in order: process-start, snapshot, judge, observe, recheck, deliver."""
    error: str = ""
    """Why it could not be done; empty if it could."""
    warnings: tuple[str, ...] = ()
    """For the person."""
    again_ms: int | None = None
    """A duration: another cycle is due this many milliseconds after this
    one, because an absence is too short yet (`focus.settle_ms`).
    """

    @property
    def failed(self) -> bool:
        """Whether it could not be done."""
        return bool(self.error)


@dataclass(frozen=True, slots=True)
class Badge:
    """A few characters that a host can show beside a pane or a workspace, with their time to live."""

    text: str
    """A few characters."""
    ttl_ms: int = 60_000
    """A duration: after it the host takes the badge away, whoever has died."""


@dataclass(frozen=True, slots=True)
class Break:
    """A screen break that is going on."""

    run: str
    """Its id: the same for the same break, also after a restart."""
    kind: str
    """What it is called, such as `mini`; for the person."""
    started_ms: int
    """Wall clock. Where the program does not tell it: when the break was first seen."""
    deadline_ms: int | None
    """Wall clock: when it is over, whoever has died. None: an hour after it began, as nobody holds agents for ever."""


@dataclass(frozen=True, slots=True)
class AgentKind:
    """An agent that can be controlled, announced by `attention_agents`."""

    name: str
    """As in `Pane.agent`, and in the settings: `[agents.NAME]`."""
    title: str
    """For people."""
    programs: tuple[str, ...] = ()
    """Base names of its program or script, for hosts that detect no agents themselves."""
    transports: tuple[str, ...] = ()
    """Strategies that suit it, the best first: that one alone is the default of `agents.<name>.transport`."""
    detectors: tuple[str, ...] = ()
    """Strategies that suit it, in order: the default of `agents.<name>.detector`."""
    editor_key: str = ""
    """What a terminal sends for the key that opens the draft in `$EDITOR`: `attention verify` reads it so."""
    resume_key: str = ""
    """What a terminal sends for the key by which a person ends the native pause."""


@dataclass(frozen=True, slots=True)
class HostEnvironment:
    """How a process finds the pane that it runs in, announced by `attention_hosts`."""

    host: str
    """As in `FocusSource.name`."""
    pane: str
    """Environment variable with the pane's id."""
    address: str
    """Environment variable with the session's address."""
    address_pattern: str | None = None
    """Regular expression whose first group is the address, where the variable holds more."""


class CheckLevel(StrEnum):
    """How bad it is."""

    OK = "ok"
    """As it should be."""
    WARNING = "warning"
    """It works, and something is worth knowing."""
    FAILED = "failed"
    """It does not work."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One precondition that `attention doctor` looked at."""

    name: str
    """What was looked at; no two results of a check have the same one."""
    level: CheckLevel
    """How bad it is."""
    message: str
    """What was seen."""
    mend: str = ""
    """The command that mends it, ready to paste."""


def agent_identity(pane: Pane) -> str:
    """Names the agent in a pane for `FocusMemory.agents`:
    another process is another agent, where there is a hello to tell.
    """
    return pane.hello.file if pane.hello else f"{pane.id}:{pane.agent}"
