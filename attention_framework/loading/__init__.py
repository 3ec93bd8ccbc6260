"""Finding, loading and checking plugins.

`entry_points.py` finds what is installed, `load.py` brings in what the settings enable, `announced.py` looks
at what a plugin announces, and `plugins.py` is what the rest of the framework holds afterwards. A plugin that
is broken is described by its status, and stops nothing else.
"""

from __future__ import annotations

from .load import load_plugins
from .plugins import Plugins
from .status import Kind, PluginState, PluginStatus, Strategy

__all__ = ["Kind", "PluginState", "PluginStatus", "Plugins", "Strategy", "load_plugins"]
