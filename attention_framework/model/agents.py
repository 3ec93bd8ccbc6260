"""Agents: what they say of themselves, and what is seen of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .panes import Pane


MAILBOX_PROTOCOL: Final = 1
"""The newest that is known here (docs/reference/state-files.md, "Versions")."""


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


def agent_identity(pane: Pane) -> str:
    """Names the agent in a pane for `FocusMemory.agents`:
    another process is another agent, where there is a hello to tell.
    """
    return pane.hello.file if pane.hello else f"{pane.id}:{pane.agent}"
