"""What can be proved afterwards: the agents' own work logs, the files in the state folder, the journal and Herdr's plugin log."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..manifest import PLUGIN_ID

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .cast import Actor
    from .stage import Stage

Span = tuple[float, float | None]
"""From and to in milliseconds since the epoch; no end: it goes on."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one agent did."""

    name: str
    visits: tuple[Span, ...]
    """When it had the focus."""
    calls: tuple[Span, ...]
    pauses: tuple[Span, ...]
    """When its pause was on its screen."""
    draft: str
    draft_wanted: str
    prompts: tuple[str, ...] = ()
    """What was submitted. Nobody submits anything here."""
    mailbox: tuple[str, ...] = ()
    """What is left in its mailbox at the end."""

    @property
    def focused(self) -> bool:
        return bool(self.visits) and self.visits[-1][1] is None

    @property
    def paused(self) -> bool:
        return bool(self.pauses) and self.pauses[-1][1] is None


@dataclass(frozen=True, slots=True)
class Evidence:
    agents: tuple[Work, ...]
    end_ms: float
    journal: tuple[dict[str, Any], ...] = ()
    failed_hooks: tuple[str, ...] = ()
    switches: int = 0
    stuck: str = ""
    seconds: float = field(default=0.0)


def collect(stage: Stage, stuck: str) -> Evidence:
    rows = stage.herdr.hook_log(PLUGIN_ID)
    return Evidence(
        agents=tuple(_work(stage.state, actor) for actor in stage.actors),
        end_ms=stage.began_ms + stage.elapsed_s() * 1000,
        journal=tuple(_lines(stage.state / "journal.jsonl")),
        failed_hooks=tuple(_failed(row) for row in rows if row["status"] == "failed"),
        switches=stage.switches,
        stuck=stuck,
        seconds=stage.elapsed_s(),
    )


def _work(state: Path, actor: Actor) -> Work:
    events = [(line["at_ms"], line["what"]) for line in _lines(actor.folder / "agent.jsonl")]
    steps = [(line["at_ms"], line["step"]) for line in _lines(actor.folder / "work.jsonl")]
    draft = actor.folder / "draft.txt"
    return Work(
        name=actor.name,
        visits=tuple(actor.visits),
        calls=tuple(spans(steps, "start", "end")),
        pauses=tuple(spans(events, "paused", "resumed")),
        draft=draft.read_bytes().decode() if draft.exists() else "",
        draft_wanted=actor.draft,
        prompts=tuple(line["text"] for line in _lines(actor.folder / "prompts.jsonl")),
        mailbox=tuple(_mailbox(state, actor)),
    )


def spans(events: list[tuple[float, str]], begins: str, ends: str) -> Iterator[Span]:
    """The times between a beginning and the next end. A beginning within such a time changes nothing."""
    began: float | None = None
    for at_ms, what in events:
        if what == begins and began is None:
            began = at_ms
        elif what == ends and began is not None:
            yield (began, at_ms)
            began = None
    if began is not None:
        yield (began, None)


def _mailbox(state: Path, actor: Actor) -> Iterator[str]:
    encoded = actor.inherited.replace(":", "%3A")
    for folder in state.glob(f"sessions/*/mailbox/{encoded}.*"):
        yield from sorted(file.name for file in folder.iterdir() if not file.name.startswith("."))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        content = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return
    for line in content.splitlines():
        yield json.loads(line)


def _failed(row: dict[str, Any]) -> str:
    said = str(row.get("stderr") or row.get("error") or "it said nothing").strip().splitlines()
    return f"{row.get('event', 'startup')}: {said[-1]}"
