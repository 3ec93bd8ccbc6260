"""The order of the steps of one cycle over one session."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING
from uuid import uuid4

from ..errors import describe_os_error
from ..kinds import HostUnavailable, LocatesPanes, ShowsBadges, ShowsWorkspaceBadges, TellsFocus
from ..model import (
    UNKNOWN,
    Action,
    Badge,
    CycleReport,
    Decision,
    Observation,
    Outcome,
    Snapshot,
    Verdict,
    View,
    agent_identity,
)
from ..state.allowances import load_allowances, remove_over
from ..state.deliveries import PaneRecord, load_records, save_records
from ..state.documents import Broken, save
from ..state.hellos import read_hello, read_hellos, remove_dead
from ..state.known_hellos import KnownHellos
from ..state.memory import load_memory, remember, save_memory
from .answers import checked
from .away import away_panes, without
from .deliver import Delivered, deliver, outstanding
from .join import join
from .judge import NO_OPINION, judge
from .plan import Deed, Found, Intent, after_recheck, plan
from .settle import settling_ms, waits
from .steps import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..bounded import Caller
    from ..effects import Effects
    from ..holds import Holds
    from ..kinds import AgentTransport, FocusSource, PaneControl, PauseDetector, Policy
    from ..model import FocusMemory, Hello, Hold, Pane, Session
    from ..state.documents import Known
    from ..state.folder import SessionFolder, StateFolder

BADGE_TTL_MS = 3_600_000
"""One-shot cycles come with the person's switches, so a badge must outlast a long look at one pane."""

WANTED_NO_MORE = (Outcome.NOW_FOCUSED, Outcome.LEFT_RUNNING, Outcome.WAIVED)


@dataclass(frozen=True, slots=True)
class AgentStrategies:
    """How agents of one kind are observed and controlled, from the settings."""

    statuses: frozenset[str]
    transports: Sequence[AgentTransport]
    detectors: Sequence[PauseDetector]


@dataclass(frozen=True, slots=True)
class Strategies:
    """What the settings have selected."""

    policies: Sequence[Policy]
    agents: Mapping[str, AgentStrategies]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An agent that this cycle decides about."""

    pane: Pane
    verdict: Verdict = NO_OPINION
    seen: Observation = UNKNOWN
    conflict: str = ""
    settling_ms: int = 0
    """How long its absence is still too short to count."""

    @property
    def waiting(self) -> bool:
        """A pause for the lost focus is wanted, and not asked for yet."""
        return waits(self.verdict, self.settling_ms) and not self.seen.held and not self.conflict


@dataclass(frozen=True, slots=True)
class Seen:
    """One session as it was seen, before anything is wanted of it."""

    view: View
    conflicts: Mapping[str, str]
    """Why it is not clear which process speaks for a pane, by the pane's id."""
    unread: Sequence[str] = ()
    """Names of status files that are broken or whose process is gone."""
    remembered: FocusMemory | None = None
    """As the last cycle has left it."""


@dataclass(frozen=True, slots=True)
class Look:
    """One session with the verdict on each candidate and what was seen of it."""

    view: View
    candidates: Sequence[Candidate]

    @property
    def again_ms(self) -> int | None:
        """A duration: when to look again, for the first pane whose absence is too short yet."""
        waiting = (candidate.settling_ms for candidate in self.candidates if candidate.waiting)
        return min(waiting, default=None)

    @property
    def memory(self) -> FocusMemory:
        """What the next cycle is to find."""
        at_ms = None if self.again_ms is None else self.view.now_ms + self.again_ms
        return replace(self.view.focus, again_at_ms=at_ms)


