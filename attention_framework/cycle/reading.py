"""What is there and what is wanted of it: all that a cycle does before it acts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING

from ..kinds import HostUnavailable, LocatesPanes, TellsFocus
from ..model import UNKNOWN, Action, Observation, Snapshot, Verdict, View
from ..state.allowances import load_allowances
from ..state.documents import Broken
from ..state.hellos import read_hello, read_hellos
from ..state.known_hellos import KnownHellos
from ..state.memory import load_memory, remember
from .answers import checked
from .away import away_panes, without
from .join import join
from .judge import judge
from .seen import Candidate, Look, Seen
from .settle import settling_ms
from .steps import Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..bounded import Caller
    from ..effects import Effects
    from ..holds import Holds
    from ..kinds import FocusSource, PaneControl, PauseDetector
    from ..model import FocusMemory, Hello, Pane, Session
    from ..state.documents import Known
    from ..state.folder import SessionFolder, StateFolder
    from .strategies import Strategies


@dataclass(slots=True)
class Reader:
    """Reads sessions and judges their panes. It needs no lock and changes nothing."""

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
    hellos: KnownHellos = field(init=False)
    memories: Known[FocusMemory] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.hellos = KnownHellos(self.effects)

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

    def snapshot(self, source: FocusSource, session: Session) -> Snapshot:
        """Asked with a time limit. Raises HostUnavailable."""
        result = self.call.call(source.name, partial(checked(source.snapshot, Snapshot), session))
        if result.value is None:
            raise HostUnavailable(result.problem)
        return result.value

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
