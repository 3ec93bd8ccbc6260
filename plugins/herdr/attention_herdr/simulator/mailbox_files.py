"""Small JSON files, each replaced as one step (docs/reference/state-files.md)."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")
VERSION = 1
_TRIES = 50 if sys.platform == "win32" else 1
_PAUSE_S = 0.01


def write(path: Path, document: dict[str, Any]) -> None:
    """Under a temporary name in the same folder, then renamed."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex[:8]}.tmp")
    try:
        temporary.write_text(
            json.dumps({"v": VERSION, **document}, ensure_ascii=False) + "\n", encoding="utf-8"
        )
        _again(lambda: os.replace(temporary, path))
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def read(path: Path) -> dict[str, Any] | None:
    """None if it is not there. Raises ValueError if it is no document of a version that is known."""
    try:
        document = json.loads(_again(path.read_bytes))
    except FileNotFoundError:
        return None
    if not isinstance(document, dict) or document.get("v") != VERSION:
        raise ValueError(f"{path} is no document of version {VERSION}")
    return document


def rename(source: Path, target: Path) -> bool:
    """False if the source is not there."""
    try:
        _again(lambda: os.replace(source, target))
    except FileNotFoundError:
        return False
    return True


def move_if_free(source: Path, target: Path) -> bool:
    """Rename without replacing: False if something is at the target, which then stays as it is."""
    try:
        if sys.platform == "win32":
            os.rename(source, target)  # Refuses by itself there.
        else:
            os.link(source, target)
            source.unlink()
    except FileExistsError:
        return False
    return True


def remove(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        _again(path.unlink)


def _again(step: Callable[[], T]) -> T:
    """On Windows a file that somebody has open can be neither replaced nor removed for a moment."""
    for _ in range(_TRIES - 1):
        try:
            return step()
        except PermissionError:
            time.sleep(_PAUSE_S)
    return step()
