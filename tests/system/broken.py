"""The code, and the model of the extension, broken on purpose: each of it must turn a seed red, else the simulation would prove
nothing by being green.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from attention_framework import gate
from attention_framework.break_watch import keeper
from attention_framework.break_watch import plan as breaks_plan
from attention_framework.break_watch.keeper import Keeper
from attention_framework.breaks import begin
from attention_framework.cycle import plan, reading
from attention_framework.following import BackOff, Follower, Following
from attention_framework.runner import Woken
from attention_framework.serve import desk, resident, sessions
from attention_framework.serve.asking import Rounds, Said
from attention_framework.serve.changes import SettingsWatch
from attention_framework.serve.desk import Desk
from attention_framework.serve.lease import Lease
from attention_framework.serve.news import ASK
from attention_framework.serve.resident import Resident
from attention_framework.serve.sessions import Sessions
from attention_framework.serve.work import Agenda, Wake, Work
from attention_framework.serve.worker import Worker
from attention_framework.testing import SESSION

from . import settings_file, wake_ups
from .controller import Application
from .extension import Extension
from .reflex import Reflex
from .ways import Ways

if TYPE_CHECKING:
    from collections.abc import Callable

    from attention_framework.cycle import Seen


def nothing(*_: object, **__: object) -> None:
    pass


def all_that_was_asked(self: Extension, runs: dict[str, object]) -> list[str]:
    return list(runs)


def at_once(self: Extension, then: Callable[[], None], otherwise: object) -> None:
    then()


def opens(self: Reflex, hold: object) -> None:
    self.hold = None


def forgets_that_it_was_left(self: Extension) -> None:
    """As if the resume were newer than every report that was read before the gate opened."""
    self.away = False
    self.count += 1
    self._publish_soon()


def gone(self: Reflex) -> None:
    """As it is, but for the step that waits at a boundary."""
    if self.hold is not None:
        self.hold, self.problem = None, ""


def never_wakes_for_a_question(self: Worker, trigger: str) -> Wake:
    return Wake(trigger) if trigger.startswith(ASK) else WAKE(self, trigger)


def from_the_first_look(self: Rounds[Seen]) -> Seen:
    found: Seen = self.__dict__.setdefault("kept", None) or ASK_ROUND(self)
    self.__dict__["kept"] = found
    return found


def run_at_once(*_: object) -> Said:
    return Said("run", "")


def waits_longer(self: Desk, *asked: Any) -> Said:
    followed, pane_id, pid, wait_ms, said, before = asked
    return SAY_LATER(self, followed, pane_id, pid, 20 * wait_ms, said, before)


def looks_once(self: Desk, *asked: Any) -> Said:
    followed, _, _, wait_ms, said, before = asked
    followed.worker.wait_for_cycle(before + 1_000, wait_ms / 1000)
    return said


def keeps_its_place(self: Desk, *asked: Any) -> Said:
    said = SAY_LATER(self, *asked)
    self._waiting.acquire(blocking=False)
    return said


def none_is_well(wake: Wake) -> Woken:
    wake.done.wait()
    return wake.woken or Woken(SESSION, None)


def only_when_due(self: Lease) -> None:
    if self._effects.clock.monotonic_ms() >= self._due_ms:
        RENEW(self)


def says_nothing_of_it(self: Resident) -> None:
    LOOK_AT_SETTINGS(self)
    self._settings_problem = ""


def as_if_it_were_empty(self: Application) -> Any:
    files = self.effects.files
    if files.read(settings_file.FILE) == settings_file.BROKEN:
        files.write(settings_file.FILE, settings_file.written(Ways()))
    return RENEWED(self)


def for_an_hour(app: Any, run: str, source: str, deadline_ms: int) -> Any:
    return begin(app, run, source, None)


def at_the_deadline_alone(hold: Any, told: Any, live: Any, now_ms: int) -> bool:
    return hold.kind == "break" and hold.source in told and not hold.in_force(now_ms)


def silence_is_an_end(self: Keeper, source: Any) -> Any:
    return ASK_SOURCE(self, source) or ()


def once(self: Follower) -> None:
    self._run()


def without_a_rest(self: BackOff, *ended: Any) -> Following:
    return replace(WATCH_ENDED(self, *ended), back_off_s=0.0)


WAKE, ASK_ROUND = Worker.wake, Rounds.ask
SAY_LATER, RENEW, LOOK_AT_SETTINGS, RENEWED = (
    Desk._say_later, Lease.renew, Resident.look_at_settings, Application.renewed,
)  # fmt: skip
ASK_SOURCE, WATCH_ENDED = Keeper._ask, BackOff.watch_ended

BRAKE = Ways("brake", served=True)
STRICT = Ways("strict", fail="closed", served=True)
AWAY = Ways("brake", away="pause", served=True)
SETTLE = Ways(settle_ms=400)
SERVED = Ways(served=True)
REWRITTEN = Ways(served=True, rewritten=True)
FOLLOWED = Ways(served=True, follows=True)
LONG = (None, STRICT, REWRITTEN)
"""What is looked for in these needs a long story."""

BROKEN: dict[str, tuple[Ways | None, object, str, object]] = {
    "no brake": (None, Reflex, "_brake", lambda self, event: False),
    "the return does not let go": (None, Reflex, "_release", lambda self: False),
    "a focus lost between the key that resumes and the gate": (None, Extension, "resumed", forgets_that_it_was_left),
    "silence and an old lease keep the brake": (None, Reflex, "_give_up", nothing),
    "every request stands": (None, Extension, "_standing", all_that_was_asked),
    "no hold stands": (None, Extension, "_covering", lambda self: []),
    "acknowledged before it is painted": (None, Extension, "_await_paint", at_once),
    "strict: a step is not asked about": (STRICT, Reflex, "boundary", lambda self, event: False),
    "strict: silence opens what fails closed": (STRICT, Reflex, "_stay_closed", opens),
    "strict: a request that failed lets the step go that waited": (STRICT, Reflex, "taken", gone),
    "away: the controller does not count the window": (AWAY, reading, "away_panes", lambda *_: frozenset()),
    "away: a report that asks nothing wakes nobody": (
        replace(AWAY, mode="off"), Reflex, "_away_counts", lambda self: False,
    ),
    "settle: the pause is asked for at once": (SETTLE, plan, "waits", lambda *_: False),
    "settle: the resident controller does not look again": (
        replace(SETTLE, served=True), Agenda, "_looks", lambda self, report: [],
    ),
    "settle: nobody waits who runs once": (SETTLE, wake_ups, "look_again", nothing),
    "ask: answered from an older look": (BRAKE, Rounds, "ask", from_the_first_look),
    "ask: a question wakes nobody": (AWAY, Worker, "wake", never_wakes_for_a_question),
    "worker: a wake-up waits for the next look": (BRAKE, Work, "woken", False),
    "wait: the answer is run when the time is over": (SERVED, Desk, "_say_later", run_at_once),
    "wait: longer than was asked": (SERVED, Desk, "_say_later", waits_longer),
    "wait: a question is looked at once": (SERVED, Desk, "_say_later", looks_once),
    "wait: a place is kept by who has an answer": (SERVED, Desk, "_say_later", keeps_its_place),
    "gate: without a controller everybody may run": (SERVED, gate, "_judge", lambda *_: ("run", "")),
    "gate: without a controller nobody knows": (SERVED, gate, "_judge", lambda *_: ("unknown", "")),
    "settings: never looked at again": (REWRITTEN, SettingsWatch, "look", lambda self: False),
    "settings: a broken file is an empty one": (REWRITTEN, Application, "renewed", as_if_it_were_empty),
    "settings: the status does not tell of a mistake": (
        REWRITTEN, Resident, "look_at_settings", says_nothing_of_it,
    ),
    "settings: the lease is renewed when it is due": (REWRITTEN, Lease, "renew", only_when_due),
    "settings: nobody looks by the new ones": (
        replace(REWRITTEN, exempt="c"), Sessions, "renew", nothing,
    ),
    "settings: the old threads go on": (REWRITTEN, sessions, "_end", nothing),
    "settings: who waits for an old worker is told that all is well": (REWRITTEN, desk, "_ended", none_is_well),
    "wake: accepted without a marker": (REWRITTEN, resident, "mark", nothing),
    "breaks: the deadline is an hour": (FOLLOWED, keeper, "begin_until", for_an_hour),
    "breaks: one that is skipped lasts": (FOLLOWED, breaks_plan, "_is_over", at_the_deadline_alone),
    "breaks: one that is told holds nobody": (FOLLOWED, Keeper, "_take", nothing),
    "breaks: silence is an end": (FOLLOWED, Keeper, "_ask", silence_is_an_end),
    "breaks: a source that has died is left alone": (FOLLOWED, Follower, "_follow", once),
    "breaks: a source that has died is followed at once": (FOLLOWED, BackOff, "watch_ended", without_a_rest),
}  # fmt: skip
