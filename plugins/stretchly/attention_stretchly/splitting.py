"""From bytes in any portions to whole lines."""

from __future__ import annotations

from typing import Final

LONGEST: Final = 65_536
"""Bytes. Lines that matter have less than two hundred; a longer line than this one is left out."""


class LineSplitter:
    """Keeps the tail until its line end comes, and never more than `LONGEST` of it."""

    def __init__(self) -> None:
        self._half = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are whole now, without their newline."""
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
        """What stands without a line end, as a line: no more of it will come."""
        return self.feed(b"\n") if self._half or self._skipping else []

    def drop_half(self) -> None:
        """What has come of a line without its end is not wanted, nor is its rest."""
        if self._half:
            self.skip_line()

    def skip_line(self) -> None:
        """What comes next begins within a line: leave its rest out."""
        self._half, self._skipping = b"", True

    def _keep(self, rest: bytes) -> None:
        if self._skipping:
            return
        self._half += rest
        if len(self._half) > LONGEST:
            self.skip_line()
