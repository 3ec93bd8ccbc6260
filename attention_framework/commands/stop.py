"""`attention stop`: end the resident controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from ..app import App

ENDS_WITHIN_MS = 30_000.0
LISTENS_WITHIN_MS = 5_000.0
"""One that starts has the place a moment before it listens, and one that ends has it a moment longer."""
LOOK_EVERY_MS = 20.0


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "stop",
        help=summary,
        description="End the resident controller. Agents stay as they are; the breaks that it follows end.",
    )
    parser.set_defaults(run=run, looks=True)  # Where there is no state folder.


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..errors import Expected

    app.write_where_it_is()
    clock = app.effects.clock
    began_ms = clock.monotonic_ms()
    unheard = _ask(app)
    while not _is_over(app, clear=bool(unheard)):
        again = _ask(app)  # It may not have listened yet, or another one may have been on its way.
        unheard = unheard and again
        waited_ms = clock.monotonic_ms() - began_ms
        if unheard and waited_ms >= LISTENS_WITHIN_MS:
            raise Expected(f"the controller runs and does not answer ({unheard}): end its process by hand")
        if waited_ms >= ENDS_WITHIN_MS:
            raise Expected(f"the controller has not ended within {ENDS_WITHIN_MS / 1000:.0f} s")
        clock.sleep_ms(LOOK_EVERY_MS)
    print("no controller runs" if unheard else "stopped")
    return 0


def _ask(app: App) -> str:
    """It to stop. Why it has not heard, or nothing."""
    from ..serve.client import STATUS_WITHIN_S, NoServer, ask_server

    try:
        ask_server(app.state, app.effects, "stop", STATUS_WITHIN_S)
    except NoServer as error:
        return str(error)
    return ""


def _is_over(app: App, clear: bool = False) -> bool:
    """Its lock is free, as it is when its process is gone, however it went.

    :param clear: remove what one that was killed has left: hooks would start it again.
    """
    from ..serve.door import remove_left

    lock = app.effects.files.try_lock(app.state.serve_lock)
    if lock is None:
        return False
    try:
        if clear:
            remove_left(app.state, app.effects.files)
    finally:
        lock.release()
    return True
