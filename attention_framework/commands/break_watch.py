"""`attention break-watch`: holds for the breaks that the selected break sources tell of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from ..app import App
    from ..break_watch.followers import Followers
    from ..break_watch.keeper import Keeper
    from ..kinds import BreakSource
    from ..stopping import Stop

ANSWERS_WITHIN_S = 0.25
"""A signal is noticed after so long, on systems where waiting is not interrupted by it."""
LOOKS_EVERY = 4
"""So many waits without a wake-up, then a look all the same: a watch may miss something."""


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "break-watch",
        help=summary,
        description="Pause every agent while one of the break sources of the settings (`breaks.sources`) tells of "
        "a break. Runs until it is interrupted, and then ends the breaks that it has begun.",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    from ..break_watch.followers import Followers
    from ..break_watch.keeper import Keeper
    from ..errors import Expected
    from ..stopping import stopped_by_signals

    sources = _sources(app)
    lock = app.effects.files.try_lock(app.state.break_watch_lock)
    if lock is None:
        raise Expected(f"another break-watch is running with the state folder {app.state.root}")
    try:
        print(f"following {', '.join(source.name for source in sources)}", flush=True)
        keeper = Keeper(app, sources, lambda line: print(line, flush=True))
        with stopped_by_signals() as stop:
            follow(keeper, Followers(sources, app.warn, app.effects.clock.wall_ms), stop)
    finally:
        lock.release()
    return 0


def follow(keeper: Keeper, followers: Followers, stop: Stop) -> None:
    """Look at every wake-up, and now and then without one. However it ends, nothing stays held."""
    followers.start()
    try:
        waits = 0
        while not stop.asked:
            if waits % LOOKS_EVERY == 0:
                keeper.try_reconcile()
            waits = 0 if followers.wait(ANSWERS_WITHIN_S) else waits + 1
    finally:
        followers.stop()
        keeper.release_all()


def _sources(app: App) -> list[BreakSource]:
    from ..errors import Expected, WrongUsage
    from ..loading import Kind

    configuration = app.configuration
    if not configuration.settings.breaks.sources:
        known = ", ".join(configuration.plugins.of_kind(Kind.BREAK_SOURCE)) or "none: no plugin announces one"
        raise WrongUsage(f"no break source is selected: set breaks.sources in the settings (known: {known})")
    sources = configuration.break_sources(app.context)
    if not sources:
        raise Expected("none of the selected break sources could be made")
    return sources
