"""The `herdr` command."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable

if TYPE_CHECKING:
    from attention_framework import Effects

NAME: Final = "herdr"
OWN_PATH: Final = "HERDR_BIN_PATH"
"""Set by Herdr for its hooks: the binary that runs."""
TIMEOUT_S: Final = 10.0
"""The command itself waits for the server without a limit."""


class HerdrProgram:
    def __init__(self, effects: Effects) -> None:
        self._effects = effects

    def path(self) -> str | None:
        """Of the command; None if it is not there."""
        environment = self._effects.environment
        return shutil.which(NAME, path=environment.get("PATH")) or environment.get(OWN_PATH)

    def version(self) -> str | None:
        """`0.8.2`, from `herdr 0.8.2`; None if it cannot be told."""
        try:
            return self.run("--version").strip().removeprefix(NAME).strip() or None
        except HostUnavailable:
            return None

    def run(self, *words: str) -> str:
        """What the command wrote. Raises HostUnavailable if it is not there, hangs or fails."""
        path, called = self.path(), f"`herdr {' '.join(words)}`"
        if path is None:
            raise HostUnavailable(f"{called}: there is no herdr on the PATH, and no running Herdr answers")
        try:
            done = self._effects.processes.run([path, *words], timeout_s=TIMEOUT_S)
        except (OSError, TimeoutError) as error:
            raise HostUnavailable(f"{called}: {error}") from error
        if done.code != 0:
            raise HostUnavailable(
                f"{called} failed with exit code {done.code}: {(done.errors or done.output).strip()}"
            )
        return done.output
