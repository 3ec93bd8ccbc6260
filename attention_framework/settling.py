"""The second look that an absence which was too short yet is owed, where no controller is resident.

The process that is told of it waits outside the lock of the cycle, one at a time for a session: `focus.json`
says when the next look is due, whoever ran the last cycle. A process that finds another one waiting may go:
what it has found is in the file by then, and the one that waits looks there once more after it has let go.
One that is killed while it waits leaves the look to the next wake-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .runner import Woken, wake
from .state.memory import load_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from .app import App
    from .model import Session

TRIGGER = "settled"


def look_again(app: App, woken: Woken, tell: Callable[[Woken], None]) -> Woken:
    """Wait and have another cycle for as long as one is due. What became of the last one.

    One that another process has covered is given back as it was: there is nothing newer to tell.

    :param tell: is given every further one.
    """
    folder = app.state.session(woken.session)
    due_ms = _due_ms(app, woken)
    while due_ms is not None:
        waiter = app.effects.files.try_lock(folder.waiter)
        if waiter is None:
            break
        try:
            while due_ms is not None:
                app.effects.clock.sleep_ms(due_ms)
                last = wake(app, woken.session, TRIGGER)
                tell(last)
                due_ms = _due_ms(app, last)
                woken = last if last.report or last.error else woken
        finally:
            waiter.release()
        due_ms = _left_ms(app, woken.session)
    return woken


def _due_ms(app: App, woken: Woken) -> float | None:
    """As our own cycle says, or as another process's has written down: it may have found us at a further try."""
    own_ms = woken.report.again_ms if woken.report else None
    return _left_ms(app, woken.session) if own_ms is None else own_ms


def _left_ms(app: App, session: Session) -> float | None:
    memory = load_memory(app.state.session(session), app.effects.files, app.warn)
    if memory is None or memory.again_at_ms is None:
        return None
    # A time that is past was for a look that has been taken, or that failed: it is not owed twice.
    left_ms = memory.again_at_ms - app.effects.clock.wall_ms()
    return left_ms if left_ms > 0 else None
