"""The names of a new plugin, all made from the one that the person gives."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..errors import WrongUsage
from ..loading.entry_points import OURS

ALLOWED: Final = "lower-case letters and digits, words joined by one - or _, a letter first: quiet-hours"
_FORM = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_LONGEST = 24
"""No line of the templates gets too long with it."""
_TAKEN = ("framework", *OURS)
"""`attention_framework` is the core; the others are this project's own distributions."""


class NotAName(WrongUsage):
    """A plugin cannot have this name. The message says which form it may have."""


@dataclass(frozen=True, slots=True)
class Names:
    """For `quiet-hours`: the strategy `quiet-hours`, the plugin `quiet_hours`,
    the package `attention_quiet_hours`, the distribution `attention-quiet-hours`, the class `QuietHours`.
    """

    strategy: str
    plugin: str
    package: str
    distribution: str
    cls: str


def names_of(name: str) -> Names:
    """Raises NotAName."""
    if not _FORM.fullmatch(name) or len(name) > _LONGEST:
        raise NotAName(
            f"a plugin cannot be called {name!r}. Allowed are {ALLOWED} (at most {_LONGEST} characters)"
        )
    words = re.split("[-_]", name)
    plugin = "_".join(words)
    if plugin in _TAKEN:
        raise NotAName(f"attention-{'-'.join(words)} is a distribution of this project. Choose another name")
    return Names(
        strategy="-".join(words),
        plugin=plugin,
        package=f"attention_{plugin}",
        distribution=f"attention-{'-'.join(words)}",
        cls="".join(word.capitalize() for word in words),
    )
