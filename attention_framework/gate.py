"""May the agent in this pane go on? Judged here where no resident controller answers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from .client import thin_gate
from .client.thin_client import Unanswered, raw
from .errors import Expected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .app import App
    from .seats import Seat

POLL_MS = 500.0


def wait_at(
    app: App,
    seats: Sequence[Seat],
    event: str,
    wait_s: float,
    outside: thin_gate.Outside = thin_gate.REAL,
) -> tuple[str, str]:
    """`run`, `unknown`, or `pause` when the time is over; and the reason. A controller that comes or goes meanwhile
    is asked, or done without.
    """
    clock = app.effects.clock
    end_ms = clock.monotonic_ms() + wait_s * 1000
    while True:
        answer, reason = _ask(app, seats, event, (end_ms - clock.monotonic_ms()) / 1000, outside)
        left_ms = end_ms - clock.monotonic_ms()
        if answer != "pause" or left_ms <= 0:
            return answer, reason
        clock.sleep_ms(min(POLL_MS, left_ms))


def _ask(
    app: App,
    seats: Sequence[Seat],
    event: str,
    wait_s: float,
    outside: thin_gate.Outside,
) -> tuple[str, str]:
    asked = [(raw(seat.session.host), raw(seat.session.address), raw(seat.pane)) for seat in seats]
    try:
        end = outside.monotonic() + wait_s
        return thin_gate.ask_all(str(app.state.root), asked, raw(event), end, outside)
    except Unanswered:
        answers = [_judge(app, seat) for seat in seats]
        return thin_gate.together(answers)
    except Expected as error:  # The state folder.
        return "unknown", str(error)


def _judge(app: App, seat: Seat) -> tuple[str, str]:
    """From one snapshot, as the resident controller would answer. What keeps us from judging, wrong settings too, is
    no reason to hold an agent up.
    """
    from .serve.asking import answer

    session = seat.session
    try:
        source = app.source_of(session)
        look = partial(app.controller.see, source, session)
        said = answer(app.controller, source, session, look, seat.pane, pid=None)
    except Expected as error:
        return "unknown", str(error)
    return said.word, said.reason
