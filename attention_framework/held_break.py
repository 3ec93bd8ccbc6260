"""A break that a process holds for as long as it takes: what commands of plugins begin and end breaks by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .breaks import begin, end, give_back
from .errors import Expected, describe_os_error
from .runner import change_hold, wake_all

if TYPE_CHECKING:
    from .app import App
    from .model import Hold


def hold_break(app: App, run: str, source: str, lasts_ms: int) -> HeldBreak | None:
    """See `kinds.Application`."""
    app.require_sources()
    hold = begin(app, run, source, lasts_ms)
    if hold is None:
        return None
    held = HeldBreak(app, hold)
    try:
        change_hold(app, hold, "taken")
        held.wake(f"break {run} begins")
    except BaseException:
        app.holds.release(run)
        raise
    return held


class HeldBreak:
    """See `kinds.BreakHold`."""

    def __init__(self, app: App, hold: Hold) -> None:
        self._app = app
        self._hold = hold
        self.run = hold.run
        self._over = False

    @property
    def in_force(self) -> bool:
        app = self._app
        return app.effects.files.exists(app.state.hold(self.run)) and self._hold.in_force(
            app.effects.clock.wall_ms()
        )

    def let_go(self, resume: str | None = None, why: str = "") -> list[str]:
        if self._over:
            return []
        self._over = True
        # The hold goes first: everything else may fail.
        released = end(self._app, self.run, resume)
        if released is not None:
            change_hold(self._app, self._hold, "released", why)
        try:
            return self._give_back(released, resume)
        finally:
            self.wake(f"break {self.run} ends")

    def wake(self, trigger: str) -> None:
        """Every session. What goes wrong is reported: the next event of the session makes it right."""
        try:
            woken = wake_all(self._app, trigger)
        except OSError as error:
            self._app.warn(describe_os_error(error))
            return
        for one in woken:
            if not one.well:
                self._app.warn(f"{one.session.address}: {one.error}")

    def _give_back(self, released: Hold | None, resume: str | None) -> list[str]:
        """Also where a cycle has just found the hold past its deadline. Not where `break-end` was quicker: that
        has given back what it was told to.
        """
        if released is None and self._hold.in_force(self._app.effects.clock.wall_ms()):
            return []
        try:
            return give_back(self._app, self._hold, resume or self._app.configuration.settings.breaks.resume)
        except (OSError, Expected) as error:
            said = describe_os_error(error) if isinstance(error, OSError) else str(error)
            self._app.warn(f"nothing more was given back after the break {self.run}: {said}")
            return []
