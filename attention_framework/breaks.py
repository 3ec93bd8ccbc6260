"""Breaks: when one begins, and what is given back when the last of those that overlap has ended.

Every break leaves a marker beside its hold. Markers outlive their holds until no hold is left, so the end
of the last break knows all the runs for which agents may have been paused meanwhile. Before a hold is removed
its marker says what its end resumes and who sees to that: a process that dies in between leaves it to the
next cycle.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .errors import Expected
from .holds import HoldRefused
from .model import Action, Break, Hold, Scope
from .state.break_markers import Marker, markers, save_marker
from .state.memory import load_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .app import App
    from .cycle import Candidate
    from .kinds import BreakSource

LONGEST_MS = 3_600_000
"""A break whose end never comes is over after an hour: whoever called has died."""


def told(source: BreakSource) -> Sequence[Break]:
    """The breaks that a source says are going on. Raises Expected for an answer that is none, and what it raises."""
    found: Any = source.current()
    breaks = list(found) if isinstance(found, Iterable) else [found]
    if all(isinstance(one, Break) and _has_right_types(one) for one in breaks):
        return breaks
    raise Expected(f"current() returned {str(found)[:80]!r}, and not a list of breaks")


def _has_right_types(found: Any) -> bool:
    times = (found.started_ms, found.started_ms if found.deadline_ms is None else found.deadline_ms)
    return isinstance(found.run, str) and all(isinstance(time, int | float) for time in times)


def latest_end(found: Break) -> int:
    """When a break that a source tells of is over, whatever the source says later."""
    return found.started_ms + LONGEST_MS if found.deadline_ms is None else found.deadline_ms


def begin(app: App, run: str, source: str, lasts_ms: int | None) -> Hold | None:
    """Take the hold of a break that `source` tells of and that begins now; None if it is going on already.
    Raises HoldRefused for an id that cannot be one.
    """
    return begin_until(app, run, source, app.effects.clock.wall_ms() + (lasts_ms or LONGEST_MS))


def begin_until(app: App, run: str, source: str, deadline_ms: int) -> Hold | None:
    """The same for one that is over then, however long it takes until the hold is there."""
    now_ms = app.effects.clock.wall_ms()
    in_force = app.holds.in_force(now_ms)
    known = next((hold for hold in in_force if hold.run == run), None)
    if known is not None:
        if known.kind != "break":
            raise HoldRefused(f"{run!r} is the id of a {known.kind} pause: choose another one")
        return None
    hold = Hold(
        run=run,
        kind="break",
        source=source,
        scope=Scope(),
        started_ms=now_ms,
        deadline_ms=deadline_ms,
        last_active=_inherited(in_force) or _focused_pane(app),
    )
    app.holds.take(hold)
    try:
        save_marker(app, Marker(run, hold.last_active))
    except OSError:
        app.holds.release(run)  # Whoever is told of the failure will not end this break.
        raise
    return hold


def end(app: App, run: str, resume: str | None = None) -> Hold | None:
    """Release the hold of a break; None if it is not there. Nobody else's run is touched.
    `resume` is what the caller will then hand to `give_back`; None stands for what the settings say.
    """
    hold = next((hold for hold in app.holds.all() if hold.run == run and hold.kind == "break"), None)
    if hold is None:
        return None
    with suppress(OSError):  # A full disk must not keep the hold.
        ended_ms = app.effects.clock.wall_ms()
        save_marker(app, Marker(run, hold.last_active, resume, ended_ms, app.effects.processes.own()))
    return hold if app.holds.release(run) else None


def give_back(app: App, ended: Hold, resume: str) -> list[str]:
    """Resume what the breaks have paused, once no hold is left; the ids of the panes.
    `resume` is `none`, `own` or `last-active`, as in the settings.

    Only what the policies let run now, and what was paused for nothing but these breaks.
    """
    if app.holds.in_force(app.effects.clock.wall_ms()):
        return []
    runs = frozenset({ended.run, *(marker.run for marker in markers(app))})
    return _give_back(app, ended.run, runs, ended.last_active, resume)


def give_back_owed(app: App) -> list[str]:
    """The same for whoever has died between the end of the last break and this. A living one sees to it itself."""
    left = markers(app)
    if not left or app.holds.all():
        return []
    last = max(left, key=lambda marker: marker.ended_ms)
    if last.owner is not None and app.effects.processes.alive(last.owner):
        return []
    resume = last.resume or app.configuration.settings.breaks.resume
    return _give_back(app, last.run, frozenset(marker.run for marker in left), last.last_active, resume)


def _give_back(
    app: App, run: str, runs: frozenset[str], last_active: tuple[str, str] | None, resume: str
) -> list[str]:
    resumed = [] if resume == "none" else list(_resume(app, runs, last_active, resume))
    if resumed:
        app.journal.write_given_back(run, resumed)
    for each in runs:
        app.effects.files.remove(app.state.break_marker(each))
    return resumed


def mine(candidate: Candidate, runs: frozenset[str]) -> bool:
    """Paused for these runs alone, by nobody's hand, and free to run by the policies."""
    seen = candidate.seen
    paused_by_these = seen.held and not seen.by_person and bool(seen.runs) and seen.runs <= runs
    return paused_by_these and seen.engagement is not None and candidate.verdict.action is Action.RUN


def _resume(
    app: App, runs: frozenset[str], last_active: tuple[str, str] | None, resume: str
) -> Iterable[str]:
    for _, look in app.looks():
        for candidate in look.candidates:
            names = {(look.view.key, name) for name in candidate.pane.names}
            meant = mine(candidate, runs) and (resume == "own" or last_active in names)
            if meant and _ask(app, candidate):
                yield candidate.pane.id


def _ask(app: App, candidate: Candidate) -> bool:
    from .cycle.deliver import ask_to_resume

    transports = app.strategies.agents[str(candidate.pane.agent)].transports
    engagement = str(candidate.seen.engagement)
    delivery = ask_to_resume(candidate.pane, engagement, transports, app.controller.call)
    return delivery.status != "refused"


def _inherited(in_force: Sequence[Hold]) -> tuple[str, str] | None:
    """What was active when the first of the overlapping holds began."""
    return next((hold.last_active for hold in in_force if hold.last_active), None)


def _focused_pane(app: App) -> tuple[str, str] | None:
    """The focused pane; of several sessions, of that whose focus changed last."""
    found = []
    for session, snapshot in app.snapshots():
        folder = app.state.session(session)
        memory = load_memory(folder, app.effects.files, app.warn)
        changed_ms = memory.changed_ms if memory else 0
        found += [(changed_ms, folder.key, pane) for pane in snapshot.focused or ()]
    return max(found)[1:] if found else None
