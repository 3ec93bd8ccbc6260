"""How long the agents are held at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..durations import at_most_ms
from ..values import Kind

if TYPE_CHECKING:
    from ..source import StretchlySettings


def longest_ms(settings: StretchlySettings, kind: Kind, config: bytes | None) -> int:
    """What the person has set. Where nothing is set, no break is cut short because Stretchly has been told to
    show longer ones: then the longer of our default and the duration in its `config.json`, with slack.
    """
    own_ms = round((settings.mini if kind is Kind.MINI else settings.long).at_most_s * 1000)
    if kind.value in settings.model_fields_set:
        return own_ms
    return max(own_ms, at_most_ms(config, kind, round(settings.slack_s * 1000), own_ms))
