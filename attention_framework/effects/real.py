"""The real world as one bundle."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .clock import RealClock
from .files import RealFiles
from .processes import RealProcesses
from .protocols import Effects
from .sockets import RealSockets

if TYPE_CHECKING:
    from .protocols import Files


def real_effects(files: Files | None = None) -> Effects:
    """:param files: instead of the real ones."""
    return Effects(files or RealFiles(), RealClock(), RealProcesses(), RealSockets(), os.environ)
