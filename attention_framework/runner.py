"""From a wake-up to a cycle: markers, the lock, the journal and the observers around it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .breaks import give_back, give_back_owed
from .cycle.steps import Stopwatch
from .observing import tell_cycle_finished, tell_decided, tell_hold_changed
from .single_flight import BOUND_MS, Coalesced, Flown, TimedOut, fly, line_up, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from .app import App
    from .effects import Lock
    from .model import CycleReport, Hold, Session
    from .state.folder import SessionFolder


NAMED = 8
"""So many triggers of one cycle are written down."""


@dataclass(frozen=True, slots=True)
class Woken:
    """What became of one wake-up."""

    session: Session
    report: CycleReport | None
    """None if another process's cycle has covered it, or if the lock was not free in time."""
    error: str = ""

    @property
    def well(self) -> bool:
        return not self.error


def wake(app: App, session: Session, trigger: str, process_start_ms: float | None = None) -> Woken:
    """Have a cycle of this session that begins after this call, by this process or another one.

    The marker comes before anything that is slow, and the settings
    and plugins are loaded by the process that is next in line.
    """
    folder, files, clock = app.state.session(session), app.effects.files, app.effects.clock
    watch = Stopwatch(clock, process_start_ms)
    marker = mark(folder, files, trigger)
    watch.lap("mark")
    place = line_up(folder, marker, files, clock)
    watch.lap("line")
    if place is None:
        return (
            _covered(app, session, trigger, watch) if not files.exists(marker) else _too_late(session, folder)
        )
    try:
        return _fly(app, session, trigger, marker, watch, place)
    finally:
        place.release()


def _fly(app: App, session: Session, trigger: str, marker: Path, watch: Stopwatch, place: Lock) -> Woken:
    folder = app.state.session(session)
    if session.host not in app.sources and session.host not in app.configuration.settings.focus.sources:
        app.effects.files.remove(marker)  # No cycle will ever cover it.
    source, controller = app.source_of(session), app.controller
    watch.lap("load")

    def cycle(triggers: Sequence[str]) -> tuple[CycleReport, bool]:
        place.release()
        watch.lap("wait")
        report = controller.cycle(source, session, ", ".join(triggers) or trigger, watch)
        return report, not report.failed

    match fly(folder, marker, app.effects.files, app.effects.clock, cycle):
        case Flown(result=report):
            _tell(app, report)
            return Woken(session, report, report.error)
        case Coalesced():
            return _covered(app, session, trigger, watch)
        case TimedOut():
            return _too_late(session, folder)


def _covered(app: App, session: Session, trigger: str, watch: Stopwatch) -> Woken:
    app.journal.write_coalesced(session, app.state.session(session).key, trigger, watch.steps)
    return Woken(session, None)


def _too_late(session: Session, folder: SessionFolder) -> Woken:
    error = f"other cycles have held {folder.lock} for {BOUND_MS / 1000:.0f} s; the wake-up stays for the next one"
    return Woken(session, None, error)


def cycle_for(
    app: App,
    session: Session,
    take: Callable[[], Sequence[str]],
    is_news: Callable[[CycleReport], bool],
) -> Woken:
    """A cycle of this session by this process, for wake-ups that it keeps in memory.

    :param take: called once the lock is there, before the snapshot. It gives the triggers of the wake-ups that the
        cycle covers, and is not called if there is none.
    :param is_news: whether the journal is to have it.
    """
    folder, watch = app.state.session(session), Stopwatch(app.effects.clock)
    source, controller = app.source_of(session), app.controller

    def cycle(triggers: Sequence[str]) -> tuple[CycleReport, bool]:
        watch.lap("wait")
        report = controller.cycle(source, session, _several([*take(), *triggers]), watch)
        return report, not report.failed

    match fly(folder, None, app.effects.files, app.effects.clock, cycle):
        case Flown(result=report):
            _tell(app, report, written=is_news(report))
            return Woken(session, report, report.error)
        case _:
            return _too_late(session, folder)


def _several(triggers: Sequence[str]) -> str:
    """Each once; of very many, the first."""
    names = list(dict.fromkeys(triggers))
    more = [f"{len(names) - NAMED} more"] if len(names) > NAMED else []
    return ", ".join([*names[:NAMED], *more])


def wake_all(app: App, trigger: str) -> list[Woken]:
    """Wake every running session of every selected host."""
    return [wake(app, session, trigger) for _, session in app.sessions()]


def change_hold(app: App, hold: Hold, change: str, why: str = "") -> None:
    """Note that a hold has been `taken`, `released` or has `expired`, and `why`, in words for people."""
    app.journal.write_hold(hold, change, why)
    tell_hold_changed(app, hold, change)


def _expired(app: App) -> Iterator[Hold]:
    """Each once, whichever thread of a resident controller comes first."""
    with suppress(IndexError):
        while True:
            yield app.controller.expired.pop(0)


def _tell(app: App, report: CycleReport, written: bool = True) -> None:
    if written:
        app.journal.write_cycle(report)
    for hold in _expired(app):
        change_hold(app, hold, "expired", "nobody ended it before its deadline")
        if hold.kind == "break":
            give_back(app, hold, app.configuration.settings.breaks.resume)
    give_back_owed(app)
    for warning in report.warnings:
        app.warn(warning)
    for decision in report.decisions:
        tell_decided(app, decision, report)
    tell_cycle_finished(app, report)
