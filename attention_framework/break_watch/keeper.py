"""Makes the holds what the break sources tell."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..breaks import begin_until, end, give_back, latest_end, told
from ..errors import Expected, describe_os_error
from ..runner import change_hold, wake_all
from ..serve.worker import LOOK
from ..silences import Silences
from .looks import Looks
from .plan import plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..app import App
    from ..kinds import BreakSource
    from ..model import Break, Hold
    from ..runner import Woken


class Keeper:
    """Keeps the holds of these sources, and no other one's."""

    def __init__(
        self,
        app: App,
        sources: Sequence[BreakSource],
        say: Callable[[str], None],
        wake: Callable[[str], Sequence[Woken]] | None = None,
        seen: frozenset[str] = frozenset(),
    ) -> None:
        self._app = app
        self._sources = {source.name: source for source in sources}
        self._say = say
        self.silences = Silences()
        """Sources that do not say which breaks are going on."""
        self._wake_all = wake or partial(wake_all, app)
        self._looks = None if wake else Looks()
        """Whoever wakes for us looks again by itself."""
        self.seen = seen
        """What the keeper of the same sources after this one has to know."""
        self._owed = ["break-watch starts"]
        """What no wake-up that went well has told yet. The start too: whoever took the holds that are there
        may have died before it woke anybody.
        """

    def try_reconcile(self) -> None:
        """The same, where a disk that is full for a moment must not end the watch: the next look makes it right."""
        try:
            self.reconcile()
        except OSError as error:
            self._app.report(describe_os_error(error))
        except Expected as error:
            self._app.report(str(error))

    def reconcile(self) -> None:
        """Ask every source, take and release what that means, and wake every session after a change."""
        now_ms = self._app.effects.clock.wall_ms()
        plan_ = plan(self._app.holds.all(), self._told(), self.seen, now_ms)
        # Before anything is released: where one break takes the place of another, nothing is given back.
        for source, found in plan_.take:
            self._take(source, found)
        for hold in plan_.release:
            over = not hold.in_force(now_ms)
            self._release(
                hold,
                f"{hold.source} told no end before its deadline"
                if over
                else f"{hold.source} says it is over",
            )
        self.seen = plan_.seen
        self._wake()

    def release_all(self) -> None:
        """Nobody follows these breaks any more: no agent is to wait for their deadline."""
        self.release_of(self._sources)

    def release_of(self, sources: Iterable[str]) -> None:
        """The same for some of the sources."""
        names = set(sources)
        for hold in self._app.holds.all():
            if hold.kind == "break" and hold.source in names:
                self._release(hold, f"{hold.source} is followed no more")
        self._wake()

    def _told(self) -> Mapping[str, Sequence[Break] | None]:
        return {name: self._ask(source) for name, source in self._sources.items()}

    def _ask(self, source: BreakSource) -> Sequence[Break] | None:
        result = self._app.configuration.call.call(source.name, partial(told, source))
        if isinstance(result.error, Expected):  # All else the caller has reported.
            self._app.warn(f"{source.name}: {result.error}")
        self.silences.note(source.name, result.problem, self._app.effects.clock.wall_ms())
        return result.value

    def _take(self, source: str, found: Break) -> None:
        try:
            hold = begin_until(self._app, found.run, source, latest_end(found))
        except Expected as error:
            self._app.warn(f"{source}: {error}")
            return
        if hold is not None:
            self._owed.append(f"break {found.run} begins")
            change_hold(self._app, hold, "taken")
            self._say(f"{found.kind} break begins run={found.run}")

    def _release(self, hold: Hold, why: str) -> None:
        if end(self._app, hold.run) is None:
            return  # A cycle, or `break-end`, was quicker.
        self._owed.append(f"break {hold.run} ends")
        change_hold(self._app, hold, "released", why)
        self._say(f"break ends run={hold.run}")
        for pane in give_back(self._app, hold, self._app.configuration.settings.breaks.resume):
            self._say(f"resumed pane={pane}")

    def _wake(self) -> None:
        now_ms = self._app.effects.clock.monotonic_ms()
        if not self._owed and not (self._looks and self._looks.due_ms <= now_ms):
            return
        woken = self._wake_all(", ".join(self._owed) or LOOK)
        if self._looks:
            self._looks.note(woken, self._app.effects.clock.monotonic_ms(), self._app.unanswered)
        for one in woken:
            if not one.well:
                self._app.warn(f"{one.session.address}: {one.error}")
        unheard = not woken and self._app.unanswered
        if all(one.well for one in woken) and not unheard:
            self._owed.clear()
