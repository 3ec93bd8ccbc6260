"""Makes whole lines of bytes that come in pieces of any size."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 65_536
"""Lines with more bytes than this are left out. The lines that matter have less than two hundred."""


class LineSplitter:
    """Keeps the beginning of a line until its end comes, and never more than `LONGEST` bytes."""

    def __init__(self) -> None:
        self._half = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """Add the next piece. Returns the lines that are complete now, without their newline."""
        first, *others = data.split(b"\n")
        if not others:
            self._keep(first)
            return []
        *whole, rest = others
        lines = whole if self._skipping else [self._half + first, *whole]
        self._half, self._skipping = b"", False
        self._keep(rest)
        return [line for line in lines if len(line) <= LONGEST]

    def flush(self) -> list[bytes]:
        """The last line if it has no line end: in a list, or an empty list. Call it when no more of this line will come."""
        return self.feed(b"\n") if self._half or self._skipping else []

    def drop_half(self) -> None:
        """If a line has begun and its end has not come, leave out the whole line."""
        if self._half:
            self.skip_line()

    def skip_line(self) -> None:
        """The next piece begins in the middle of a line: leave out everything up to the end of that line."""
        self._half, self._skipping = b"", True

    def _keep(self, rest: bytes) -> None:
        if self._skipping:
            return
        self._half += rest
        if len(self._half) > LONGEST:
            self.skip_line()
