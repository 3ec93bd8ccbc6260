"""Status files that are read only when they have changed, for a process that looks at all of them again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .documents import SUFFIX
from .hellos import read_hello

if TYPE_CHECKING:
    from ..effects import Effects, Stamp
    from ..model import Hello
    from .folder import SessionFolder

SETTLED_MS = 3_000
"""Two contents that follow each other so closely may have the same stamp: the time of a FAT file has steps of 2 s."""


class KnownHellos:
    """What was read before, by session and file. Safe to use from several threads: an entry speaks for its stamp alone."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._known: dict[str, dict[str, tuple[Stamp, Hello]]] = {}

    def look(self, folder: SessionFolder) -> HelloLook:
        """The status files as they are now."""
        # The time first: whatever is written after it has a later one.
        now_ms = self._effects.clock.wall_ms()
        stamps = self._effects.files.stamps(folder.agents)
        before = self._known.get(folder.key, {})
        known = {name: entry for name, entry in list(before.items()) if stamps.get(name + SUFFIX) == entry[0]}
        self._known[folder.key] = known
        return HelloLook(folder, self._effects, stamps, now_ms, known)


class HelloLook:
    """One look at the status files of a session. What is not known yet is read when it is asked for."""

    def __init__(
        self,
        folder: SessionFolder,
        effects: Effects,
        stamps: dict[str, Stamp],
        now_ms: int,
        known: dict[str, tuple[Stamp, Hello]],
    ) -> None:
        self._folder = folder
        self._effects = effects
        self._stamps = stamps
        self._now_ms = now_ms
        self._known = known

    @property
    def names(self) -> list[str]:
        """Sorted, without the suffix."""
        return sorted(name.removesuffix(SUFFIX) for name in self._stamps if name.endswith(SUFFIX))

    def hello(self, name: str) -> Hello | None:
        """None if the file is gone. Raises Broken."""
        known = self._known.get(name)
        if known is not None:
            return known[1]
        stamp = self._stamps.get(name + SUFFIX)
        if stamp is None:
            return None
        found = read_hello(self._folder, self._effects.files, name)
        if found is not None and self._now_ms - stamp.written_ms > SETTLED_MS:
            self._known[name] = (stamp, found)
        return found
