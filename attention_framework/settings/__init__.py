"""The settings: `attention.toml` and the environment, checked against what the loaded plugins announce.

`document.py`, `environment.py` and `layers.py` read; `models.py`, `names.py` and
`schema.py` say what is allowed; `explain.py`, `locate.py` and `mistakes.py` say what is
wrong and where; `examine.py` puts them together, and `configuration.py` is what the rest
of the framework uses. Importing this costs a tenth of a second: do it inside functions.
"""

from __future__ import annotations

from .configuration import Configuration
from .environment import unknown_environment
from .examine import Examination, examine, load_configuration
from .mistakes import Mistake, SettingsError, dotted
from .models import AgentSettings, AttentionSettings
from .schema import build_model, json_schema

__all__ = [
    "AgentSettings",
    "AttentionSettings",
    "Configuration",
    "Examination",
    "Mistake",
    "SettingsError",
    "build_model",
    "dotted",
    "examine",
    "json_schema",
    "load_configuration",
    "unknown_environment",
]
