"""What `attention setup settings` and `attention uninstall settings` do: the person's first settings file."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from .installing import Condition, InstallStep, OwnedFiles
from .loading import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from .context import StrategyContext
    from .kinds import Installer
    from .settings import Configuration

NAME = "settings"
FOLLOWED = {Kind.FOCUS_SOURCE: ("focus", "sources"), Kind.BREAK_SOURCE: ("breaks", "sources")}
"""Strategies that setup selects when it has found the program of the same name."""


class SettingsInstaller:
    """Writes a file where there is none, and anew while the person has not changed it. Selected is what was found,
    and what it had selected before: a program that cannot be found for a moment is not forgotten.

    :param others: the installers of the programs, by name.
    """

    name = NAME

    def __init__(
        self, configuration: Configuration, context: StrategyContext, others: Mapping[str, Installer]
    ) -> None:
        self._configuration = configuration
        self._others = others
        self._owned = OwnedFiles(context.state, context.effects.files)
        self.path: Path = configuration.place

    def found(self) -> str:
        return f"{self.path}, which is yours" if self._is_the_persons() else str(self.path)

    def plan(self, remove: bool) -> Sequence[InstallStep]:
        if remove:
            return self._removal()
        return [] if self._is_the_persons() else self._owned.plan_write(self.path, self._content())

    def advice(self, remove: bool) -> Sequence[str]:
        return [] if remove else list(self._advice())

    def _removal(self) -> list[InstallStep]:
        if self._owned.condition(self.path) is Condition.EDITED:
            leave = f"leave {self.path}, which you have edited"
            forget = partial(self._owned.forget, self.path)
            return [InstallStep(leave, forget, lambda left: left - {self.path})]
        return self._owned.plan_remove(self.path)

    def _advice(self) -> Iterator[str]:
        """Text to add where the file is not ours to change, and what a new one selects."""
        for kind, path in FOLLOWED.items():
            names = self._chosen(kind)
            key = ".".join(path)
            if not self._is_the_persons():
                yield f"{key} = {', '.join(names) or 'left at its default'}"
                continue
            selected = getattr(getattr(self._configuration.settings, path[0]), path[1])
            for name in (name for name in names if name not in selected):
                yield f'{name} was found and is not in {key}: to follow it, add "{name}" there in {self.path}'

    def _content(self) -> bytes:
        from .settings.starter import render

        chosen: dict[tuple[str, ...], Any] = {}
        for kind, path in FOLLOWED.items():
            if names := self._chosen(kind):
                chosen[path] = names
        return render(type(self._configuration.settings), chosen).encode()

    def _chosen(self, kind: Kind) -> list[str]:
        before = self._selected_before(FOLLOWED[kind])
        return [
            name
            for name in self._configuration.plugins.of_kind(kind)
            if name in before
            or name in self._found
            or (kind is Kind.FOCUS_SOURCE and name not in self._others)
        ]

    @cached_property
    def _found(self) -> frozenset[str]:
        return frozenset(name for name, other in self._others.items() if other.found() is not None)

    def _selected_before(self, path: tuple[str, str]) -> Sequence[str]:
        table = self._configuration.layers.document.values.get(path[0], {})
        return table.get(path[1], ()) if isinstance(table, dict) else ()

    def _is_the_persons(self) -> bool:
        return self._owned.condition(self.path) in (Condition.EDITED, Condition.FOREIGN)
