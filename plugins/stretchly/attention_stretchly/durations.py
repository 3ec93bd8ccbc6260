"""The longest time that a break lasts, by Stretchly's own settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from .values import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS: Final = {Kind.MINI: ("microbreakDuration", 20_000), Kind.LONG: ("breakDuration", 300_000)}
"""The key in `config.json`, and Stretchly's default if the key is missing; in milliseconds."""


def at_most_ms(config: bytes | None, kind: Kind, slack_ms: int, fallback_ms: int) -> int:
    """The duration of such breaks in `config`, the content of Stretchly's `config.json`, plus `slack_ms`. It is `fallback_ms`
    if there is no such file (None), or its content makes no sense.
    """
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
    except (ValueError, RecursionError):  # For instance because Stretchly is just writing it.
        return None
    return document if isinstance(document, dict) else None
