"""The further tries that a cycle that failed is owed, where no controller is resident.

A host may be slow for a moment, and the wake-up that met it may be the last one for hours: its marker waits for a cycle
that nobody would begin. So its process stays for a few more tries, outside the lock of the cycle. Of several such
processes one tries at a time, and all are done when no marker waits any more, whoever has covered it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .bounded import give_another_chance
from .runner import Woken, cycle_for
from .state.names import session_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from .app import App
    from .model import Session

TRIGGER = "retry"
WAITS_MS: Final = (500.0, 1_000.0, 2_000.0)
"""Before each further try: short at first, as for the resident controller, and few, since a host runs few hooks at once."""


def try_again(app: App, woken: Woken, tell: Callable[[Woken], None]) -> Woken:
    """Have another cycle for as long as the last one has failed, a few times. What became of the last one.

    A session that its host no longer knows of needs none.

    :param tell: is given every further one.
    """
    folder, files = app.state.session(woken.session), app.effects.files
    for wait_ms in WAITS_MS:
        if woken.report is None or not woken.report.failed:
            break
        give_another_chance(app.configuration.call)  # A try that asked nobody would be none.
        app.effects.clock.sleep_ms(wait_ms)
        if not files.names(folder.wake):  # Another process's cycle has covered it.
            return Woken(woken.session, None)
        trier = files.try_lock(folder.waiter)
        if trier is None:
            continue
        try:
            if _is_over(app, woken.session):
                break
            woken = cycle_for(app, woken.session, lambda: [TRIGGER], lambda _: True)
        finally:
            trier.release()
        tell(woken)
    return woken


def _is_over(app: App, session: Session) -> bool:
    """Not of one whose host does not answer: that is why it is tried again."""
    listed = app.sessions_of(app.source_of(session))
    return listed is not None and session_key(session) not in map(session_key, listed)
