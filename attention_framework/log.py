"""Logging with loguru, to `attention.log` in the state folder and, for warnings, to standard error.

The file is opened for every line: an open handle would keep it from being renamed on Windows. Loguru takes
a tenth of a second to import, so it is imported with the first message.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from .effects import Files

MAX_BYTES = 1_000_000
FORMAT = "{time:YYYY-MM-DD HH:mm:ss.SSS} {level: <7} {extra[name]}: {message}"
STDERR_FORMAT = "attention: {extra[name]}: {message}"


class Log:
    """Named loggers over one configuration."""

    def __init__(self, path: Path, files: Files, level: str = "INFO") -> None:
        self._path = path
        self._files = files
        self.level = level
        """The least severe messages that are written to the file; may be changed at any time."""

    def named(self, name: str) -> LazyLogger:
        """A logger for the file, and for standard error from warnings on."""
        return LazyLogger(self, name, to_stderr=True)

    def file_only(self, name: str) -> LazyLogger:
        """A logger for what the person has been told already."""
        return LazyLogger(self, name, to_stderr=False)

    @cached_property
    def logger(self) -> Any:
        from loguru import logger

        logger.remove()
        logger.configure(extra={"name": "attention", "to_stderr": False})
        logger.add(
            self._append,
            level=0,
            format=FORMAT,
            filter=lambda record: bool(record["level"].no >= logger.level(self.level).no),
        )
        if sys.stderr is not None:
            logger.add(
                sys.stderr,
                level="WARNING",
                format=STDERR_FORMAT,
                filter=lambda record: bool(record["extra"]["to_stderr"]),
            )
        return logger

    def _append(self, message: str) -> None:
        """A line that cannot be written is no reason to fail, nor to fill the screen."""
        with suppress(OSError):
            self._rotate()
        with suppress(OSError):
            self._files.append(self._path, str(message).encode(errors="replace"))

    def _rotate(self) -> None:
        if self._files.size(self._path) > MAX_BYTES:
            self._files.rename(self._path, self._path.with_name(f"{self._path.stem}.1{self._path.suffix}"))


class LazyLogger:
    """See `kinds.Logger`."""

    def __init__(self, log: Log, name: str, to_stderr: bool) -> None:
        self._log = log
        self._extra = {"name": name, "to_stderr": to_stderr}

    def debug(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._bound().debug(message, *args, **kwargs)

    def info(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._bound().info(message, *args, **kwargs)

    def warning(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._bound().warning(message, *args, **kwargs)

    def error(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._bound().error(message, *args, **kwargs)

    def _bound(self) -> Any:
        return self._log.logger.bind(**self._extra)
