"""`attention serve`: the resident controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from ..app import App


def add_parser(subcommands: argparse._SubParsersAction[argparse.ArgumentParser], summary: str) -> None:
    parser = subcommands.add_parser(
        "serve",
        help=summary,
        description="Stay, and act on every change at once, in every session of every selected host. "
        "Runs until `attention stop`, or until it is interrupted. One for a state folder.",
    )
    parser.add_argument(
        "--detach", action="store_true", help="start it in the background, and return when it answers"
    )
    parser.add_argument(
        "--tcp",
        action="store_true",
        help="listen at a port of 127.0.0.1 instead of a Unix socket, as it always does on Windows",
    )
    parser.add_argument(
        "--revive",
        action="store_true",
        help="only if the one before has died: one that was stopped stays so (what hooks and agents say)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, app: App) -> int:
    if arguments.detach:
        return _detach(app, arguments.revive)
    from ..serve.detaching import FAILED
    from ..serve.resident import RunsAlready

    try:
        return _serve(app, tcp=True if arguments.tcp else None, revive=arguments.revive)
    except RunsAlready:
        raise
    except Exception as error:
        # Whoever has started us in the background reads it there.
        app.log.file_only("serve").error("{}{}", FAILED, error)
        raise


def _serve(app: App, tcp: bool | None, revive: bool) -> int:
    from ..client.resident import is_there
    from ..errors import Expected
    from ..serve.resident import Resident, RunsAlready, collect_seldom
    from ..state.locks import take_past_looks
    from ..stopping import stopped_by_signals

    lock = take_past_looks(app.effects, app.state.serve_lock)
    if lock is None:
        raise RunsAlready(f"a controller {_who(app)} with the state folder {app.state.root}")
    try:
        if revive and not is_there(app.state.root, app.effects):
            raise Expected("the one before has been stopped, and stays so")
        with stopped_by_signals() as stop:
            resident = Resident(app, tcp)
            collect_seldom()
            resident.run(stop, lambda: _ready(app, resident.address))
    finally:
        lock.release()
    return 0


def _ready(app: App, address: str) -> None:
    pid = app.effects.processes.own().pid
    app.log.file_only("serve").info("pid {} listens at {}", pid, address)
    print(f"serving: pid {pid}, listening at {address}", flush=True)


def _detach(app: App, revive: bool) -> int:
    from ..serve.client import NoServer, server_status
    from ..serve.detaching import start_detached

    try:
        print(f"runs already: pid {server_status(app.state, app.effects)['pid']}")
    except NoServer:
        app.require_sources()
        status = start_detached(app, ("--revive",) if revive else ())
        print(f"started: pid {status['pid']}, listening at {status['address']}")
    return 0


def _who(app: App) -> str:
    from ..serve.client import NoServer, server_status

    try:
        status: dict[str, Any] = server_status(app.state, app.effects)
    except NoServer:
        return "runs already"
    return f"runs already (pid {status['pid']})"
