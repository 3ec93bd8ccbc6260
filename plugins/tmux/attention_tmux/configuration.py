"""The one line of ours in the person's tmux configuration."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attention_framework import InstallRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attention_framework import Effects

MARK: Final = b"  # attention_framework: by `attention setup tmux`, taken back by `attention uninstall tmux`"


def candidates(environment: Mapping[str, str]) -> list[Path]:
    """Where tmux looks for the person's configuration, in its order."""
    home = Path(environment.get("HOME") or Path.home())
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return list(
        dict.fromkeys([home / ".tmux.conf", config / "tmux/tmux.conf", home / ".config/tmux/tmux.conf"])
    )


def with_line(content: bytes, line: str) -> bytes:
    """The configuration with our line last: a hook that is set
    without an index takes away what stood there before.
    """
    rest = without_line(content)
    if rest and not rest.endswith(b"\n"):
        rest += b"\n"
    return rest + line.encode() + MARK + b"\n"


def without_line(content: bytes) -> bytes:
    return b"".join(
        row for row in content.splitlines(keepends=True) if not row.rstrip(b"\r\n").endswith(MARK)
    )


def has_line(content: bytes, line: str) -> bool:
    """Whether it is there, wherever: by our hand, or by the person's and without our mark."""
    rows = (row.strip().removesuffix(MARK.strip()).rstrip() for row in content.splitlines())
    return line.encode() in rows


def read(path: Path, effects: Effects) -> bytes | None:
    """None if it is not there. Raises InstallRefused for one that cannot be read."""
    try:
        return effects.files.read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InstallRefused(f"{path} cannot be read: {error.strerror or error}") from error


def replace(path: Path, content: bytes, effects: Effects) -> None:
    """Through a symbolic link, as keepers of dotfiles set them, and with the mode that it had.
    Without content the file goes. Raises InstallRefused where it cannot be written, as in a store of dotfiles.
    """
    target = Path(os.path.realpath(path))
    try:
        _replace(target, content, effects)
    except OSError as error:
        why = error.strerror or str(error)
        raise InstallRefused(
            f"{target} cannot be written: {why}. Change it in the way that you usually do, then run this again."
        ) from error


def _replace(target: Path, content: bytes, effects: Effects) -> None:
    if not content:
        effects.files.remove(target)
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
    effects.files.write(target, content)
    target.chmod(mode)
