"""The resident controller as seen from outside: whether it has died, and how it is started."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..model import ProcessIdentity
from ..state.documents import Broken, load, parsed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from ..effects import Effects

START: Final = ("serve", "--detach")
REVIVE: Final = (*START, "--revive")
STOP: Final = ("stop",)
LIMIT_S: Final = 30.0


def is_there(state: Path, effects: Effects) -> bool:
    """Whether it runs, or has ended without taking its address back."""
    return effects.files.exists(state / "serve.addr")


def has_died(state: Path, effects: Effects) -> bool:
    """Whether it has ended without taking its address back. One that was stopped is not missed."""
    if not is_there(state, effects):
        return False
    try:
        document = load(effects.files, state / "serve.json")
        return document is None or not effects.processes.alive(
            parsed(state / "serve.json", document, _process)
        )
    except Broken:
        return True  # A second one finds the lock of the first, and ends.


def revive(effects: Effects, command: Sequence[str]) -> None:
    """Start it, and wait for nothing. If it is stopped meanwhile, it does not start."""
    effects.processes.start_detached([*command, *REVIVE])


def start(effects: Effects, command: Sequence[str]) -> str:
    """Start it if it does not run. What went wrong, or nothing."""
    return _run(effects, [*command, *START])


def stop(effects: Effects, command: Sequence[str]) -> str:
    """What went wrong, or nothing."""
    return _run(effects, [*command, *STOP])


def _run(effects: Effects, command: Sequence[str]) -> str:
    try:
        done = effects.processes.run(command, timeout_s=LIMIT_S)
    except (OSError, TimeoutError) as error:
        return str(error)
    return "" if done.code == 0 else (done.errors or done.output).strip()


def _process(document: dict[str, Any]) -> ProcessIdentity:
    started = document.get("started") or {}
    ticks = started.get("ticks")
    return ProcessIdentity(
        int(document["pid"]), None if ticks is None else int(ticks), int(started.get("ms") or 0)
    )