@dataclass(slots=True)
class Controller:
    """Runs cycles. Whoever calls it holds the lock of the session."""

    state: StateFolder
    effects: Effects
    strategies: Strategies
    holds: Holds
    call: Caller
    report: Callable[[str], None]
    """Takes sentences for the person: broken files, plugins that failed."""
    settle_ms: int = 0
    away_counts: bool = False
    """Whether a pane whose window is not in front counts as not focused."""
    expired: list[Hold] = field(default_factory=list)
    """Holds that this controller has found past their deadline, for the observers."""
    hellos: KnownHellos = field(init=False)
    memories: Known[FocusMemory] = field(default_factory=dict)
    records: Known[Mapping[str, PaneRecord]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hellos = KnownHellos(self.effects)

    def cycle(self, source: FocusSource, session: Session, trigger: str, watch: Stopwatch) -> CycleReport:
        started_ms = self.effects.clock.wall_ms()
        folder = self.state.session(session)
        report = CycleReport(uuid4().hex[:12], trigger, session, folder.key, started_ms)
        try:
            decisions, look = self._decide(source, session, folder, watch)
        except HostUnavailable as error:
            return replace(report, error=str(error), steps=watch.steps)
        except OSError as error:  # Plugins are called with a net of their own: this is the state folder.
            return replace(report, error=describe_os_error(error), steps=watch.steps)
        return replace(
            report,
            decisions=decisions,
            steps=watch.steps,
            warnings=look.view.snapshot.warnings,
            again_ms=look.again_ms,
        )

    def look(self, source: FocusSource, session: Session) -> Look:
        """What a cycle would see and want now, without doing anything.
        Needs no lock. Raises HostUnavailable.
        """
        folder, watch = self.state.session(session), Stopwatch(self.effects.clock)
        return self._consider(self._see(source, session, folder, watch), folder, watch)

    def see(self, source: FocusSource, session: Session) -> Seen:
        """The panes as they are now, each with the hello that speaks for it.
        Needs no lock. Raises HostUnavailable.
        """
        return self._see(source, session, self.state.session(session), Stopwatch(self.effects.clock))

    def judge(self, seen: Seen, pane: Pane) -> Verdict:
        """What is wanted of one pane, with an agent of ours or without: what a cycle would want that sees the same.
        One that the settings leave alone may run.
        """
        agent = self.strategies.agents.get(pane.agent or "")
        if agent and pane.status is not None and pane.status not in agent.statuses:
            return Verdict.run(f"the host says it is {pane.status}, which the settings leave alone")
        verdict = judge(self.strategies.policies, [pane], seen.view, self.call)[pane.id]
        if verdict.action is Action.PAUSE and not verdict.runs:
            return Verdict.run(f"{verdict.policy} names no run to pause it for")
        return verdict

    def locate(self, source: FocusSource, session: Session, pane_id: str) -> str | None:
        """Today's id of a pane that had another one; None if the host cannot tell."""
        return self._locator(source, session)(pane_id)

    def _decide(
        self, source: FocusSource, session: Session, folder: SessionFolder, watch: Stopwatch
    ) -> tuple[tuple[Decision, ...], Look]:
        self._describe(folder, session)
        self.expired.extend(self.holds.remove_expired(self.effects.clock.wall_ms()))
        seen = self._see(source, session, folder, watch)
        remove_dead(folder, self.effects, seen.unread)
        look = self._consider(seen, folder, watch)
        if look.view.snapshot.focused is not None and look.memory != seen.remembered:
            save_memory(folder, self.effects.files, look.memory)
        remove_over(folder, self.effects.files, look.view)
        known = load_records(folder, self.effects.files, self.report, self.records)
        records = _records(look, known)
        intents = [self._plan(candidate, look.view, records) for candidate in look.candidates]
        intents = self._recheck(intents, look, source, session, folder, watch)
        decisions = self._deliver(look.candidates, intents, records, folder, watch)
        self._show_badges(look, records, source, session)
        self._keep(folder, records, known)
        watch.lap("deliver")
        return decisions, look

    def _see(self, source: FocusSource, session: Session, folder: SessionFolder, watch: Stopwatch) -> Seen:
        # Read before the snapshot: a proof of the person's presence that comes later voids what this cycle asks for.
        unread: list[str] = []
        hellos = read_hellos(folder, self.effects, self.report, unread, self.hellos.look(folder))
        watch.lap("hellos")
        snapshot = self.snapshot(source, session)
        watch.lap("snapshot")
        panes, conflicts = join(
            snapshot.panes, hellos, self._locator(source, session), self.effects.processes.ancestors
        )
        remembered = load_memory(folder, self.effects.files, self.report, self.memories)
        view = self._view(folder, replace(snapshot, panes=panes), remembered)
        return Seen(view, conflicts, unread, remembered)

    def _consider(self, seen: Seen, folder: SessionFolder, watch: Stopwatch) -> Look:
        view = seen.view
        panes = [pane for pane in view.snapshot.panes if pane.agent in self.strategies.agents]
        verdicts = judge(self.strategies.policies, panes, view, self.call)
        watch.lap("judge")
        # Of one that was paused nothing is asked, and that it no longer is wakes us.
        open_panes = [pane for pane in panes if pane.hello and not pane.hello.paused]
        fresh = {pane.id: pane for pane in self._fresh(open_panes, folder)}
        panes = [fresh.get(pane.id, pane) for pane in panes]
        observed = self._observe(panes)
        candidates = [
            Candidate(
                *(pane, verdicts[pane.id], observed.get(pane.id, UNKNOWN), seen.conflicts.get(pane.id, "")),
                self._settling_ms(pane, view),
            )
            for pane in panes
        ]
        watch.lap("observe")
        return Look(view, candidates)

    def _settling_ms(self, pane: Pane, view: View) -> int:
        return settling_ms(pane.names, view.focus, self.settle_ms, view.now_ms) if self.settle_ms else 0

    def _describe(self, folder: SessionFolder, session: Session) -> None:
        if not self.effects.files.exists(folder.description):
            save(self.effects.files, folder.description, {"host": session.host, "address": session.address})

    def snapshot(self, source: FocusSource, session: Session) -> Snapshot:
        """Asked with a time limit. Raises HostUnavailable."""
        result = self.call.call(source.name, partial(checked(source.snapshot, Snapshot), session))
        if result.value is None:
            raise HostUnavailable(result.problem)
        return result.value

    def _focus(self, source: FocusSource, session: Session) -> frozenset[str] | None:
        if not isinstance(source, TellsFocus):
            return self.snapshot(source, session).focused
        ask = checked(source.focus_now, frozenset, NoneType)
        result = self.call.call(source.name, partial(ask, session))
        if result.problem:
            raise HostUnavailable(result.problem)
        return result.value

    def _locator(self, source: FocusSource, session: Session) -> Callable[[str], str | None]:
        def locate(pane_id: str) -> str | None:
            control = self._control(source, session)
            if not isinstance(control, LocatesPanes):
                return None
            return self.call.call(source.name, lambda: control.locate(pane_id)).value

        return locate

    def _control(self, source: FocusSource, session: Session) -> PaneControl | None:
        return self.call.call(source.name, partial(source.control, session)).value

    def _view(self, folder: SessionFolder, snapshot: Snapshot, remembered: FocusMemory | None) -> View:
        files, now_ms = self.effects.files, self.effects.clock.wall_ms()
        away = away_panes(snapshot.panes, snapshot.focused) if self.away_counts else frozenset()
        snapshot = without(snapshot, away)
        return View(
            snapshot=snapshot,
            key=folder.key,
            now_ms=now_ms,
            holds=tuple(self.holds.in_force(now_ms)),
            allowances=load_allowances(folder, files, self.report),
            focus=remember(remembered, snapshot, now_ms),
            away=away,
        )

    def _observe(self, panes: Sequence[Pane]) -> dict[str, Observation]:
        """What is seen of each, by its id; nothing of those that no detector knows."""
        seen: dict[str, Observation] = {}
        for detector in self._detectors():
            open_panes = [
                pane
                for pane in panes
                if pane.id not in seen and detector in self.strategies.agents[str(pane.agent)].detectors
            ]
            results = self.call.each(detector.name, checked(detector.observe, Observation), open_panes)
            for pane, result in zip(open_panes, results, strict=True):
                if result.value is not None and result.value.state is not UNKNOWN.state:
                    seen[pane.id] = result.value.of(detector.name)
        return seen

    def _fresh(self, panes: Sequence[Pane], folder: SessionFolder) -> list[Pane]:
        """With the status files as they are now. What the verdicts were based on is in the verdicts."""
        read = partial(read_hello, folder, self.effects.files)
        return [self._refresh(pane, read) for pane in panes]

    def _detectors(self) -> list[PauseDetector]:
        """Each once, in order. By its identity: a strategy need not be hashable."""
        found = (detector for agent in self.strategies.agents.values() for detector in agent.detectors)
        return list({id(detector): detector for detector in found}.values())

    def _refresh(self, pane: Pane, read: Callable[[str], Hello | None]) -> Pane:
        before = pane.hello
        if before is None:
            return pane
        try:
            hello = read(before.file)
        except Broken as error:
            self.report(str(error))
            return pane
        return pane if hello is before else pane.spoken_for(hello)

    def _plan(self, candidate: Candidate, view: View, records: Mapping[str, PaneRecord]) -> Intent:
        pane = candidate.pane
        if candidate.conflict:
            return Intent(Deed.LEAVE, Outcome.REFUSED, candidate.conflict)
        agent = self.strategies.agents[str(pane.agent)]
        found = Found(
            seen=candidate.seen,
            asked=records[pane.id].outstanding,
            on_its_way=any(outstanding(transport, pane) for transport in agent.transports),
            eligible=pane.status is None or pane.status in agent.statuses,
            waived=_waived(pane, view),
            settling_ms=candidate.settling_ms,
        )
        return plan(pane, candidate.verdict, found)

    def _recheck(
        self,
        intents: Sequence[Intent],
        look: Look,
        source: FocusSource,
        session: Session,
        folder: SessionFolder,
        watch: Stopwatch,
    ) -> list[Intent]:
        """A second look at the focus, only if this cycle is about to act."""
        if all(intent.deed is Deed.LEAVE for intent in intents):
            return list(intents)
        try:
            focused = self._looked_at(self._focus(source, session), look, folder)
        except HostUnavailable as error:
            return [_read_failed(intent, str(error)) for intent in intents]
        finally:
            watch.lap("recheck")
        return [
            after_recheck(intent, None if focused is None else candidate.pane.id in focused)
            for intent, candidate in zip(intents, look.candidates, strict=True)
        ]

    def _looked_at(
        self, focused: frozenset[str] | None, look: Look, folder: SessionFolder
    ) -> frozenset[str] | None:
        """Without panes whose agent says, when it is asked anew, that their window is not in front."""
        if not self.away_counts or not focused:
            return focused
        panes = (candidate.pane for candidate in look.candidates if candidate.pane.id in focused)
        return focused - away_panes(self._fresh(list(panes), folder), focused)

    def _deliver(
        self,
        candidates: Sequence[Candidate],
        intents: Sequence[Intent],
        records: dict[str, PaneRecord],
        folder: SessionFolder,
        watch: Stopwatch,
    ) -> tuple[Decision, ...]:
        now_ms = self.effects.clock.wall_ms()
        decisions = []
        for candidate, intent in zip(candidates, intents, strict=True):
            record = records[candidate.pane.id]
            if intent.deed is Deed.LEAVE:
                steps = _confirm_step(intent, record, now_ms)
                done = _left(intent, record)
            else:
                before_ms = self.effects.clock.monotonic_ms()
                transports = self.strategies.agents[str(candidate.pane.agent)].transports
                done = deliver(candidate.pane, intent, transports, record.outstanding, now_ms, self.call)
                steps = (("deliver", round(self.effects.clock.monotonic_ms() - before_ms, 2)),)
            if done.outstanding != record.outstanding:
                records[candidate.pane.id] = replace(record, outstanding=done.outstanding)
            decisions.append(_decision(candidate, intent, done, folder.key, steps))
        return tuple(decisions)

    def _show_badges(
        self, look: Look, records: dict[str, PaneRecord], source: FocusSource, session: Session
    ) -> None:
        """Also where no agent is any more: what was shown of one that has ended must go."""
        control = self._control(source, session)
        if not isinstance(control, ShowsBadges):
            return
        now_ms = self.effects.clock.wall_ms()
        held = {candidate.pane.id for candidate in look.candidates if candidate.seen.held}
        renewed: set[str] = set()
        for pane in look.view.snapshot.panes:
            record = records[pane.id]
            text = "paused" if pane.id in held else None
            fresh = 0 <= now_ms - record.badge_ms < BADGE_TTL_MS / 2
            # A host that was restarted has forgotten what it was to show.
            shown = record.badge if pane.badge is None else pane.badge or None
            if text == shown and (fresh or text is None):
                continue
            badge = Badge(text, BADGE_TTL_MS) if text else None
            if not self.call.call(source.name, partial(control.show_badge, pane, badge)).problem:
                records[pane.id] = replace(record, badge=text, badge_ms=now_ms)
                renewed.add(pane.id)
        self._show_counts(look, held, renewed, source, control)

    def _show_counts(
        self, look: Look, held: set[str], renewed: set[str], source: FocusSource, control: object
    ) -> None:
        """How many agents are paused, beside each workspace. It lives as long as a badge of its panes, and is renewed
        with one.
        """
        if not isinstance(control, ShowsWorkspaceBadges):
            return
        for workspace in look.view.snapshot.workspaces:
            count = len(workspace.panes & held)
            text = f"{count} paused" if count else ""
            if text == workspace.badge and not (text and workspace.panes & renewed):
                continue
            badge = Badge(text, BADGE_TTL_MS) if text else None
            self.call.call(source.name, partial(control.show_workspace_badge, workspace, badge))

    def _keep(
        self, folder: SessionFolder, records: Mapping[str, PaneRecord], known: Mapping[str, PaneRecord]
    ) -> None:
        """What has been delivered stands, also if it cannot be remembered."""
        kept = {pane: record for pane, record in records.items() if record.outstanding or record.badge}
        try:
            if kept != known:
                save_records(folder, self.effects.files, kept)
        except OSError as error:
            self.report(describe_os_error(error))


def _records(look: Look, known: Mapping[str, PaneRecord]) -> dict[str, PaneRecord]:
    """What is remembered of the panes that are there."""
    agents = {candidate.pane.id: agent_identity(candidate.pane) for candidate in look.candidates}
    nothing = PaneRecord()
    return {pane.id: known.get(pane.id, nothing).of(agents.get(pane.id)) for pane in look.view.snapshot.panes}


def _waived(pane: Pane, view: View) -> frozenset[str]:
    """Holds in force that cover the pane, and that the person has waived for it."""
    waived = pane.hello.waived if pane.hello else frozenset()
    return (
        waived & {hold.run for hold in view.holds if hold.scope.covers(view.key, pane.names)}
        if waived
        else waived
    )


def _read_failed(intent: Intent, error: str) -> Intent:
    return (
        intent
        if intent.deed is Deed.LEAVE
        else Intent(Deed.LEAVE, Outcome.READ_FAILED, f"nothing was done: {error}")
    )


def _left(intent: Intent, record: PaneRecord) -> Delivered:
    """Nothing was done. What was asked before is outstanding until it is confirmed, or wanted no more."""
    over = intent.confirmed or intent.outcome in WANTED_NO_MORE
    return Delivered(intent.outcome, intent.reason, outstanding=None if over else record.outstanding)


def _confirm_step(intent: Intent, record: PaneRecord, now_ms: int) -> tuple[tuple[str, float], ...]:
    if not (intent.confirmed and record.outstanding):
        return ()
    return (("confirm", float(max(0, now_ms - record.outstanding.first_ms))),)


def _decision(
    candidate: Candidate, intent: Intent, done: Delivered, key: str, steps: tuple[tuple[str, float], ...]
) -> Decision:
    pane, verdict = candidate.pane, candidate.verdict
    return Decision(
        session=key,
        pane=pane.id,
        agent=str(pane.agent),
        outcome=done.outcome,
        reason=done.reason,
        action=verdict.action,
        policy=verdict.policy,
        runs=tuple(run.id for run in intent.runs),
        observed=candidate.seen,
        transport=done.transport,
        label=pane.label,
        steps=steps,
    )
