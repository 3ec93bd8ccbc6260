"""How long breaks last at most: from Stretchly's own settings, else from ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from .values import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS: Final = {Kind.MINI: ("microbreakDuration", 20_000), Kind.LONG: ("breakDuration", 300_000)}
"""The key in `config.json`, and what Stretchly takes where it is missing; milliseconds."""


def at_most_ms(config: bytes | None, kind: Kind, slack_ms: int, fallback_ms: int) -> int:
    """By Stretchly's `config.json`, with slack; `fallback_ms` where there is none, or one that makes no sense."""
    document = _parsed(config)
    if document is None:
        return fallback_ms
    key, usual = _KEYS[kind]
    value = document.get(key, usual)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 86_400_000:
        return fallback_ms
    return round(value) + slack_ms


def _parsed(config: bytes | None) -> Mapping[str, Any] | None:
    try:
        document = json.loads(config) if config is not None else None
    except (ValueError, RecursionError):  # Half written, perhaps.
        return None
    return document if isinstance(document, dict) else None
