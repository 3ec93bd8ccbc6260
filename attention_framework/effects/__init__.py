"""What the framework does to the world, behind protocols, so that a simulation can run the same code."""

from __future__ import annotations

from .protocols import (
    Clock,
    Completed,
    Connection,
    Effects,
    Files,
    Listener,
    Lock,
    Processes,
    Sockets,
)
from .real import real_effects

__all__ = [
    "Clock",
    "Completed",
    "Connection",
    "Effects",
    "Files",
    "Listener",
    "Lock",
    "Processes",
    "Sockets",
    "real_effects",
]
