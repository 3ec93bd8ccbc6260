"""The real world as one bundle."""

from __future__ import annotations

import os

from .clock import RealClock
from .files import RealFiles
from .processes import RealProcesses
from .protocols import Effects
from .sockets import RealSockets


def real_effects() -> Effects:
    return Effects(RealFiles(), RealClock(), RealProcesses(), RealSockets(), os.environ)
