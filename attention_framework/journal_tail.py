"""Following the journal while others append to it, and across its rotation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .journal import parse_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from .effects import Files

HEAD = 256
"""The beginning of a file tells it from others: every entry has a time and an id in it."""
CHUNK = 256 * 1024


class Tail:
    """Gives each entry once, the oldest first. Keeps a place, never the content.

    A file is known by its beginning, because rotation changes its name. One that is gone before its end has
    been read is lost; what is there is read from the start then.
    """

    def __init__(self, files: Files, paths: Sequence[Path]) -> None:
        """:param paths: where the files are or will be, the newest first."""
        self._files = files
        self._paths = paths
        self._head = b""
        self._place = 0

    def new(self) -> Iterator[dict[str, Any]]:
        """What has come since the last call; at the first one, everything."""
        for path in reversed(self._paths[: self._known() + 1]):
            head = self._part(path, 0, HEAD)
            if not self._is_known(head):
                self._place = 0
            if head:  # Between two names of a rotation there is no file for a moment.
                self._head = head
                yield from self._rest(path)

    def _known(self) -> int:
        """Index of the file that was read last; of the oldest one if it is not there any more."""
        for index, path in enumerate(self._paths):
            if self._is_known(self._part(path, 0, HEAD)):
                return index
        return len(self._paths) - 1

    def _is_known(self, head: bytes) -> bool:
        """A file that is shorter than `HEAD` has grown meanwhile."""
        return bool(self._head) and head.startswith(self._head)

    def _rest(self, path: Path) -> Iterator[dict[str, Any]]:
        """Whole lines only: the last one may be half written. One longer than a chunk is no entry of ours."""
        while content := self._part(path, self._place, CHUNK):
            whole = content.rfind(b"\n") + 1
            if not whole and len(content) < CHUNK:
                return
            self._place += whole or len(content)
            yield from parse_lines(content[:whole])

    def _part(self, path: Path, start: int, most: int) -> bytes:
        try:
            return self._files.read_part(path, start, most)
        except FileNotFoundError:
            return b""
