"""What this plugin announces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attention_framework import hookimpl

from .allowed import Allowed
from .exempt import Exempt
from .focused import Focused
from .holds import Holds
from .origin import Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attention_framework import Policy


@hookimpl
def attention_policies() -> Sequence[type[Policy]]:
    return [Holds, Allowed, Exempt, Origin, Focused]
