"""`attention stop`: end the resident controller."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from ..app import App

ENDS_WITHIN_MS = 30_000.0
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
    from ..serve.client import STATUS_WITHIN_S, NoServer, ask_server

    app.write_where_it_is()
    try:
        ask_server(app.state, app.effects, "stop", STATUS_WITHIN_S)
    except NoServer as error:
        if _is_over(app, clear=True):
            print("no controller runs")
            return 0
        raise Expected(
            f"the controller runs and does not answer ({error}): end its process by hand"
        ) from error
    clock = app.effects.clock
    end_ms = clock.monotonic_ms() + ENDS_WITHIN_MS
    while not _is_over(app):
        with suppress(NoServer):  # Another one may have been on its way.
            ask_server(app.state, app.effects, "stop", STATUS_WITHIN_S)
        if clock.monotonic_ms() >= end_ms:
            raise Expected(f"the controller has not ended within {ENDS_WITHIN_MS / 1000:.0f} s")
        clock.sleep_ms(LOOK_EVERY_MS)
    print("stopped")
    return 0


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
