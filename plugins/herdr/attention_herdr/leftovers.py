"""What Herdr makes when a plugin is linked, and leaves when it is unlinked: two folders of the plugin's own with those
above them, and its list of plugins (read in Herdr's `plugin_paths.rs` and `persist/plugin_registry.rs`).

Nothing of ours lies in them. So they go again, as far as they were not there before and nothing else has come into them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .addresses import FOLDERS, config_folder, state_folder

if TYPE_CHECKING:
    from attention_framework import Effects, Lock

NOTE: Final = "before.json"
"""Beside the manifest: `{v, absent: [path]}`, what was not there before the plugin was linked."""
LIST: Final = "plugins.json"
LOCK: Final = ".plugins.lock"
"""Herdr holds it, as a lock of the system's on a file, while it reads or writes its list."""
LOOKS, PAUSE_MS = 20, 25.0


class Leftovers:
    def __init__(self, folder: Path, plugin_id: str, effects: Effects) -> None:
        self._note = folder / NOTE
        self._effects = effects
        self._files = effects.files
        configs, states = (
            _herdrs(config_folder(effects.environment)),
            _herdrs(state_folder(effects.environment)),
        )
        self._own = [path / "plugins/config" / plugin_id for path in configs]
        self._own += [path / "plugins" / plugin_id for path in states]
        self._lists = [path / LIST for path in configs]

    def note_before(self) -> None:
        """Before linking. What is known already was noted before a link that failed, and is nearer to the truth."""
        if self._files.exists(self._note):
            return
        places = [place for folder in self._own for place in (folder, *folder.parents)] + self._lists
        absent = sorted({str(place) for place in places if not self._files.exists(place)})
        self._files.write(self._note, json.dumps({"v": 1, "absent": absent}, indent=1).encode())

    def there(self) -> bool:
        """Whether there may be something to take away."""
        absent = self._absent()
        lists = [path for path in self._lists if str(path) in absent]
        return any(map(self._files.exists, (*self._own, *lists)))

    def remove(self) -> None:
        """After unlinking."""
        absent = self._absent()
        for path in self._lists:
            if str(path) in absent:
                self._remove_empty(path)
        for own in self._own:
            for folder in (own, *own.parents):  # The innermost first.
                if folder == own or str(folder) in absent:
                    self._files.remove_folder(folder)
        self._files.remove(self._note)

    def _absent(self) -> frozenset[str]:
        """Nothing where it was not noted: then only what bears our name goes."""
        try:
            return frozenset(map(str, json.loads(self._files.read(self._note))["absent"]))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return frozenset()

    def _remove_empty(self, path: Path) -> None:
        """A list without plugins, which Herdr takes for the same as none."""
        lock = self._lock(path.with_name(LOCK)) if self._files.exists(path) else None
        if lock is None:
            return
        try:
            if json.loads(self._files.read(path)) == []:
                self._files.remove(path)
        except (ValueError, RecursionError):  # Herdr says what is wrong with it.
            return
        finally:
            lock.release()

    def _lock(self, path: Path) -> Lock | None:
        for _ in range(LOOKS):
            if lock := self._files.try_lock(path):
                return lock
            self._effects.clock.sleep_ms(PAUSE_MS)
        return None


def _herdrs(base: str | None) -> list[Path]:
    return [Path(base) / name for name in FOLDERS] if base else []
