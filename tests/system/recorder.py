"""Writes down what happens to an agent, so that it can be replayed through the real extension."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attention_framework.state.folder import StateFolder
    from attention_framework.testing import Memory

    from .player import Player

SAID = ("state", "by", "shown", "attended", "runs", "waived", "engagement", "problem", "reflex")

Contents = dict[str, str]


class Recorder:
    """One trace for each agent process: what it was given, step by step, and what could then be seen of it."""

    def __init__(self, memory: Memory, state: StateFolder) -> None:
        self.traces: list[dict[str, Any]] = []
        self._memory = memory
        self._state = state
        self._seen: dict[int, Contents] = {}

    def begin(self, player: Player) -> None:
        extension = player.extension
        self.traces.append({"pane": extension.pane, "pid": extension.pid, "steps": []})
        self._seen[extension.pid] = {}

    def before(self, player: Player) -> dict[str, str | None]:
        """What others have changed since its last step; None for a file that is gone."""
        player.told.clear()
        now, then = self._contents(player), self._seen[player.extension.pid]
        gone: dict[str, str | None] = {name: None for name in then if name not in now}
        return gone | {name: text for name, text in now.items() if then.get(name) != text}

    def after(self, player: Player, what: str, given: dict[str, str | None]) -> None:
        pid, clock = player.extension.pid, self._memory.clock
        now = self._seen[pid] = self._contents(player)
        trace = next(trace for trace in self.traces if trace["pid"] == pid)
        left = ["claim" if name.endswith(".claim") else name for name in now if name.startswith("box/")]
        trace["steps"].append(
            {
                "do": what,
                "at_ms": clock.monotonic_ms(),
                "wall_ms": clock.wall_ms(),
                "given": given,
                "said": self._said(player),
                "left": sorted(left),
                "told": list(player.told),
            }
        )

    def _said(self, player: Player) -> dict[str, Any]:
        document = json.loads(self._memory.disk.content[player.extension.status_file])
        said = {name: document[name] for name in SAID}
        problem = said["problem"]
        return {**said, "runs": sorted(said["runs"]), "problem": problem and problem["code"]}

    def _contents(self, player: Player) -> Contents:
        """The files that the agent reads: `box/…`, `holds/…`, `reflex.json`."""
        found: Contents = {}
        for path, content in self._memory.disk.content.items():
            if path.name.startswith("."):
                continue
            if path.parent == player.extension.mailbox:
                found[f"box/{path.name}"] = content.decode()
            elif path.parent == self._state.holds:
                found[f"holds/{path.name}"] = content.decode()
            elif path == self._state.root / "reflex.json":
                found["reflex.json"] = content.decode()
        return found
