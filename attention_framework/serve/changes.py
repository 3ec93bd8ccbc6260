"""What nobody tells of and is seen by looking now and then: the holds, the settings file, a jump of the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..state.documents import document_names

if TYPE_CHECKING:
    from pathlib import Path

    from ..app import App
    from ..effects import Clock, Files

JUMP_MS = 3_000.0
"""Two looks that should be half a second apart and are further apart than this: we were stopped."""


class HoldsWatch:
    """Notices holds that were taken, changed or ended by whomever, and deadlines."""

    def __init__(self, app: App) -> None:
        self._files = app.effects.files
        self._folder = app.state.holds
        self._seen = _contents(self._files, self._folder)
        self._next_ms = self._deadline(app)

    def look(self, app: App) -> str:
        """What has happened since the last look; empty if nothing has."""
        found = _contents(self._files, self._folder)
        changed, self._seen = found != self._seen, found
        over = self._next_ms is not None and app.effects.clock.wall_ms() >= self._next_ms
        if changed or over:
            self._next_ms = self._deadline(app)
        return "holds changed" if changed else "a hold is over" if over else ""

    def _deadline(self, app: App) -> int | None:
        now_ms = app.effects.clock.wall_ms()
        return min(
            (hold.deadline_ms for hold in app.holds.in_force(now_ms) if hold.deadline_ms is not None),
            default=None,
        )


def _contents(files: Files, folder: Path) -> dict[str, bytes]:
    """Small files, mostly none. A time of change would miss two changes in one tick of the disk's clock."""
    found = {}
    for name in document_names(files, folder):
        try:
            found[name] = files.read(folder / f"{name}.json")
        except OSError:  # It has just gone, or is somebody else's: that is a content too.
            found[name] = b""
    return found


class SettingsWatch:
    """Notices that the settings file is another one, is there or is gone."""

    def __init__(self, files: Files, path: Path) -> None:
        self._files = files
        self.path = path
        self._seen = self._content()

    def look(self) -> bool:
        """Whether it has changed since the last look."""
        found = self._content()
        changed, self._seen = found != self._seen, found
        return changed

    def _content(self) -> bytes | None:
        try:
            return self._files.read(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            return repr(error).encode()


class JumpWatch:
    """Notices that the machine was suspended, this process was stopped, or the clock was set."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall_ms, self._monotonic_ms = clock.wall_ms(), clock.monotonic_ms()

    def look(self) -> str:
        """What has happened since the last look; empty if nothing has."""
        wall_ms, monotonic_ms = self._clock.wall_ms(), self._clock.monotonic_ms()
        passed, by_the_wall = monotonic_ms - self._monotonic_ms, wall_ms - self._wall_ms
        self._wall_ms, self._monotonic_ms = wall_ms, monotonic_ms
        if passed > JUMP_MS:
            return f"stopped for {passed / 1000:.0f} s"
        if abs(by_the_wall - passed) > JUMP_MS:
            return f"the clock has jumped by {(by_the_wall - passed) / 1000:.0f} s"
        return ""
