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
WITH_LINE_END: Final = MARK + b", with the line end before it"
"""On our line where the line before had no end."""
WAS_EMPTY: Final = MARK + b". The file was there, and empty"
MARKS: Final = (MARK, WITH_LINE_END, WAS_EMPTY)


def candidates(environment: Mapping[str, str]) -> list[Path]:
    """Where tmux looks for the person's configuration, in its order."""
    home = Path(environment.get("HOME") or Path.home())
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    return list(
        dict.fromkeys([home / ".tmux.conf", config / "tmux/tmux.conf", home / ".config/tmux/tmux.conf"])
    )


def with_line(content: bytes | None, line: str) -> bytes:
    """The configuration (None if there is none) with our line last: a hook that is set
    without an index takes away what stood there before.
    """
    rest = without_line(content) if content is not None else None
    if rest is None:
        return line.encode() + MARK + b"\n"
    if not rest:
        return line.encode() + WAS_EMPTY + b"\n"
    if rest.endswith(b"\n"):
        return rest + line.encode() + MARK + b"\n"
    return rest + b"\n" + line.encode() + WITH_LINE_END + b"\n"


def without_line(content: bytes) -> bytes | None:
    """The configuration as it was before; None if there was none."""
    rows = content.splitlines(keepends=True)
    kept: list[bytes] = []
    marks = []
    for row in rows:
        mark = next((mark for mark in MARKS if row.rstrip(b"\r\n").endswith(mark)), None)
        if mark is None:
            kept.append(row)
            continue
        marks.append(mark)
        if mark == WITH_LINE_END and kept and row == rows[-1]:
            kept[-1] = kept[-1].removesuffix(b"\n")
    return b"".join(kept) if kept or WAS_EMPTY in marks or not marks else None


def has_line(content: bytes, line: str) -> bool:
    """Whether it is there, wherever: by our hand, or by the person's and without our mark."""
    return line.encode() in map(_without_mark, content.splitlines())


def _without_mark(row: bytes) -> bytes:
    row = row.strip()
    for mark in reversed(MARKS):  # The longer ones begin with the shortest.
        row = row.removesuffix(mark.strip())
    return row.rstrip()


def read(path: Path, effects: Effects) -> bytes | None:
    """None if it is not there. Raises InstallRefused for one that cannot be read."""
    try:
        return effects.files.read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InstallRefused(f"{path} cannot be read: {error.strerror or error}") from error


def replace(path: Path, content: bytes | None, effects: Effects) -> None:
    """Through a symbolic link, as keepers of dotfiles set them, and with the mode that it had.
    Without content (None) the file goes. Raises InstallRefused where it cannot be written, as in a store of dotfiles.
    """
    target = Path(os.path.realpath(path))
    try:
        _replace(target, content, effects)
    except OSError as error:
        why = error.strerror or str(error)
        raise InstallRefused(
            f"{target} cannot be written: {why}. Change it in the way that you usually do, then run this again."
        ) from error


def _replace(target: Path, content: bytes | None, effects: Effects) -> None:
    if content is None:
        effects.files.remove(target)
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o644
    effects.files.write(target, content)
    target.chmod(mode)
