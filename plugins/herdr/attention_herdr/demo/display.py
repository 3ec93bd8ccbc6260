"""Showing the stage live: a table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from .stage import Stage

KEPT = 14
"""Lines of the story that stay on the screen."""


class Display(Protocol):
    def say(self, sentence: str) -> None:
        """Tell what the person does."""
        ...

    def look(self) -> None:
        """Show what has changed."""
        ...


@contextlib.contextmanager
def display(stage: Stage) -> Iterator[Display]:
    if not sys.stdout.isatty():
        yield Story(stage)
        return
    from rich.live import Live

    table = Table(stage)
    with Live(get_renderable=table.render, refresh_per_second=10):
        yield table


class Story:
    """Lines with seconds, each when it happens."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._known: dict[str, bool] = {}

    def say(self, sentence: str) -> None:
        self._print(f"* {sentence}")

    def look(self) -> None:
        for actor in self._stage.actors:
            paused = self._stage.is_paused(actor)
            if self._known.get(actor.name, False) != paused:
                self._known[actor.name] = paused
                self._print(f"  {actor.name} {'pauses' if paused else 'runs'}")

    def _print(self, line: str) -> None:
        print(f"{self._stage.elapsed_s():5.1f} s  {line}", flush=True)


class Table(Story):
    """The panes as they are, and the last lines of the story under them."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._lines: list[str] = []

    def render(self) -> RenderableType:
        from rich import box
        from rich.console import Group
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable("pane", "agent", "you look here", "it", box=box.SIMPLE_HEAD)
        for actor in self._stage.actors:
            here = actor.visits and actor.visits[-1][1] is None
            paused = self._known.get(actor.name, False)
            state = Text("paused", "yellow") if paused else Text("runs", "green")
            table.add_row(actor.pane, actor.name, Text("<--", "bold cyan") if here else "", state)
        return Group(table, *(Text(line) for line in self._lines))

    def _print(self, line: str) -> None:
        self._lines = [*self._lines, f"{self._stage.elapsed_s():5.1f} s  {line}"][-KEPT:]
