"""Running the command of a scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kinds import InstallRefused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..effects import Completed, Effects

TIMEOUT_S = 30.0


def ask(effects: Effects, command: Sequence[str]) -> Completed:
    """The answer, whatever the exit code. Raises InstallRefused where there is none."""
    try:
        return effects.processes.run(command, timeout_s=TIMEOUT_S)
    except FileNotFoundError as error:
        raise InstallRefused(
            f"there is no program {command[0]} on this system. Choose another scheduler."
        ) from error
    except OSError as error:  # TimeoutError is one of them.
        raise InstallRefused(f"`{' '.join(command)}` could not be run: {error}") from error


def demand(effects: Effects, command: Sequence[str], hint: str = "") -> str:
    """What it printed. Raises InstallRefused with its own words if it fails."""
    done = ask(effects, command)
    if done.code != 0:
        said = " ".join(f"{done.errors}\n{done.output}".split()) or f"exit code {done.code}"
        raise InstallRefused(f"`{' '.join(command)}` failed: {said}{f'. {hint}' if hint else ''}")
    return done.output
