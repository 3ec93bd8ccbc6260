"""Errors for the person: expected ones with an exit code, and the report of an unexpected one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Expected(Exception):
    """Something that the person can do something about.
    The message says what happened, to what, and what to do.
    """

    exit_code = 1
    """Of the command that it ends: 1, it could not be done."""


class WrongUsage(Expected):
    """The command or the settings make no sense."""

    exit_code = 2
    """2: wrong usage, or wrong settings."""


def describe_os_error(error: OSError) -> str:
    """What went wrong with which file, without the number."""
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else reason


def write_report(error: BaseException, arguments: Sequence[str]) -> Path | None:
    """Write what a bug report needs to a temporary file; None if even that fails."""
    import platform
    import sys
    import tempfile
    import traceback
    from pathlib import Path

    from . import __version__

    lines = [
        f"attention {__version__}, Python {platform.python_version()}, {platform.platform()}",
        f"command: {list(arguments)}",
        f"plugins loaded: {sorted(name for name in sys.modules if name.startswith('attention_') and '.' not in name)}",
        "",
        *traceback.format_exception(error),
    ]
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="attention-report-", suffix=".txt", delete=False, encoding="utf-8"
        ) as file:
            file.write("\n".join(lines))
            return Path(file.name)
    except OSError:
        return None
