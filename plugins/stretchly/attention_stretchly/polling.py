"""What the break sources of this plugin have in common: they look again and again whether a break is going on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from threading import Event

    from attention_framework import BreakSource

POLL_S: Final = 0.25
"""The time between two looks."""


def poll(source: BreakSource, wake: Callable[[str], None], stop: Event) -> None:
    """A `BreakSource.watch`: call `wake` when `current` answers with other breaks than before, begins to raise
    HostUnavailable, or ends doing so. Returns when `stop` is set.
    """
    before = _runs(source)
    while not stop.wait(POLL_S):
        now = _runs(source)
        if now != before:
            wake(source.name)
        before = now


def home(environment: Mapping[str, str]) -> str:
    """The user's home folder; empty if no variable names it."""
    return environment.get("HOME") or environment.get("USERPROFILE") or ""


def named_path(text: str, environment: Mapping[str, str]) -> Path:
    """The path that a person has written; `~/` at its beginning is replaced by the home folder."""
    return Path(home(environment) + text[1:] if text.startswith("~/") else text)


def _runs(source: BreakSource) -> list[str] | None:
    try:
        return [found.run for found in source.current()]
    except HostUnavailable:
        return None
