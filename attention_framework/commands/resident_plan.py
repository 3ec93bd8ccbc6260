"""What `setup` and `uninstall` do to the resident controller: announced with the rest of the plan, done after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .controller import NONE, controller_status, in_a_line, silent

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from ..app import App


def runs_old_code(app: App) -> bool:
    """Whether a controller answers that was started before an upgrade."""
    status = controller_status(app)
    return status is not None and status.is_outdated


def announce_start(app: App) -> None:
    status = controller_status(app)
    print(in_a_line(status, "" if status else silent(app) or NONE))
    if status is None:
        print("  will start the resident controller")
    elif status.is_outdated:
        print(f"  will start the resident controller anew: it is of version {status.version}")
    else:
        print("  nothing to do")


def start(app: App) -> None:
    """Hosts start the resident controller when they start, and they are running now. Everything works without it, more slowly.
    One of before an upgrade makes room.
    """
    from ..client import resident

    status = controller_status(app)
    if status is not None and not status.is_outdated:
        return
    print("start the resident controller ... ", end="", flush=True)
    problem = resident.stop(app.effects, app.context.command) if status else ""
    problem = problem or resident.start(app.effects, app.context.command)
    print("done" if not problem else "failed")
    if problem:
        app.warn(f"the resident controller could not be started: {problem}")


def announce_stop(app: App, left: Collection[Path]) -> bool:
    """Whether none runs any more once `stop` has been called with these files of setup's left."""
    if not _is_unwanted(app, left):
        return False
    status = controller_status(app)
    killed = f"{app.state.serve_address} is of one that was killed"
    print(in_a_line(status, "" if status else silent(app) or killed))
    print("  will stop the resident controller")
    return status is not None


def stop(app: App) -> None:
    from ..client import resident
    from ..installing import OwnedFiles

    if not _is_unwanted(app, OwnedFiles(app.state.root, app.effects.files).left()):
        return
    print("stop the resident controller ... ", end="", flush=True)
    problem = resident.stop(app.effects, app.context.command)
    print("done" if not problem else f"failed: {problem}")


def _is_unwanted(app: App, left: Collection[Path]) -> bool:
    """Once nothing of setup's is left, nobody wants it any more."""
    from ..client import resident

    return not left and resident.is_there(app.state.root, app.effects)
