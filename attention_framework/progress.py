"""One line on the terminal while something takes longer than a second, gone when it is done."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

AFTER_S: Final = 1.0
ERASE: Final = "\r\x1b[K"


@contextmanager
def progress(
    text: str, *, quiet: bool = False, after_s: float = AFTER_S, stream: TextIO | None = None
) -> Iterator[None]:
    """Say on standard error what is going on, where that is a terminal. What is printed meanwhile calls `make_way` first.

    :param quiet: a program reads the output.
    """
    stream = sys.stderr if stream is None else stream
    if quiet or not stream.isatty():
        yield
        return
    line = _Line(text, stream)
    _lines.append(line)
    timer = threading.Timer(after_s, line.show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        line.erase()
        _lines.remove(line)
        timer.join()


def make_way() -> None:
    """For what is printed all the same: the line is not shown again."""
    for line in _lines:
        line.erase()


class _Line:
    """The timer may fire while the work ends: what is over is not shown any more."""

    def __init__(self, text: str, stream: TextIO) -> None:
        self._text = text
        self._stream = stream
        self._lock = threading.Lock()
        self._shown = self._over = False

    def show(self) -> None:
        with self._lock:
            if not self._over:
                self._shown = self._write(f"{self._text} ...")

    def erase(self) -> None:
        with self._lock:
            self._over = True
            if self._shown:
                self._write(ERASE)
                self._shown = False

    def _write(self, text: str) -> bool:
        with suppress(OSError):  # A terminal that has gone.
            self._stream.write(text)
            self._stream.flush()
        return True


_lines: list[_Line] = []
