"""What the agent writes down for tests: JSON lines with times
in milliseconds since the epoch, and the draft as it stands.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


class Record:
    """In the folder: `work.jsonl` {at_ms, call, step: start | end}, `agent.jsonl` {at_ms, what, …},
    `prompts.jsonl` {at_ms, text}, `draft.txt`. Without a folder nothing is written.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def work(self, call: int, step: str) -> None:
        self._append("work.jsonl", {"call": call, "step": step})

    def event(self, what: str, **more: Any) -> None:
        self._append("agent.jsonl", {"what": what, **more})

    def prompt(self, text: str) -> None:
        self._append("prompts.jsonl", {"text": text})

    def draft(self, text: str) -> None:
        if self._folder is None:
            return
        temporary = self._folder / ".draft.tmp"
        temporary.write_bytes(text.encode())
        for left in range(50, 0, -1):  # On Windows a reader may be in the way for a moment.
            try:
                os.replace(temporary, self._folder / "draft.txt")
                return
            except PermissionError:
                if left == 1:
                    raise
                time.sleep(0.01)

    def _append(self, name: str, entry: dict[str, Any]) -> None:
        """In one write, so that a reader sees whole lines."""
        if self._folder is None:
            return
        line = json.dumps({"at_ms": time.time_ns() / 1e6, **entry}, ensure_ascii=False) + "\n"
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self._folder / name, flags, 0o600)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)
