"""What `attention setup tmux` and `attention uninstall tmux` do."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

from attention_framework import HostUnavailable, InstallRefused, InstallStep, OwnedFiles, ThinClient

from . import configuration, hooks, watching
from .client import split_address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from attention_framework import Context, Session, Step

    from .focus import TmuxFocus

OLDEST = (3, 2)
"""The first with client flags (`attach-session -f`) and `-N`."""

NO_REPORTS = (
    "focus-events is off, so that no agent brakes by itself when you leave it: "
    "to have it, add `set -s focus-events on` to your tmux configuration"
)


class TmuxInstaller:
    """Hooks in a file of ours, one line in the person's configuration, and the running servers told of it."""

    name = "tmux"

    def __init__(self, context: Context, focus: TmuxFocus) -> None:
        self._context = context
        self._effects = context.effects
        self.focus = focus
        self._client = focus.client
        self._owned = OwnedFiles(context.state, context.effects.files)
        self._thin = ThinClient(context)
        self.file: Path = context.state / "tmux.conf"

    @cached_property
    def content(self) -> bytes:
        """Made when it is asked for: finding out the command may start a process."""
        return hooks.render(self._context.command, self._thin)

    def found(self) -> str | None:
        version = self._client.version()
        return None if version is None else f"tmux {version}"

    def plan(self, remove: bool) -> Sequence[Step]:
        if remove:
            return self._plan_remove()
        self._refuse_old()
        self._refuse_unwritable()
        return [
            *self._thin.plan_write(),
            *self._owned.plan_write(self.file, self.content),
            *self._line_added(),
            *self._loads(),
        ]

    def _plan_remove(self) -> Sequence[Step]:
        """A file of ours that was edited stays, but nothing reads it any more."""
        others = [*self._unloads(), *self._lines_removed()]
        try:
            return [*others, *self._owned.plan_remove(self.file), *self._thin.plan_remove(self.file)]
        except InstallRefused:
            if not others:
                raise
            return [*others, InstallStep.leaving([self.file])]

    def advice(self, remove: bool) -> Sequence[str]:
        """The option is the person's: setup does not change it."""
        return [NO_REPORTS] if not remove and any(self._without_reports()) else []

    def reports_focus(self, session: Session) -> bool:
        """Whether its panes are told of the focus. Raises HostUnavailable."""
        said = self._client.run(split_address(session)[0], "show-options", "-sv", "focus-events")
        return said.strip() == "on"

    def _without_reports(self) -> Iterator[bool]:
        with suppress(HostUnavailable):  # The doctor tells of a server that gives no answer.
            yield from (not self.reports_focus(session) for session in self.focus.sessions())

    def has_loaded(self, session: Session) -> bool:
        return hooks.is_loaded(self._loaded(session), self.content)

    def _refuse_old(self) -> None:
        version = self._client.version()
        if version is None:
            raise InstallRefused(self._client.absence)
        if not supported(version):
            raise InstallRefused(
                f"tmux {version} is too old: {'.'.join(map(str, OLDEST))} or later is needed"
            )

    def _refuse_unwritable(self) -> None:
        """A line of tmux's configuration cannot name what holds a line end."""
        for word in (str(self.file), *self._context.command):
            if "\n" in word:
                raise InstallRefused(
                    f"tmux's configuration cannot name {word!r}, which holds a line end. Give a state folder, "
                    "settings and a Python without one (`--state`, `--config`)."
                )

    def _line_added(self) -> Iterator[InstallStep]:
        """Into the first configuration that is there: every tmux reads that one."""
        places = configuration.candidates(self._effects.environment)
        path = next((place for place in places if place.exists()), places[0])
        current = configuration.read(path, self._effects)
        wanted = configuration.with_line(current, hooks.source_line(self.file))
        if not configuration.has_line(current or b"", hooks.source_line(self.file)):
            yield InstallStep(
                f"add one line to {path}: {hooks.source_line(self.file)}",
                partial(configuration.replace, path, wanted, self._effects),
            )

    def _lines_removed(self) -> Iterator[InstallStep]:
        for path in configuration.candidates(self._effects.environment):
            current = configuration.read(path, self._effects)
            wanted = None if current is None else configuration.without_line(current)
            if wanted != current:
                yield InstallStep(
                    f"remove our line from {path}",
                    partial(configuration.replace, path, wanted, self._effects),
                )

    def _loads(self) -> Iterator[InstallStep]:
        for session in self._servers():
            if not self.has_loaded(session):
                socket = split_address(session)[0]
                yield InstallStep(
                    f"load the hooks into the running tmux server {socket}",
                    partial(self._client.run, socket, *hooks.load(self.file)),
                )

    def _unloads(self) -> Iterator[InstallStep]:
        for session in self._servers():
            if hooks.is_any_loaded(self._loaded(session)):
                socket = split_address(session)[0]
                yield InstallStep(
                    f"take the hooks out of the running tmux server {socket}",
                    partial(self._client.run, socket, *hooks.unload(), ";", *watching.unhook()),
                )

    def _servers(self) -> Sequence[Session]:
        try:
            return self.focus.sessions()
        except HostUnavailable as error:
            raise InstallRefused(f"{error}. Try again when it answers.") from error

    def _loaded(self, session: Session) -> str:
        try:
            return self._client.run(split_address(session)[0], *hooks.LOADED)
        except HostUnavailable:
            return "\n"


def supported(version: str) -> bool:
    """`next-3.5` and `3.3a` are versions too;
    a name without digits, such as `master`, is taken for a new one.
    """
    numbers = re.search(r"(\d+)\.(\d+)", version)
    return numbers is None or (int(numbers[1]), int(numbers[2])) >= OLDEST
