"""The settings file in memory: right, or broken."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from attention_framework.settings.mistakes import Mistake, SettingsError

from .ways import Ways

if TYPE_CHECKING:
    from attention_framework.effects import Files

FILE = Path("/config/attention-framework/attention.toml").absolute()
BROKEN = b"[reflex"


def written(ways: Ways) -> bytes:
    return json.dumps(asdict(ways)).encode()


@cache
def parsed(content: bytes) -> Ways:
    return Ways(**json.loads(content))


def read(files: Files) -> Ways:
    """Raises SettingsError."""
    try:
        return parsed(files.read(FILE))
    except ValueError as error:
        raise SettingsError([Mistake(str(FILE), "reflex", f"cannot be read: {error}")]) from error
