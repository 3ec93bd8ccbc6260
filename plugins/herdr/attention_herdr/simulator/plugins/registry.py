"""The linked plugins: `plugins.json` in the config folder, shared by all sessions of the user (the form of its files
and folders was read in Herdr's `persist/plugin_registry.rs` and `plugin_paths.rs`).
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import ApiError
from . import manifest

if TYPE_CHECKING:
    from pathlib import Path

    from .manifest import Command, Manifest

LOCAL = {"kind": "local"}


@dataclass(frozen=True, slots=True)
class Plugin:
    manifest: Manifest
    enabled: bool
    source: dict[str, Any] = field(default_factory=lambda: dict(LOCAL))

    @property
    def id(self) -> str:
        return self.manifest.id

    def shape(self) -> dict[str, Any]:
        return self.manifest.shape(enabled=self.enabled, source=self.source)

    def hooks(self, event: str) -> list[Command]:
        return [command for command in self.manifest.events if command.key == event and command.here]

    def startup(self) -> list[Command]:
        return [command for command in self.manifest.startup if command.here]

    def action(self, action_id: str) -> Command | None:
        return next((command for command in self.manifest.actions if command.key == action_id), None)


class Registry:
    """Manifests are read anew at every look, so that edits count at once."""

    def __init__(self, config_dir: Path, state_dir: Path) -> None:
        self.config_dir = config_dir
        self.state_dir = state_dir

    @property
    def file(self) -> Path:
        return self.config_dir / "plugins.json"

    def all(self) -> list[Plugin]:
        found = []
        for entry in self._entries():
            try:
                found.append(
                    Plugin(
                        manifest.read(entry["manifest_path"]), entry["enabled"], entry.get("source", LOCAL)
                    )
                )
            except ApiError:
                continue  # A plugin whose folder is gone stays registered and does nothing.
        return found

    def shapes(self) -> list[dict[str, Any]]:
        """What `plugin.list` shows: also those whose manifest is gone, as they were, with the reason."""
        found = []
        for entry in self._entries():
            try:
                fresh = manifest.read(entry["manifest_path"])
                found.append(fresh.shape(enabled=entry["enabled"], source=entry.get("source", LOCAL)))
            except ApiError as error:
                found.append({**entry, "warnings": [f"manifest unavailable: {error.message}"]})
        return found

    def enabled(self) -> list[Plugin]:
        return [plugin for plugin in self.all() if plugin.enabled and plugin.manifest.here]

    def get(self, plugin_id: str) -> Plugin:
        for plugin in self.all():
            if plugin.id == plugin_id:
                return plugin
        raise ApiError("plugin_not_found", f"plugin {plugin_id} not found")

    def link(self, path: str, *, enabled: bool, source: dict[str, Any] | None) -> Plugin:
        plugin = Plugin(manifest.read(path), enabled, source or dict(LOCAL))
        rest = [entry for entry in self._entries() if entry["plugin_id"] != plugin.id]
        self._make_folders(plugin.id)
        self._save([*rest, plugin.shape()])
        return plugin

    def unlink(self, plugin_id: str) -> bool:
        entries = self._entries()
        rest = [entry for entry in entries if entry["plugin_id"] != plugin_id]
        self._save(rest)
        return len(rest) < len(entries)

    def enable(self, plugin_id: str, enabled: bool) -> Plugin:
        self.get(plugin_id)
        self._save(
            [
                {**entry, "enabled": enabled} if entry["plugin_id"] == plugin_id else entry
                for entry in self._entries()
            ]
        )
        return self.get(plugin_id)

    def environment(
        self, plugin: Plugin, event: str | None, context: dict[str, Any], envelope: dict[str, Any] | None
    ) -> dict[str, str]:
        """The variables of one invocation. One that has no value is not set;
        Herdr removes none that the server inherited.
        """
        config, state = self._make_folders(plugin.id)
        optional = {
            "HERDR_PLUGIN_EVENT": event,
            "HERDR_PLUGIN_EVENT_JSON": None if envelope is None else _json(envelope),
            "HERDR_WORKSPACE_ID": context.get("workspace_id"),
            "HERDR_TAB_ID": context.get("tab_id"),
            "HERDR_PANE_ID": context.get("focused_pane_id"),
        }
        return {
            "HERDR_BIN_PATH": shutil.which("herdr") or "herdr",
            "HERDR_PLUGIN_CONFIG_DIR": str(config),
            "HERDR_PLUGIN_CONTEXT_JSON": _json(context),
            "HERDR_PLUGIN_ID": plugin.id,
            "HERDR_PLUGIN_ROOT": str(plugin.manifest.root),
            "HERDR_PLUGIN_STATE_DIR": str(state),
            **{name: value for name, value in optional.items() if value is not None},
        }

    def _make_folders(self, plugin_id: str) -> tuple[Path, Path]:
        """Those of a plugin's own, for its configuration and its state. Herdr never removes them."""
        config = self.config_dir / "plugins" / "config" / plugin_id
        state = self.state_dir / "plugins" / plugin_id
        for folder in (config, state):
            folder.mkdir(parents=True, exist_ok=True)
        return config, state

    def _entries(self) -> list[dict[str, Any]]:
        try:
            return list(json.loads(self.file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError) as error:
            raise ApiError("plugin_registry_load_failed", f"failed to load {self.file}: {error}") from error

    def _save(self, entries: list[dict[str, Any]]) -> None:
        self.config_dir.mkdir(parents=True, exist_ok=True)
        temporary = self.file.with_name("plugins.json.tmp")
        temporary.write_text(json.dumps(entries, indent=2), encoding="utf-8")
        os.replace(temporary, self.file)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
