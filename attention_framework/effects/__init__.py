"""What the framework does to the world, behind protocols, so that a simulation can run the same code."""

from __future__ import annotations

from .protocols import (
    Clock,
    Completed,
    Connection,
    Detached,
    Effects,
    Files,
    Listener,
    Lock,
    Processes,
    Running,
    Sockets,
    Stamp,
)
from .real import real_effects

__all__ = [
    "Clock",
    "Completed",
    "Connection",
    "Detached",
    "Effects",
    "Files",
    "Listener",
    "Lock",
    "Processes",
    "Running",
    "Sockets",
    "Stamp",
    "real_effects",
]
