"""What the break sources of this plugin share: they look again and again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import HostUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from threading import Event

    from attention_framework import BreakSource

POLL_S: Final = 0.25


def poll(source: BreakSource, wake: Callable[[str], None], stop: Event) -> None:
    """Wake when other breaks go on than before, or whether there is an answer has changed."""
    before = _runs(source)
    while not stop.wait(POLL_S):
        now = _runs(source)
        if now != before:
            wake(source.name)
        before = now


def home(environment: Mapping[str, str]) -> str:
    return environment.get("HOME") or environment.get("USERPROFILE") or ""


def named_path(text: str, environment: Mapping[str, str]) -> Path:
    """A path as a person writes it, `~/` for the home folder."""
    return Path(home(environment) + text[1:] if text.startswith("~/") else text)


def _runs(source: BreakSource) -> list[str] | None:
    try:
        return [found.run for found in source.current()]
    except HostUnavailable:
        return None
