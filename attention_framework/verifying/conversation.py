"""The agent's own conversation log, as far as every agent writes it alike: JSON lines with a time."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .absence import Span


def answers(file: str | None) -> list[Span] | None:
    """When each answer of the model was asked for and written down. None: there is no such log.

    Only roles and times are looked at, no text.
    """
    if not file:
        return None
    try:
        lines = Path(file).read_bytes().splitlines()
    except OSError:
        return None
    return [span for line in lines if (span := _answer(line)) is not None]


def _answer(line: bytes) -> Span | None:
    try:
        entry = json.loads(line)
        message = entry["message"]
        if message["role"] != "assistant":
            return None
        written_ms = _ms(entry["timestamp"])
        return (min(_ms(message.get("timestamp", entry["timestamp"])), written_ms), written_ms)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return None


def _ms(value: Any) -> float:
    """Milliseconds since the epoch, of a number or of ISO 8601."""
    if isinstance(value, str):
        return datetime.fromisoformat(value).timestamp() * 1000
    return float(value)
