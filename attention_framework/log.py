"""Logging with loguru, to `attention.log` in the state folder and, for warnings, to standard error.

The file is opened for every line: an open handle would keep it from being renamed on Windows. Loguru takes a tenth of a second to import, so it is
imported with the first message.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from .effects import Files

MAX_BYTES = 1_000_000
FORMAT = "{time:YYYY-MM-DD HH:mm:ss.SSS} {level: <7} {extra[name]}: {message}\n{exception}"


class Log:
    """Named loggers over one configuration."""

    def __init__(self, path: Path, files: Files, level: str = "INFO", errors_too: bool = True) -> None:
        self._path = path
        self._files = files
        self._level = level
        self._errors_too = errors_too

    def named(self, name: str) -> LazyLogger:
        return LazyLogger(self, name)

    @cache  # noqa: B019  (one per process)
    def logger(self, name: str) -> Any:
        return self._configured().bind(name=name)

    @cache  # noqa: B019
    def _configured(self) -> Any:
        from loguru import logger

        logger.remove()
        logger.configure(extra={"name": "attention"})
        logger.add(self._append, level=self._level, format=FORMAT)
        if self._errors_too and sys.stderr is not None:
            logger.add(sys.stderr, level="WARNING", format="attention: {extra[name]}: {message}", backtrace=False, diagnose=False)
        return logger

    def _append(self, message: str) -> None:
        if self._files.size(self._path) > MAX_BYTES:
            self._files.rename(self._path, self._path.with_name(f"{self._path.stem}.1{self._path.suffix}"))
        self._files.append(self._path, str(message).encode(errors="replace"))


class LazyLogger:
    """See `kinds.Logger`."""

    def __init__(self, log: Log, name: str) -> None:
        self._log = log
        self._name = name

    def debug(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._log.logger(self._name).debug(message, *args, **kwargs)

    def info(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._log.logger(self._name).info(message, *args, **kwargs)

    def warning(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._log.logger(self._name).warning(message, *args, **kwargs)

    def error(self, message: str, *args: Any, **kwargs: Any) -> None:
        self._log.logger(self._name).error(message, *args, **kwargs)
