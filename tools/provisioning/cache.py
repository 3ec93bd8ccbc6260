"""The cache folder, outside the checkout, and how something gets into it whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .locking import locked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def cache_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """`$ATTENTION_CACHE`, else the platform's own place for caches."""
    if chosen := environ.get("ATTENTION_CACHE"):
        return Path(chosen).absolute()
    if base := environ.get("XDG_CACHE_HOME"):
        return Path(base) / "attention-framework"
    if platform == "win32" and (base := environ.get("LOCALAPPDATA")):
        return Path(base) / "attention-framework" / "Cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "attention-framework"
    return Path.home() / ".cache" / "attention-framework"


def named_by_content(name: str, *parts: str) -> str:
    """A folder name that changes with what is to be in it, so that a new pin never meets an old install."""
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f"{name}-{digest[:8]}"


def install_once(target: Path, build: Callable[[Path], None]) -> Path:
    """Let `build` fill a scratch folder and rename it to `target`; nothing is done where `target` is.

    A run that is killed leaves only the scratch folder, which the next one removes; two runs at once take turns.
    """
    if target.is_dir():
        return target
    with locked(target.parent / f"{target.name}.lock", waiting_for=f"it installs {target.name}"):
        if not target.is_dir():
            for left_over in target.parent.glob(f"{target.name}.partial-*"):
                shutil.rmtree(left_over, ignore_errors=True)
            # A name of its own: the package manager of a killed run may still be writing into the other one.
            scratch = target.parent / f"{target.name}.partial-{os.getpid()}"
            scratch.mkdir()
            started = time.monotonic()
            say(f"installing {target.name} into {target.parent}")
            build(scratch)
            scratch.rename(target)
            say(f"installed {target.name} in {time.monotonic() - started:.0f} s")
    return target


def say(text: str) -> None:
    """Progress goes to stderr: stdout is for the result that a program may read."""
    print(f"provision: {text}", file=sys.stderr, flush=True)
