"""The one line of ours in the person's tmux configuration."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

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


def read(path: Path, effects: Effects) -> bytes | None:
    try:
        return effects.files.read(path)
    except FileNotFoundError:
        return None


def replace(path: Path, content: bytes, effects: Effects) -> None:
    """Through a symbolic link, as keepers of dotfiles set them, and with the mode that it had.

    Without content the file goes.
    """
    target = Path(os.path.realpath(path))
    if not content:
        effects.files.remove(target)
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
    effects.files.write(target, content)
    target.chmod(mode)
