"""Events and the ring that keeps the last 512 of all kinds."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from typing import Any

RING = 512
DOTTED = ("pane.agent_status_changed", "pane.scroll_changed", "pane.output_matched")


@dataclass(frozen=True, slots=True)
class Event:
    """`name` as subscriptions and hooks spell it (`pane.focused`),
    `data` in the order of Herdr's structs, without `type`.
    """

    name: str
    data: dict[str, Any]

    @property
    def snake(self) -> str:
        return self.name.replace(".", "_")

    def envelope(self) -> dict[str, Any]:
        """As hooks and `events.wait` get it."""
        return {"event": self.snake, "data": {"type": self.snake, **self.data}}

    def streamed(self) -> dict[str, Any]:
        """As a subscription gets it: three kinds keep the dotted name and have no type."""
        return {"event": self.name, "data": self.data} if self.name in DOTTED else self.envelope()


class Hub:
    """A ring shared by all kinds. Overwriting is silent; the sequence numbers never appear on the wire."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ring: deque[tuple[int, Event]] = deque(maxlen=RING)
        self._last = 0

    def push(self, event: Event) -> None:
        with self._lock:
            self._last += 1
            self._ring.append((self._last, event))

    def now(self) -> int:
        with self._lock:
            return self._last

    def after(self, sequence: int, name: str, pane_id: str | None = None) -> tuple[int, Event] | None:
        """The oldest kept event of a kind after a sequence number."""
        with self._lock:
            for number, event in self._ring:
                if number > sequence and event.name == name and pane_id in (None, event.data.get("pane_id")):
                    return number, event
        return None

    def events(self) -> list[Event]:
        with self._lock:
            return [event for _, event in self._ring]
