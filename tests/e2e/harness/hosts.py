"""What the tests ask of a host, so that the same tests run on every one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class HostDriver(Protocol):
    """A host with a person before it. All moves of the focus are the person's, by keys in the host's own interface."""

    name: str
    plugin: str
    """The plugin that the settings enable for it."""

    def start(self, folder: Path, environment: Mapping[str, str]) -> None:
        """Start with one pane, a shell in it, and the person's client. Nothing outside of `folder` is touched."""
        ...

    def stop(self) -> None:
        """End what `start` started, and see it gone."""
        ...

    def environment(self) -> Mapping[str, str]:
        """By which a command outside of its panes finds this host."""
        ...

    def first_pane(self) -> str: ...

    def open(self) -> str:
        """Open one more pane with a shell, which gets the focus. Its id."""
        ...

    def close(self, pane: str) -> None:
        """End the pane and what runs in it."""
        ...

    def focus(self, pane: str) -> None:
        """By the person's keys; returns when the host says that it has the focus."""
        ...

    def press_focus(self, pane: str) -> None:
        """The same, without waiting for it."""
        ...

    def focused(self) -> str | None: ...

    def type(self, data: bytes) -> None:
        """What the person's terminal sends: it goes to the pane that has the focus."""
        ...

    def screen(self, pane: str) -> str: ...
