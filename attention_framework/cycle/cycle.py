"""The order of the steps of one cycle over one session."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from ..errors import describe_os_error
from ..kinds import HostUnavailable
from ..model import CycleReport, Decision, Outcome, agent_identity
from ..state.allowances import remove_over
from ..state.deliveries import PaneRecord, load_records, save_records
from ..state.documents import save
from ..state.hellos import remove_dead
from ..state.memory import save_memory
from .away import away_panes
from .badges import show_badges
from .deliver import Delivered, deliver, outstanding
from .plan import Deed, Found, Intent, after_recheck, plan
from .reading import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ..kinds import FocusSource
    from ..model import Hold, Pane, Session, View
    from ..state.documents import Known
    from ..state.folder import SessionFolder
    from .seen import Candidate, Look
    from .steps import Stopwatch

WANTED_NO_MORE = (Outcome.NOW_FOCUSED, Outcome.LEFT_RUNNING, Outcome.WAIVED)


@dataclass(slots=True)
class Controller(Reader):
    """Runs cycles. Whoever calls it holds the lock of the session."""

    expired: list[Hold] = field(default_factory=list)
    """Holds that this controller has found past their deadline, for the observers."""
    records: Known[Mapping[str, PaneRecord]] = field(default_factory=dict)

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
        show_badges(look, records, self._control(source, session), partial(self._carried_out, source))
        self._keep(folder, records, known)
        watch.lap("deliver")
        return decisions, look

    def _describe(self, folder: SessionFolder, session: Session) -> None:
        if not self.effects.files.exists(folder.description):
            save(self.effects.files, folder.description, {"host": session.host, "address": session.address})

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

    def _carried_out(self, source: FocusSource, deed: Callable[[], None]) -> bool:
        return not self.call.call(source.name, deed).problem

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
