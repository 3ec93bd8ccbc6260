"""The thin client in the state folder: one for the hooks of all hosts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..installing import InstallStep, OwnedFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..kinds import Context

CLIENT: Final = "thin_client.py"
GATE: Final = "thin_gate.py"


class ThinClient:
    """For installers whose hooks wake the controller. Constructed with the installer's context."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._files = context.effects.files
        self._owned = OwnedFiles(context.state, context.effects.files)
        self.path: Path = context.state / CLIENT
        """Of the client, in the state folder."""
        self.gate: Path = context.state / GATE
        """Of its companion for the hooks of agents, beside it."""

    def hook(self, fields: Sequence[str], one_shot: Sequence[str]) -> tuple[str, ...]:
        """The words of a hook that wakes the controller, and becomes `one_shot` (an `attention reconcile …` with its
        interpreter) when none answers. `fields` are `host=…`, `address=…` or `address-from=…`, `trigger=…`.
        """
        return (self._context.command[0], "-I", "-S", str(self.path), *fields, "--", *one_shot)

    def plan_write(self) -> list[InstallStep]:
        """The step that puts it in place; none if it is there. Raises InstallRefused for files that are not ours."""
        steps = [
            step
            for path in (self.path, self.gate)
            for step in self._owned.plan_write(path, source(path.name))
        ]
        describe = f"write {self.path} and {self.gate.name}"
        return [InstallStep.together(describe, steps)] if steps else []

    def plan_remove(self, user: Path) -> list[InstallStep]:
        """The steps that remove it, for an installer whose file `user` goes before. It stays as long as another file
        of ours names it. Raises InstallRefused if it was edited.
        """
        removal = [step for path in (self.path, self.gate) for step in self._owned.plan_remove(path)]
        written = self._owned.written()
        if not removal or (self._users(written) and user not in written):
            return []
        step = InstallStep.together(
            f"remove {self.path} and {self.gate.name}, if no other hook runs it", removal
        )

        def carry_out() -> None:
            if not self._users(self._owned.written()):
                step.carry_out()

        return [
            InstallStep(
                step.describe, carry_out, lambda left: left if self._users(left) else step.after(left)
            )
        ]

    def _users(self, written: Iterable[Path]) -> list[Path]:
        """Those of these files that run it. Its name needs no quoting in any of their languages."""
        others = (path for path in written if path not in (self.path, self.gate))
        return [path for path in others if CLIENT.encode() in self._content(path)]

    def _content(self, path: Path) -> bytes:
        try:
            return self._files.read(path)
        except OSError:
            return b""


def source(name: str) -> bytes:
    """The file as it stands in this package."""
    return (Path(__file__).parent / name).read_bytes()
