"""The kinds of strategy that plugins supply, as protocols.

A strategy class has `name`, may have a pydantic model `Settings`, and is constructed as `cls(settings,
context)`, where `settings` is an instance of that model or None. Its methods are called with a time limit:
one that takes longer is given up, reported with its plugin's name, and not called again in this process. In
the resident controller, which stays for days, it is called again after a while, longer each time it hangs; there,
too, methods are called from several threads at once, for different sessions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from .errors import Expected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from threading import Event
    from types import TracebackType

    from .effects import Effects
    from .model import (
        AgentKind,
        Badge,
        Break,
        CheckResult,
        Delivery,
        HostEnvironment,
        Observation,
        Pane,
        PauseRequest,
        Session,
        Snapshot,
        Verdict,
        View,
        Workspace,
    )


class HostUnavailable(Expected):
    """The host did not give a usable answer. The message says
    what was asked, of which session, and what came back.
    """


class PaneGone(HostUnavailable):
    """The host no longer knows this pane, or its agent: a normal race."""


class Logger(Protocol):
    """The part of loguru's logger that strategies use."""

    def debug(self, message: str, *args: Any, **kwargs: Any) -> None:
        """For who looks for a mistake."""
        ...

    def info(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What was done."""
        ...

    def warning(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What the person should know of."""
        ...

    def error(self, message: str, *args: Any, **kwargs: Any) -> None:
        """What has failed. In all four, `{}` in the message is replaced by the arguments, as in `str.format`."""
        ...


class Context(Protocol):
    """What a strategy is given of its surroundings."""

    state: Path
    """The state folder."""
    config: Path | None
    """The settings file in use."""
    command: tuple[str, ...]
    """What starts `attention` from anywhere, with absolute paths,
    the state folder and the settings file: for hooks and schedulers.
    """
    effects: Effects
    """The disk, the clock, processes, sockets and the environment: reach the world through these only."""
    log: Logger
    """Named after the strategy. It takes no text of prompts or screens."""
    agents: Sequence[AgentKind]
    """The agent kinds that all loaded plugins announce."""
    hosts: Sequence[HostEnvironment]
    """How a process finds its pane, of every host that a loaded plugin announces."""

    def control(self, session: Session) -> PaneControl:
        """The pane control of the session's host.
        Raises HostUnavailable when no enabled plugin knows the host.
        """
        ...

    def settings(self, strategy: str) -> Any:
        """The checked settings of a strategy, by its name, whether it is selected or not: for installers and
        checks, which are made without any. None for a policy, for a strategy that has no settings or lacks
        those it needs, and for a name that no loaded plugin announces.
        """
        ...

    def has_break_source(self, name: str) -> bool:
        """Whether the settings select this break source."""
        ...


class BreakHold(Protocol):
    """A break that is held, by `Application.hold_break`."""

    run: str
    """The id of the break."""

    @property
    def in_force(self) -> bool:
        """False once the hold is past its deadline, or somebody has ended it."""
        ...

    def let_go(self, resume: str | None = None, why: str = "") -> list[str]:
        """End this break and no other, then wake every session. The ids of the panes that were resumed:
        `resume` is `none`, `own` or `last-active`, without it what the settings say. `why` is for people, in the
        log. A second call does nothing. Raises OSError if the hold is there and cannot be removed.
        """
        ...


class Application(Protocol):
    """What the command of a plugin is given besides its arguments: `run(arguments, application)`."""

    @property
    def context(self) -> Context:
        """As strategies get it, with a log named `attention`."""
        ...

    def hold_break(self, run: str, source: str, lasts_ms: int) -> BreakHold | None:
        """Begin a break: every agent pauses until it is let go, or for so long. None if a break with this id is
        going on already. `source` is for people, in the log. Raises OSError if the hold cannot be written;
        nothing is held then.
        """
        ...

    def warn(self, sentence: str) -> None:
        """Tell the person, on standard error, and the log. The same sentence once."""
        ...


class PaneControl(Protocol):
    """What a host can do to a pane. All raise HostUnavailable,
    PaneGone where the pane or its agent is no longer there.

    What some hosts can besides are protocols of their own: `ShowsBadges`, `ShowsWorkspaceBadges`, `LocatesPanes`.
    """

    def read_screen(self, pane: Pane) -> str:
        """The visible screen, or the bottom of it: rows joined by newlines, no escape sequences."""
        ...

    def send_keys(self, pane: Pane, keys: Sequence[str]) -> None:
        """Press keys, named host-neutrally: `f12`, `ctrl+alt+p`,
        `enter`. Raises ValueError for a name that no host knows.
        """
        ...

    def send_prompt(self, pane: Pane, text: str) -> None:
        """Type a text into the agent's editor and submit it, whatever stood there."""
        ...


@runtime_checkable
class ShowsBadges(Protocol):
    """A pane control that can show a badge beside a pane."""

    def show_badge(self, pane: Pane, badge: Badge | None) -> None:
        """Show this beside the pane, in place of what was there; None takes it away. Raises HostUnavailable."""
        ...


@runtime_checkable
class ShowsWorkspaceBadges(Protocol):
    """A pane control that can show a badge beside a workspace of the snapshot: how many of its agents are paused."""

    def show_workspace_badge(self, workspace: Workspace, badge: Badge | None) -> None:
        """Show this beside the workspace, in place of what was there; None takes it away. Raises HostUnavailable."""
        ...


@runtime_checkable
class LocatesPanes(Protocol):
    """A pane control that knows the panes' earlier ids."""

    def locate(self, pane_id: str) -> str | None:
        """Today's id of a pane that had this id before it was moved; None if there is no such pane. Raises
        HostUnavailable.
        """
        ...


@runtime_checkable
class TellsFocus(Protocol):
    """A host that can be asked for its focus alone, which is quicker than a snapshot."""

    def focus_now(self, session: Session) -> frozenset[str] | None:
        """As in its snapshot: None where the host cannot tell. Raises HostUnavailable."""
        ...


class FocusSource(Protocol):
    """A host: its sessions, what they show, and what wakes the controller. What some can besides: `TellsFocus`,
    `KnowsEnded`, `OffersTrials`.
    """

    name: str
    """Of the host, as in `Session.host` and in `focus.sources` of the settings."""

    def sessions(self) -> Sequence[Session]:
        """The running sessions. One that does not answer is one too where its address is known; raises HostUnavailable
        where nobody can say whether one runs.
        """
        ...

    def snapshot(self, session: Session) -> Snapshot:
        """An authoritative read, in bounded time. Raises HostUnavailable."""
        ...

    def watch(self, session: Session, wake: Callable[[str], None], stop: Event) -> None:
        """Call `wake(reason)` when something may have changed, until `stop` is set or the session is over.
        May miss, double or invent wake-ups.
        """
        ...

    def control(self, session: Session) -> PaneControl:
        """What can be done to the panes of this session. Asks the host nothing."""
        ...


@runtime_checkable
class KnowsEnded(Protocol):
    """A focus source that can tell of a session that it does not list whether it has ended for good."""

    def has_ended(self, session: Session) -> bool:
        """True if no session of this address can run any more, so that what is kept of it can go."""
        ...


class Trial(Protocol):
    """A disposable place of a host with panes of its own, in which `attention verify` tries agents out."""

    moves: str
    """How the focus is moved there, for people: `by keys of a client on a terminal`."""
    own_session: bool
    """Whether the session is the trial's own and ends with it; else it has a place in a session of the person's."""

    @property
    def session(self) -> Session:
        """Known from the first pane on."""
        ...

    def open(self, command: str, folder: Path, environment: Mapping[str, str]) -> str:
        """Open a pane, start this command line in it, and have it focused; the pane's id. The environment comes
        on top of what a new pane has. Raises HostUnavailable.
        """
        ...

    def focus(self, pane: str) -> None:
        """Move the focus there as nearly as a person would. Need not wait for it."""
        ...

    def type(self, pane: str, text: str) -> None:
        """What a person's terminal sends, control characters included, to this pane, which has the focus."""
        ...

    def close(self) -> None:
        """End the panes and what runs in them, and leave nothing. A second call does nothing."""
        ...


@runtime_checkable
class OffersTrials(Protocol):
    """A focus source whose host can be tried out in a place that nobody else uses."""

    def trial(self) -> Trial:
        """A new one, empty. Raises HostUnavailable."""
        ...


class Simulation(Protocol):
    """A simulated host that is set up with the real controller, on which `attention verify` can try itself.

    Announced by `attention_simulations` as a class that is constructed with one of its sabotages, or with `""`.
    A context manager: entering it starts everything, leaving it ends and removes everything.
    """

    sabotages: ClassVar[Sequence[str]]
    """What can be broken on purpose."""
    config: Path
    """Its settings file."""
    state: Path
    """Its state folder."""

    def __init__(self, sabotage: str) -> None: ...

    def __enter__(self) -> Simulation: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def trial(self) -> Trial:
        """Its command lines are not looked at: a simulated agent is started."""
        ...

    def calls(self, pane: str) -> Sequence[tuple[float, float | None]]:
        """When the tool calls of the agent in this pane began and ended, in ms since the epoch, in order."""
        ...


class AgentTransport(Protocol):
    """A way to carry a request to an agent. Three to subclass: `MailboxTransport`, `KeysTransport`, `PromptTransport`.

    It may have more, and is treated accordingly:

    - `mailbox = True`, in the class: it leaves requests in the mailbox of the agent process, so it reaches only an agent
      that has said hello, and the agent acknowledges. Without it no hello is asked for, and no acknowledgement promised.
    - `outstanding(pane) -> bool`: whether a request to this pane is still on its way. Without it none can be withdrawn.
    - `retry_after_s`: a request is handed over again after so many seconds at the earliest, 0 without it.
    - `report_unconfirmed_after_s`: how many seconds after the first one a pause that was not seen is reported as not
      confirmed; 10 without it, 0 for never.
    """

    name: str
    """By which the settings select it."""

    def request_pause(self, pane: Pane, request: PauseRequest) -> Delivery:
        """Ask for a pause by the full set of runs; an empty set withdraws."""
        ...

    def request_resume(self, pane: Pane, engagement: str) -> Delivery:
        """Ask to end that engagement and no other."""
        ...


class PauseDetector(Protocol):
    """A way to see what an agent does. In the order of the settings the first that knows decides."""

    name: str
    """By which the settings select it."""

    def observe(self, pane: Pane) -> Observation:
        """What this agent does now, with the evidence. Whatever cannot be told, such as of a host that gives no
        answer, is `UNKNOWN` with the reason, and no error.
        """
        ...


class Policy(Protocol):
    """Judges panes. In the order of the settings the first opinion decides;
    the runs of the pause opinions that follow it directly are added.
    """

    name: str
    """By which `[[policy]]` selects it: `use = "NAME"`."""

    def judge(self, pane: Pane, view: View) -> Verdict | None:
        """An opinion on this pane, or None for none. Computed from the arguments alone: the same ones give the same
        answer.
        """
        ...


class Observer(Protocol):
    """Is told what has happened, in every process that does something, after its locks have been let go; it cannot
    change it. Each observer of an enabled plugin is told. It has at least one of these methods:

    - `decided(decision: Decision, report: CycleReport)`: a cycle has decided on one pane.
    - `cycle_finished(report: CycleReport)`: a cycle is over.
    - `hold_changed(hold: Hold, change: str)`: a hold has been `taken`, `released` or has `expired`.
    """

    name: str
    """Of its settings: `[strategy.NAME]`."""


class BreakSource(Protocol):
    """Tells which screen breaks are going on."""

    name: str
    """By which `breaks.sources` selects it."""

    def current(self) -> Sequence[Break]:
        """The breaks going on now, with ids that a restart computes alike."""
        ...

    def watch(self, wake: Callable[[str], None], stop: Event) -> None:
        """Call `wake(reason)` when a break may have begun or ended, until `stop` is set. May miss, double or invent
        wake-ups.
        """
        ...


class Installer(Protocol):
    """What `attention setup` and `uninstall` can do for one program. See also `HasOptions` and `HasAdvice`."""

    name: str
    """Of the program, as it is typed: `attention setup NAME`."""

    def found(self) -> str | None:
        """What was found of the program, for people (`Herdr 0.8.2 at …`), or None."""
        ...

    def plan(self, remove: bool) -> Sequence[Step]:
        """What setup (or uninstall) would do now; empty when nothing is left to do.
        Raises InstallRefused for what it must not touch.
        """
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """An option of one installer on the command line of `setup` or `uninstall`.

    :param flag: as it is typed: `--mini-every`.
    :param help: one line; it says what holds without the option.
    :param read: makes the value of the text that follows the flag; raises ValueError with the allowed forms. None
        for a switch, whose value is True.
    :param metavar: stands for the text in the help.
    """

    flag: str
    help: str
    read: Callable[[str], Any] | None = None
    metavar: str = "VALUE"


@runtime_checkable
class HasOptions(Protocol):
    """An installer with options of its own. They may be given only where the person names the program."""

    def options(self, remove: bool) -> Sequence[Option]:
        """Those of setup, or of uninstall. Asked for by `--help`, too."""
        ...

    def with_options(self, chosen: Mapping[str, Any]) -> Installer:
        """The installer that does it so: flag to value, of the options that were given.
        Raises WrongUsage where they do not go together.
        """
        ...


@runtime_checkable
class HasAdvice(Protocol):
    """An installer with something to say besides its steps."""

    def advice(self, remove: bool) -> Sequence[str]:
        """Sentences that are shown below the steps, also where there are none."""
        ...


class Step(Protocol):
    """One thing that an installer does."""

    @property
    def describe(self) -> str:
        """What it will do, in one line, for the person who is asked."""
        ...

    def carry_out(self) -> None:
        """Do it. Raises OSError, or InstallRefused with what to do."""
        ...


class InstallRefused(Expected):
    """Something is there that is not ours, or the program's
    version is not supported. The message says what to do.
    """


class Check(Protocol):
    """Preconditions that `attention doctor` looks at."""

    name: str
    """Under which doctor shows it."""

    def run(self) -> Sequence[CheckResult]:
        """Look, and change nothing. A failure comes with what mends it."""
        ...
