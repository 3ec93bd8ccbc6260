"""Putting a new package into a folder of the person's.

Not through the effects: those make files for their owner alone, as the state folder needs them, and the
sources of a package are the person's own, with the modes that the person's other sources have.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from ..errors import Expected

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import PurePosixPath


class FolderExists(Expected):
    """Something is there already, and it is left as it is."""


def write_package(folder: Path, files: Mapping[PurePosixPath, str]) -> None:
    """Make the folder with these files, or nothing at all. Raises FolderExists, and OSError."""
    if folder.is_symlink() or folder.exists():
        raise FolderExists(f"{folder} is there already, and was not touched. Give another one with --folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = folder.with_name(f".{folder.name}.{uuid4().hex[:8]}.tmp")
    try:
        for path, text in files.items():
            file = unfinished / Path(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        unfinished.rename(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
