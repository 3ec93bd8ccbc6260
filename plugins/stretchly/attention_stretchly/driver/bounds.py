"""The longest time for which `attention break-run` pauses the agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..durations import at_most_ms
from ..values import Kind

if TYPE_CHECKING:
    from ..source import StretchlySettings


def longest_ms(settings: StretchlySettings, kind: Kind, config: bytes | None) -> int:
    """The longest pause for a break of this kind, in milliseconds.

    It is `at_most_s` if the person has set that. Otherwise it is the default of `at_most_s`, or the duration in Stretchly's
    `config.json` (its content is `config`) plus `slack_s`, whichever is longer: a person who has set longer breaks in
    Stretchly should not have to set them here too.
    """
    own_ms = round((settings.mini if kind is Kind.MINI else settings.long).at_most_s * 1000)
    if kind.value in settings.model_fields_set:
        return own_ms
    return max(own_ms, at_most_ms(config, kind, round(settings.slack_s * 1000), own_ms))
